/**
 * Puts everything that is asked while a query is under way into the next single query. An answer therefore always
 * comes from a query that began after its question was asked, and a thousand waiting requests cost one round trip.
 */
export function createBatch<Ask, Answer>(
  run: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
  largest = 256,
): (ask: Ask) => Promise<Answer> {
  let waiting: Waiting<Ask, Answer>[] = [];
  let isUnderWay = false;

  const next = async (): Promise<void> => {
    const batch = waiting.slice(0, largest);
    waiting = waiting.slice(largest);
    try {
      const answers = await run(batch.map(({ ask }) => ask));
      batch.forEach(({ resolve }, at) => resolve(answers[at] as Answer));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    if (waiting.length > 0) void next();
    else isUnderWay = false;
  };

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject });
      if (isUnderWay) return;
      isUnderWay = true;
      // Requests that arrived in the same turn of the event loop join the first query too.
      setImmediate(() => void next());
    });
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}
