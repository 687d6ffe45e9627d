import { setTimeout as delay } from 'node:timers/promises';

/** Returned instead of an answer: the ask joins the next run, before later asks. */
export const ASK_AGAIN = Symbol('ask again');

export interface BatchOptions<Ask, Answer> {
  /** Runs one query or transaction for all asks. Returns answers in their order, an Error for each that failed. */
  readonly run: (asks: readonly Ask[]) => Promise<readonly (Answer | Error | typeof ASK_AGAIN)[]>;
  /** Asks with the same identity share one answer. Default: every ask is distinct. */
  readonly identityOf?: (ask: Ask) => unknown;
  /** Most asks per run. */
  readonly most?: number;
  /** Least time between the beginnings of two runs, in which asks gather. After a pause the first does not wait. */
  readonly everyMs?: number;
  /** Chooses the asks of the next run: at least one, in an order that respects dependencies. */
  readonly choose?: (waiting: readonly Ask[]) => readonly boolean[];
}

type WaitingAsk<Ask, Answer> = ReturnType<typeof createWaitingAsk<Ask, Answer>>;

const MOST_AT_ONCE = 256;
const MOST_TO_CHOOSE_FROM = 1_000;

/**
 * Collects everything asked during a run into the next run. An answer therefore always comes from a run that began after its
 * question, and a thousand waiting requests cost one round trip and one connection.
 */
export function createBatch<Ask, Answer>({
  run,
  identityOf = (ask) => ask,
  choose,
  everyMs = 0,
  most = choose === undefined ? MOST_AT_ONCE : MOST_TO_CHOOSE_FROM,
}: BatchOptions<Ask, Answer>) {
  /** By their identity, in the order in which they came. */
  let waiting = new Map<unknown, WaitingAsk<Ask, Answer>>();
  let isUnderWay = false;
  let nextAt = 0;

  const takeNext = (): WaitingAsk<Ask, Answer>[] => {
    const first: [identity: unknown, one: WaitingAsk<Ask, Answer>][] = [];
    for (const entry of waiting) if (first.push(entry) === most) break;
    const isChosen = choose?.(first.map(([, { ask }]) => ask));
    const taken = isChosen === undefined ? first : first.filter((_, i) => isChosen[i]);
    for (const [identity] of taken) waiting.delete(identity);
    return taken.map(([, one]) => one);
  };

  const runNext = async (): Promise<void> => {
    if (everyMs > 0) {
      await delay(Math.max(0, nextAt - performance.now()));
      nextAt = performance.now() + everyMs;
    }
    const batch = takeNext();
    try {
      const answers = await run(batch.map(({ ask }) => ask));
      const again = batch.filter((_, i) => answers[i] === ASK_AGAIN);
      if (again.length > 0) waiting = new Map([...again.map((one) => [one, one] as const), ...waiting]);
      batch.forEach(({ settle }, i) => {
        if (answers[i] !== ASK_AGAIN) settle(answers[i] as Answer | Error);
      });
    } catch (error) {
      for (const { settle } of batch) settle(error as Error);
    }
    if (waiting.size > 0) void runNext();
    else isUnderWay = false;
  };

  return (ask: Ask): Promise<Answer> => {
    const identity = identityOf(ask);
    const known = waiting.get(identity);
    if (known !== undefined) return known.answer;
    const one = createWaitingAsk<Ask, Answer>(ask);
    waiting.set(identity, one);
    if (!isUnderWay) {
      isUnderWay = true;
      // Requests that arrived in the same turn of the event loop join the first run too.
      setImmediate(() => void runNext());
    }
    return one.answer;
  };
}

/**
 * A separate batch per subject, such as a store. Batches do not wait for each other, and each is dropped when nobody waits for
 * it.
 */
export function createBatches<Subject, Ask, Answer>(
  keyOf: (subject: Subject) => unknown,
  optionsOf: (subject: Subject) => BatchOptions<Ask, Answer>,
) {
  const batches = new Map<unknown, { readonly ask: (ask: Ask) => Promise<Answer>; waiting: number }>();
  return async (subject: Subject, ask: Ask): Promise<Answer> => {
    const key = keyOf(subject);
    const batch = batches.get(key) ?? { ask: createBatch(optionsOf(subject)), waiting: 0 };
    batches.set(key, batch);
    batch.waiting += 1;
    try {
      return await batch.ask(ask);
    } finally {
      batch.waiting -= 1;
      if (batch.waiting === 0) batches.delete(key);
    }
  };
}

function createWaitingAsk<Ask, Answer>(ask: Ask) {
  let settle!: (answer: Answer | Error) => void;
  const answer = new Promise<Answer>((resolve, reject) => {
    settle = (given) => (given instanceof Error ? reject(given) : resolve(given));
  });
  return { ask, answer, settle };
}
