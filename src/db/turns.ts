/** Lets a few through at a time, in the order in which they came. */
export interface Turns {
  /** Waits for a turn; false when the wait grew too long. A turn that was taken must be given back. */
  take(waitMs?: number): Promise<boolean>;
  giveBack(): void;
}

export function createTurns(atOnce: number): Turns {
  let free = atOnce;
  const waiting = new Set<(hasTurn: boolean) => void>();
  return {
    take(waitMs) {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const timer = waitMs === undefined ? undefined : setTimeout(() => settle(false), waitMs);
        const settle = (hasTurn: boolean) => {
          clearTimeout(timer);
          waiting.delete(settle);
          resolve(hasTurn);
        };
        waiting.add(settle);
      });
    },
    giveBack() {
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next(true);
    },
  };
}
