import type { Database } from '../../db/database.js';
import { readKeptRanges } from '../../db/events.js';

/** Wakes those who wait for events: at once for what this process writes, within half a second for all else. */
export interface EventWatch {
  /** Resolves when one of the stores has an event after the sequence given for it, when the time is over or the client gone. */
  wait(after: ReadonlyMap<number, number>, timeMs: number, gone: AbortSignal): Promise<void>;
  /** Wakes everyone: whoever waits is to come to an end. */
  end(): void;
  hasEnded(): boolean;
}

interface Waiter {
  readonly after: ReadonlyMap<number, number>;
  readonly wake: () => void;
}

const LOOK_EVERY_MS = 500;

/** However many wait, they cost one query every half second, and no connection in between. */
export function createEventWatch(db: Database): EventWatch {
  const all = new Set<Waiter>();
  const waiters = new Map<number, Set<Waiter>>();
  /** So that an event written between a reader's last look and its wait does not have to be looked for. */
  const lastTold = new Map<number, number>();
  /** Stores whose readers were sent to look for what was told: a failover or a restore may have taken it back. */
  const toVerify = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;

  const wakeUp = (storeKey: number, lastSequence: number): void => {
    for (const waiter of waiters.get(storeKey) ?? []) {
      if ((waiter.after.get(storeKey) ?? 0) < lastSequence) waiter.wake();
    }
  };

  const look = async (): Promise<void> => {
    const told = new Map([...toVerify].map((storeKey) => [storeKey, lastTold.get(storeKey)]));
    const ranges = await readKeptRanges(db, [...new Set([...waiters.keys(), ...told.keys()])]);
    for (const [storeKey, lastSequence] of told) {
      toVerify.delete(storeKey);
      if (lastTold.get(storeKey) === lastSequence) lastTold.set(storeKey, ranges.get(storeKey)?.last ?? 0);
    }
    for (const [storeKey, { last }] of ranges) wakeUp(storeKey, last);
  };

  const lookLater = (): void => {
    timer ??= setTimeout(() => {
      // What cannot be asked now is asked half a second later.
      void look()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined;
          if (waiters.size > 0 || toVerify.size > 0) lookLater();
        });
    }, LOOK_EVERY_MS).unref();
  };

  const add = (waiter: Waiter): void => {
    all.add(waiter);
    for (const storeKey of waiter.after.keys()) {
      const ofStore = waiters.get(storeKey);
      if (ofStore === undefined) waiters.set(storeKey, new Set([waiter]));
      else ofStore.add(waiter);
    }
    if (waiters.size > 0) lookLater();
  };

  const remove = (waiter: Waiter): void => {
    all.delete(waiter);
    for (const storeKey of waiter.after.keys()) {
      const ofStore = waiters.get(storeKey);
      ofStore?.delete(waiter);
      if (ofStore?.size === 0) waiters.delete(storeKey);
    }
  };

  db.onEvents((storeKey, lastSequence) => {
    lastTold.set(storeKey, Math.max(lastSequence, lastTold.get(storeKey) ?? 0));
    wakeUp(storeKey, lastSequence);
  });

  return {
    wait(after, timeMs, gone) {
      const behind = [...after].filter(([storeKey, sequence]) => (lastTold.get(storeKey) ?? 0) > sequence);
      if (behind.length > 0) {
        for (const [storeKey] of behind) toVerify.add(storeKey);
        lookLater();
      }
      if (behind.length > 0 || gone.aborted || isEnding) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(late);
          gone.removeEventListener('abort', wake);
          remove(waiter);
          resolve();
        };
        const waiter = { after, wake };
        const late = setTimeout(wake, timeMs);
        gone.addEventListener('abort', wake);
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
