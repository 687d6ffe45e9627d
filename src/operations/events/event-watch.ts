import type { Database } from '../../db/database.js';
import { readHeads } from '../../db/events.js';
import type { TellEvents } from '../../domain/event/event.js';

/** Wakes those who wait for events: at once for what this process writes, within half a second for all else. */
export interface EventWatch {
  readonly tell: TellEvents;
  /** Resolves when one of the stores has an event after the sequence given for it, or when the signal aborts. */
  wait(after: ReadonlyMap<number, number>, signal: AbortSignal): Promise<void>;
}

interface Waiter {
  readonly after: ReadonlyMap<number, number>;
  readonly wake: () => void;
}

const LOOK_EVERY_MS = 500;

/** However many wait, they cost one query every half second, and no connection in between. */
export function createEventWatch(db: Database): EventWatch {
  const waiters = new Map<number, Set<Waiter>>();
  /** So that an event written between a reader's last look and its wait does not have to be looked for. */
  const lastTold = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  const wakeUp = (storeKey: number, lastSequence: number): void => {
    for (const waiter of waiters.get(storeKey) ?? []) {
      if ((waiter.after.get(storeKey) ?? 0) < lastSequence) waiter.wake();
    }
  };

  const look = async (): Promise<void> => {
    const heads = await readHeads(db, [...waiters.keys()]);
    for (const [storeKey, { last }] of heads) wakeUp(storeKey, last);
  };

  const lookLater = (): void => {
    timer ??= setTimeout(() => {
      // What cannot be asked now is asked half a second later.
      void look()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined;
          if (waiters.size > 0) lookLater();
        });
    }, LOOK_EVERY_MS).unref();
  };

  const add = (waiter: Waiter): void => {
    for (const storeKey of waiter.after.keys()) {
      const ofStore = waiters.get(storeKey);
      if (ofStore === undefined) waiters.set(storeKey, new Set([waiter]));
      else ofStore.add(waiter);
    }
    lookLater();
  };

  const remove = (waiter: Waiter): void => {
    for (const storeKey of waiter.after.keys()) {
      const ofStore = waiters.get(storeKey);
      ofStore?.delete(waiter);
      if (ofStore?.size === 0) waiters.delete(storeKey);
    }
  };

  return {
    tell(storeKey, lastSequence) {
      lastTold.set(storeKey, Math.max(lastSequence, lastTold.get(storeKey) ?? 0));
      wakeUp(storeKey, lastSequence);
    },
    wait(after, signal) {
      const isBehind = [...after].some(([storeKey, sequence]) => (lastTold.get(storeKey) ?? 0) > sequence);
      if (isBehind || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          remove(waiter);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const waiter = { after, wake };
        add(waiter);
        signal.addEventListener('abort', wake);
      });
    },
  };
}
