/** In the place of an answer: the ask goes into the next run, before whatever came later. */
export const ASK_AGAIN = Symbol('ask again');

export interface BatchOptions<Ask, Answer> {
  /** One query or transaction for all of them; answers in the order of the asks, an Error for one that is refused. */
  readonly run: (asks: readonly Ask[]) => Promise<readonly (Answer | Error | typeof ASK_AGAIN)[]>;
  /** Asks with the same identity count as one, and share its answer; by default an ask is like itself alone. */
  readonly identityOf?: (ask: Ask) => unknown;
  /** At most so many in one run. */
  readonly most?: number;
  /** Which of those that wait go into the next run; at least one, and each before what must come after it. */
  readonly choose?: (waiting: readonly Ask[]) => readonly boolean[];
}

interface WaitingAsk<Ask, Answer> {
  readonly ask: Ask;
  readonly answer: Promise<Answer>;
  readonly settle: (answer: Answer | Error) => void;
}

const MOST_AT_ONCE = 256;
const MOST_TO_CHOOSE_FROM = 1_000;

/**
 * Puts everything that is asked while a run is under way into the next single run. An answer therefore always comes from
 * a run that began after its question was asked, and a thousand waiting requests cost one round trip and one connection.
 */
export function createBatch<Ask, Answer>({
  run,
  identityOf = (ask) => ask,
  choose,
  most = choose === undefined ? MOST_AT_ONCE : MOST_TO_CHOOSE_FROM,
}: BatchOptions<Ask, Answer>) {
  /** By their identity, in the order in which they came. */
  let waiting = new Map<unknown, WaitingAsk<Ask, Answer>>();
  let isUnderWay = false;

  const takeNext = (): WaitingAsk<Ask, Answer>[] => {
    const first: [identity: unknown, one: WaitingAsk<Ask, Answer>][] = [];
    for (const entry of waiting) if (first.push(entry) === most) break;
    const isChosen = choose?.(first.map(([, { ask }]) => ask));
    const taken = isChosen === undefined ? first : first.filter((_, at) => isChosen[at]);
    for (const [identity] of taken) waiting.delete(identity);
    return taken.map(([, one]) => one);
  };

  const runNext = async (): Promise<void> => {
    const batch = takeNext();
    try {
      const answers = await run(batch.map(({ ask }) => ask));
      const again = batch.filter((_, at) => answers[at] === ASK_AGAIN);
      if (again.length > 0) waiting = new Map([...again.map((one) => [one, one] as const), ...waiting]);
      batch.forEach(({ settle }, at) => {
        if (answers[at] !== ASK_AGAIN) settle(answers[at] as Answer | Error);
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
 * A batch for each subject, such as a store, by its key; they do not wait for one another, and each is forgotten when nobody
 * waits for it any more.
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

function createWaitingAsk<Ask, Answer>(ask: Ask): WaitingAsk<Ask, Answer> {
  let settle!: (answer: Answer | Error) => void;
  const answer = new Promise<Answer>((resolve, reject) => {
    settle = (given) => (given instanceof Error ? reject(given) : resolve(given));
  });
  return { ask, answer, settle };
}
