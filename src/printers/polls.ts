import { LRUCache } from 'lru-cache';

const POLL_EVERY_MS = 1_000;
const MOST_REMEMBERED = 10_000;

/** Who asks again within a second gets nothing, unless it has printed something in between. */
export function createPollPace(): { isTooSoon(id: string): boolean; hasPrinted(id: string): void } {
  const last = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  return {
    isTooSoon: (id) => {
      const now = performance.now();
      const before = last.get(id);
      if (before !== undefined && now - before < POLL_EVERY_MS) return true;
      last.set(id, now);
      return false;
    },
    hasPrinted: (id) => void last.delete(id),
  };
}
