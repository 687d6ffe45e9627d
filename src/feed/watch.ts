import { LRUCache } from 'lru-cache';
import type { Database } from '../postgres/database.js';
import { EVENTS_WRITTEN, readKeptRanges } from '../events/events.sql.js';

export type EventWatch = ReturnType<typeof createEventWatch>;

interface Waiter {
  readonly after: ReadonlyMap<number, number>;
  readonly wake: () => void;
}

const POLL_EVERY_MS = 500;
const MOST_TOLD = 100_000;

/**
 * Wakes waiting readers: at once for events of this process, within half a second for others. All of them together cost one
 * query every half second.
 */
export function createEventWatch(db: Database) {
  const all = new Set<Waiter>();
  const waiters = new Map<number, Set<Waiter>>();
  /** Catches events written between a reader's last read and its wait. Not for long: a failover or a restore may undo them. */
  const lastTold = new LRUCache<number, number>({ max: MOST_TOLD, ttl: POLL_EVERY_MS });
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;

  const wakeUp = (storeKey: number, lastSequence: number): void => {
    for (const waiter of waiters.get(storeKey) ?? []) {
      if ((waiter.after.get(storeKey) ?? 0) < lastSequence) waiter.wake();
    }
  };

  const poll = async (): Promise<void> => {
    for (const [storeKey, { last }] of await readKeptRanges(db, [...waiters.keys()])) wakeUp(storeKey, last);
  };

  const schedulePoll = (): void => {
    timer ??= setTimeout(() => {
      // A failed query is repeated half a second later.
      void poll()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined;
          if (waiters.size > 0) schedulePoll();
        });
    }, POLL_EVERY_MS).unref();
  };

  const add = (waiter: Waiter): void => {
    all.add(waiter);
    for (const storeKey of waiter.after.keys()) {
      const ofStore = waiters.get(storeKey);
      if (ofStore === undefined) waiters.set(storeKey, new Set([waiter]));
      else ofStore.add(waiter);
    }
    if (waiters.size > 0) schedulePoll();
  };

  const remove = (waiter: Waiter): void => {
    all.delete(waiter);
    for (const storeKey of waiter.after.keys()) {
      const ofStore = waiters.get(storeKey);
      ofStore?.delete(waiter);
      if (ofStore?.size === 0) waiters.delete(storeKey);
    }
  };

  db.subscribe(EVENTS_WRITTEN, ({ storeKey, lastSequence }) => {
    lastTold.set(storeKey, lastSequence);
    wakeUp(storeKey, lastSequence);
  });

  return {
    /** Resolves when one of the stores has an event after its given sequence, at the timeout, or on abort. */
    wait(after: ReadonlyMap<number, number>, timeMs: number, signal: AbortSignal): Promise<void> {
      const isBehind = [...after].some(([storeKey, sequence]) => (lastTold.get(storeKey) ?? 0) > sequence);
      if (isBehind || signal.aborted || isEnding) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(late);
          signal.removeEventListener('abort', wake);
          remove(waiter);
          resolve();
        };
        const waiter = { after, wake };
        const late = setTimeout(wake, timeMs);
        signal.addEventListener('abort', wake);
        add(waiter);
      });
    },
    /** Wakes all readers so that they end. */
    end() {
      isEnding = true;
      for (const waiter of [...all]) waiter.wake();
    },
    hasEnded: () => isEnding,
  };
}
