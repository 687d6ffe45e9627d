interface UnderWay<T> {
  readonly result: Promise<T>;
  /** How many still wait for it. */
  waiting: number;
  readonly abandon: AbortController;
}

/** `gone` tells that the one who asks has left; the work is told when all of them have. */
export type ShareWork<T> = (
  key: string,
  gone: AbortSignal | undefined,
  work: (gone: AbortSignal) => Promise<T>,
) => Promise<T>;

/** What several ask for at the same time is done once. */
export function createSharedWork<T>(): ShareWork<T> {
  const underWay = new Map<string, UnderWay<T>>();

  const begin = (key: string, work: (gone: AbortSignal) => Promise<T>): UnderWay<T> => {
    const abandon = new AbortController();
    const begun: UnderWay<T> = { result: work(abandon.signal), waiting: 0, abandon };
    underWay.set(key, begun);
    const end = () => forget(key, begun);
    begun.result.then(end, end);
    return begun;
  };

  const forget = (key: string, done: UnderWay<T>) => {
    if (underWay.get(key) === done) underWay.delete(key);
  };

  return (key, gone, work) => {
    const shared = underWay.get(key) ?? begin(key, work);
    shared.waiting += 1;
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      // Whoever asks from now on begins anew.
      forget(key, shared);
      shared.abandon.abort();
    };
    if (gone?.aborted === true) leave();
    else gone?.addEventListener('abort', leave, { once: true });
    return shared.result;
  };
}
