export interface BatchOptions<Ask, Answer> {
  /** The answer, or the refusal, of an ask that needs no query. */
  readonly answerAtOnce?: (ask: Ask) => Answer | Error | undefined;
  /** One query for all of them; answers in the order of the asks, an Error for one that is refused. */
  readonly run: (asks: readonly Ask[]) => Promise<readonly (Answer | Error)[]>;
  /** Asks with the same identity share one place in the query, and its answer; by default an ask is like itself alone. */
  readonly identify?: (ask: Ask) => unknown;
  /** At most so many in one query. */
  readonly most?: number;
}

interface Place<Ask, Answer> {
  readonly ask: Ask;
  readonly answer: Promise<Answer>;
  readonly settle: (answer: Answer | Error) => void;
}

const MOST_PLACES = 256;

/**
 * Puts everything that is asked while a query is under way into the next single query. An answer therefore always
 * comes from a query that began after its question was asked, and a thousand waiting requests cost one round trip.
 */
export function createBatch<Ask, Answer>({
  answerAtOnce,
  run,
  identify = (ask) => ask,
  most = MOST_PLACES,
}: BatchOptions<Ask, Answer>) {
  const waiting = new Map<unknown, Place<Ask, Answer>>();
  let isUnderWay = false;

  const chooseNext = (): Place<Ask, Answer>[] => {
    const taken: Place<Ask, Answer>[] = [];
    for (const [identity, place] of waiting) {
      if (taken.length === most) break;
      waiting.delete(identity);
      taken.push(place);
    }
    return taken;
  };

  const runNext = async (): Promise<void> => {
    const batch = chooseNext();
    try {
      const answers = await run(batch.map(({ ask }) => ask));
      batch.forEach(({ settle }, at) => settle(answers[at] as Answer | Error));
    } catch (error) {
      for (const { settle } of batch) settle(error as Error);
    }
    if (waiting.size > 0) void runNext();
    else isUnderWay = false;
  };

  return (ask: Ask): Promise<Answer> => {
    const identity = identify(ask);
    const known = waiting.get(identity);
    if (known !== undefined) return known.answer;
    const place = createPlace<Ask, Answer>(ask);
    const atOnce = answerAtOnce?.(ask);
    if (atOnce !== undefined) {
      place.settle(atOnce);
      return place.answer;
    }
    waiting.set(identity, place);
    if (!isUnderWay) {
      isUnderWay = true;
      // Requests that arrived in the same turn of the event loop join the first query too.
      setImmediate(() => void runNext());
    }
    return place.answer;
  };
}

type AskOfBatch<Ask, Answer> = (ask: Ask) => Promise<Answer>;

/** Batches that do not wait for one another; each is forgotten when nobody waits for it any more. */
export function createBatches<Key, Ask, Answer>() {
  const batches = new Map<Key, { readonly ask: AskOfBatch<Ask, Answer>; waiting: number }>();
  return async (key: Key, create: () => AskOfBatch<Ask, Answer>, ask: Ask): Promise<Answer> => {
    const batch = batches.get(key) ?? { ask: create(), waiting: 0 };
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

function createPlace<Ask, Answer>(ask: Ask): Place<Ask, Answer> {
  let settle!: (answer: Answer | Error) => void;
  const answer = new Promise<Answer>((resolve, reject) => {
    settle = (given) => (given instanceof Error ? reject(given) : resolve(given));
  });
  return { ask, answer, settle };
}
