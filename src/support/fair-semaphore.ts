import { Overloaded, ClientDisconnected } from './errors.js';

/** On whose behalf work is done. Work without a store counts only towards the merchant. */
export interface Tenant {
  readonly merchantId: string;
  readonly storeKey?: number;
}

export interface StoreTenant extends Tenant {
  readonly storeKey: number;
}

/** Who acquires permits. Without an owner only the total limit applies; without a store only the owner's. */
interface TryAcquireOptions {
  readonly owner?: string | undefined;
  /** Or whatever else of the owner has a limit of its own. */
  readonly store?: number | string | undefined;
}

interface AcquireOptions extends TryAcquireOptions {
  /** Longest wait. Default: no limit. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SemaphoreSizes {
  readonly size: number;
  /** Most permits per owner. Default: all. */
  readonly perOwner?: number;
  /** Most permits per store. Default: as many as its owner. */
  readonly perStore?: number;
  /** Most waiting callers per store, or per owner without a store. Default: no limit. */
  readonly mostWaiting?: number;
}

export type Release = () => void;

export type FairSemaphore = ReturnType<typeof createFairSemaphore>;

/** Takes its turn. */
type Begin = (release: Release) => void;

const NO_OWNER = '';
const NO_STORE = 0;

/**
 * Limits concurrent work, in total and per owner and store. Waiting callers of one store are served in order of arrival, the
 * stores of an owner in turn, and owners in turn, so that a thousand requests of one owner delay nobody else.
 */
export function createFairSemaphore(sizes: SemaphoreSizes) {
  const { size, perOwner = size, perStore = perOwner, mostWaiting = Infinity } = sizes;
  const takenBy = new Map<string | number, number>();
  // Maps and sets keep insertion order: the first entry is next in turn.
  const lines = new Map<string, Map<number | string, Set<Begin>>>();
  let taken = 0;
  let inLine = 0;

  const mayTake = (owner: string, store: number | string): boolean =>
    fits(taken, size) &&
    (owner === NO_OWNER || fits(takenBy.get(owner) ?? 0, perOwner)) &&
    (store === NO_STORE || fits(takenBy.get(store) ?? 0, perStore));

  const count = (holder: string | number, change: 1 | -1): void => {
    const now = (takenBy.get(holder) ?? 0) + change;
    if (now === 0) takenBy.delete(holder);
    else takenBy.set(holder, now);
  };

  const begin = (owner: string, store: number | string): Release => {
    taken += 1;
    count(owner, 1);
    count(store, 1);
    return () => {
      taken -= 1;
      count(owner, -1);
      count(store, -1);
      beginWaiting();
    };
  };

  const beginWaiting = (): void => {
    while (inLine > 0 && taken < size && beginNext());
  };

  /** Starts the first caller that may run, then moves its owner and store to the end of the line. */
  const beginNext = (): boolean => {
    for (const [owner, stores] of lines) {
      if (owner !== NO_OWNER && (takenBy.get(owner) ?? 0) >= perOwner) continue;
      for (const [store, line] of stores) {
        const [next] = line;
        if (next === undefined || !mayTake(owner, store)) continue;
        leave(owner, store, next);
        moveLast(stores, store);
        moveLast(lines, owner);
        next(begin(owner, store));
        return true;
      }
    }
    return false;
  };

  const join = (owner: string, store: number | string, who: Begin): void => {
    const stores = lines.get(owner) ?? new Map<number | string, Set<Begin>>();
    lines.set(owner, stores);
    const line = stores.get(store) ?? new Set<Begin>();
    stores.set(store, line.add(who));
    inLine += 1;
  };

  const leave = (owner: string, store: number | string, who: Begin): void => {
    const stores = lines.get(owner);
    const line = stores?.get(store);
    if (line?.delete(who) !== true) return;
    inLine -= 1;
    if (line.size === 0) stores?.delete(store);
    if (stores?.size === 0) lines.delete(owner);
  };

  const lengthOfLine = (owner: string, store: number | string): number =>
    inLine === 0 ? 0 : (lines.get(owner)?.get(store)?.size ?? 0);

  /** Acquires a permit if one is free for this tenant; release it exactly once. */
  const tryAcquire = ({ owner = NO_OWNER, store = NO_STORE }: TryAcquireOptions): Release | undefined =>
    lengthOfLine(owner, store) === 0 && mayTake(owner, store) ? begin(owner, store) : undefined;

  return {
    tryAcquire,
    /** Waits for a permit. Throws Overloaded after too long a wait or when too many wait already, ClientDisconnected on abort. */
    acquire(wait: AcquireOptions): Promise<Release> {
      const { owner = NO_OWNER, store = NO_STORE, waitMs, signal } = wait;
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) throw new ClientDisconnected();
        const free = tryAcquire(wait);
        if (free !== undefined) return resolve(free);
        if (lengthOfLine(owner, store) >= mostWaiting) throw new Overloaded();

        const endWait = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onGone);
        };
        const who = (release: Release) => {
          endWait();
          resolve(release);
        };
        const giveUp = (error: Error) => {
          endWait();
          leave(owner, store, who);
          beginWaiting();
          reject(error);
        };
        const onGone = () => giveUp(new ClientDisconnected());
        const timer = waitMs === undefined ? undefined : setTimeout(() => giveUp(new Overloaded()), waitMs);
        signal?.addEventListener('abort', onGone);
        join(owner, store, who);
      });
    },
    waiting: () => inLine,
    /** Whether someone waits for a permit that this owner holds. */
    isWanted: (owner: string) => inLine > 0 && (taken >= size || lines.has(owner)),
  };
}

function fits(taken: number, most: number): boolean {
  return taken === 0 || taken < most;
}

function moveLast<Key, Value>(line: Map<Key, Value>, key: Key): void {
  const value = line.get(key);
  if (value === undefined) return;
  line.delete(key);
  line.set(key, value);
}
