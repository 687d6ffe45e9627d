import type { Share } from '../db/pools.js';

/** The store that is worked on, and whose part of the connections that takes. */
export type GatheredStore = Share & { readonly storeKey: number };

/** What became of one ask: its answer, why it failed, or that it must be asked again. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly error: unknown } | 'again';

export interface GatherOptions<Ask, Answer> {
  /** Which of the waiting go into the next run; at least one, and each before what must come after it. */
  readonly choose: (waiting: readonly Ask[]) => readonly boolean[];
  /** One run for all of them; outcomes in the order of the asks. */
  readonly run: (store: GatheredStore, asks: readonly Ask[]) => Promise<readonly Outcome<Answer>[]>;
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_LOOKED_AT = 1_000;

/**
 * Keeps one run in flight per store: whatever is asked meanwhile goes into the next run together. However many ask, a
 * store then holds one connection, and writers of one process do not fight over its rows.
 */
export function createGatherer<Ask, Answer>({ choose, run }: GatherOptions<Ask, Answer>) {
  const queues = new Map<number, Waiting<Ask, Answer>[]>();

  async function runNext(store: GatheredStore, queue: Waiting<Ask, Answer>[]): Promise<void> {
    const first = queue.splice(0, MOST_LOOKED_AT);
    const isChosen = choose(first.map(({ ask }) => ask));
    const batch = first.filter((_, at) => isChosen[at]);
    const left = first.filter((_, at) => !isChosen[at]);
    const outcomes = await run(
      store,
      batch.map(({ ask }) => ask),
    ).catch((error: unknown) => batch.map(() => ({ error })));
    const again: Waiting<Ask, Answer>[] = [];
    batch.forEach((waiting, at) => {
      const outcome = outcomes[at] ?? { error: new Error('A run left an ask without an outcome') };
      if (outcome === 'again') again.push(waiting);
      else if ('error' in outcome) waiting.reject(outcome.error);
      else waiting.resolve(outcome.answer);
    });
    queue.unshift(...again, ...left);
  }

  async function drain(store: GatheredStore, queue: Waiting<Ask, Answer>[]): Promise<void> {
    while (queue.length > 0) await runNext(store, queue);
    queues.delete(store.storeKey);
  }

  return (store: GatheredStore, ask: Ask): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(store.storeKey);
      const waiting = { ask, resolve, reject };
      if (queue !== undefined) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      queues.set(store.storeKey, started);
      void drain(store, started);
    });
}
