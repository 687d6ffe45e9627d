import type { Database } from '../postgres/database.js';
import { EVENTS_WRITTEN, readKeptRanges } from '../events/events.sql.js';

/** Wakes waiting readers: at once for events of this process, within half a second for others. */
export interface EventWatch {
  /** Resolves when one of the stores has an event after its given sequence, at the timeout, or on abort. */
  wait(after: ReadonlyMap<number, number>, timeMs: number, signal: AbortSignal): Promise<void>;
  /** Wakes all readers so that they end. */
  end(): void;
  hasEnded(): boolean;
}

interface Waiter {
  readonly after: ReadonlyMap<number, number>;
  readonly wake: () => void;
}

const POLL_EVERY_MS = 500;

/** All waiting readers together cost one query every half second. */
export function createEventWatch(db: Database): EventWatch {
  const all = new Set<Waiter>();
  const waiters = new Map<number, Set<Waiter>>();
  /** Catches events written between a reader's last read and its wait. */
  const lastTold = new Map<number, number>();
  /** Stores whose readers were notified: a failover or a restore may have undone the event. */
  const toVerify = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;

  const wakeUp = (storeKey: number, lastSequence: number): void => {
    for (const waiter of waiters.get(storeKey) ?? []) {
      if ((waiter.after.get(storeKey) ?? 0) < lastSequence) waiter.wake();
    }
  };

  const poll = async (): Promise<void> => {
    const told = new Map([...toVerify].map((storeKey) => [storeKey, lastTold.get(storeKey)]));
    const ranges = await readKeptRanges(db, [...new Set([...waiters.keys(), ...told.keys()])]);
    for (const [storeKey, lastSequence] of told) {
      toVerify.delete(storeKey);
      if (lastTold.get(storeKey) === lastSequence) lastTold.set(storeKey, ranges.get(storeKey)?.last ?? 0);
    }
    for (const [storeKey, { last }] of ranges) wakeUp(storeKey, last);
  };

  const schedulePoll = (): void => {
    timer ??= setTimeout(() => {
      // A failed query is repeated half a second later.
      void poll()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined;
          if (waiters.size > 0 || toVerify.size > 0) schedulePoll();
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
    lastTold.set(storeKey, Math.max(lastSequence, lastTold.get(storeKey) ?? 0));
    wakeUp(storeKey, lastSequence);
  });

  return {
    wait(after, timeMs, signal) {
      const behind = [...after].filter(([storeKey, sequence]) => (lastTold.get(storeKey) ?? 0) > sequence);
      if (behind.length > 0) {
        for (const [storeKey] of behind) toVerify.add(storeKey);
        schedulePoll();
      }
      if (behind.length > 0 || signal.aborted || isEnding) return Promise.resolve();
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
    end() {
      isEnding = true;
      for (const waiter of [...all]) waiter.wake();
    },
    hasEnded: () => isEnding,
  };
}
