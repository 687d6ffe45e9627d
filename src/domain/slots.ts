import { Busy, NobodyWaits } from './errors.js';

/** For whom something is taken. What has no owner is bounded by the whole alone, what has no store by its owner's part. */
interface Holder {
  readonly owner?: string | undefined;
  readonly store?: number | undefined;
  /** How many slots it takes: one, unless slots are bytes or the like. */
  readonly amount?: number;
}

interface SlotWait extends Holder {
  /** As long as it takes, unless told. */
  readonly waitMs?: number;
  /** Gives the wait up. */
  readonly gone?: AbortSignal | undefined;
}

export interface SlotSizes {
  readonly size: number;
  /** How many of them one owner may have; all unless told. */
  readonly perOwner?: number;
  /** How many of them one store may have; as many as its owner unless told. */
  readonly perStore?: number;
  /** How many may wait of one store, or of one owner where no store is told; any number unless told. */
  readonly mostWaiting?: number;
}

export type GiveBack = () => void;

/**
 * Lets a few through at a time, no owner and no store more than its part of them. The rest wait: those of one store in the
 * order in which they came, the stores of an owner in turn, and owners in turn. A thousand requests of one hold up nobody
 * else, and what takes more than a whole part still goes, alone.
 */
export interface Slots {
  /** A slot, if one is free for this holder; it must be given back once. */
  takeNow(holder: Holder): GiveBack | undefined;
  /** Waits for a slot. Throws Busy when that takes too long or too many wait already, NobodyWaits when it is given up. */
  take(wait: SlotWait): Promise<GiveBack>;
  waiting(): number;
}

interface Waiting {
  readonly amount: number;
  readonly begin: (giveBack: GiveBack) => void;
}

const NO_OWNER = '';
const NO_STORE = 0;

export function createSlots(sizes: SlotSizes): Slots {
  const { size, perOwner = size, perStore = perOwner, mostWaiting = Infinity } = sizes;
  const takenBy = new Map<string | number, number>();
  // Maps and sets keep the order of insertion: the first is the one whose turn it is.
  const lines = new Map<string, Map<number, Set<Waiting>>>();
  let taken = 0;
  let inLine = 0;

  const mayTake = (owner: string, store: number, amount: number): boolean =>
    fits(taken, amount, size) &&
    (owner === NO_OWNER || fits(takenBy.get(owner) ?? 0, amount, perOwner)) &&
    (store === NO_STORE || fits(takenBy.get(store) ?? 0, amount, perStore));

  const count = (holder: string | number, amount: number): void => {
    const now = (takenBy.get(holder) ?? 0) + amount;
    if (now === 0) takenBy.delete(holder);
    else takenBy.set(holder, now);
  };

  const begin = (owner: string, store: number, amount: number): GiveBack => {
    taken += amount;
    count(owner, amount);
    count(store, amount);
    return () => {
      taken -= amount;
      count(owner, -amount);
      count(store, -amount);
      beginWaiting();
    };
  };

  const beginWaiting = (): void => {
    while (inLine > 0 && taken < size && beginNext());
  };

  /** Begins the first that may; its owner and its store are then the last in line. */
  const beginNext = (): boolean => {
    for (const [owner, stores] of lines) {
      if (owner !== NO_OWNER && (takenBy.get(owner) ?? 0) >= perOwner) continue;
      for (const [store, line] of stores) {
        const [next] = line;
        if (next === undefined || !mayTake(owner, store, next.amount)) continue;
        leave(owner, store, next);
        moveLast(stores, store);
        moveLast(lines, owner);
        next.begin(begin(owner, store, next.amount));
        return true;
      }
    }
    return false;
  };

  const join = (owner: string, store: number, who: Waiting): void => {
    const stores = lines.get(owner) ?? new Map<number, Set<Waiting>>();
    lines.set(owner, stores);
    const line = stores.get(store) ?? new Set<Waiting>();
    stores.set(store, line.add(who));
    inLine += 1;
  };

  const leave = (owner: string, store: number, who: Waiting): void => {
    const stores = lines.get(owner);
    const line = stores?.get(store);
    if (line?.delete(who) !== true) return;
    inLine -= 1;
    if (line.size === 0) stores?.delete(store);
    if (stores?.size === 0) lines.delete(owner);
  };

  const lengthOfLine = (owner: string, store: number): number =>
    inLine === 0 ? 0 : (lines.get(owner)?.get(store)?.size ?? 0);

  const takeNow: Slots['takeNow'] = ({ owner = NO_OWNER, store = NO_STORE, amount = 1 }) =>
    lengthOfLine(owner, store) === 0 && mayTake(owner, store, amount)
      ? begin(owner, store, amount)
      : undefined;

  return {
    takeNow,
    take(wait) {
      const { owner = NO_OWNER, store = NO_STORE, amount = 1, waitMs, gone } = wait;
      return new Promise((resolve, reject) => {
        if (gone?.aborted === true) throw new NobodyWaits();
        const free = takeNow(wait);
        if (free !== undefined) return resolve(free);
        if (lengthOfLine(owner, store) >= mostWaiting) throw new Busy();

        const endWait = () => {
          clearTimeout(timer);
          gone?.removeEventListener('abort', onGone);
        };
        const who = {
          amount,
          begin: (giveBack: GiveBack) => {
            endWait();
            resolve(giveBack);
          },
        };
        const giveUp = (error: Error) => {
          endWait();
          leave(owner, store, who);
          beginWaiting();
          reject(error);
        };
        const onGone = () => giveUp(new NobodyWaits());
        const timer = waitMs === undefined ? undefined : setTimeout(() => giveUp(new Busy()), waitMs);
        gone?.addEventListener('abort', onGone);
        join(owner, store, who);
      });
    },
    waiting: () => inLine,
  };
}

function fits(taken: number, amount: number, most: number): boolean {
  return taken === 0 || taken + amount <= most;
}

function moveLast<Key, Value>(line: Map<Key, Value>, key: Key): void {
  const value = line.get(key);
  if (value === undefined) return;
  line.delete(key);
  line.set(key, value);
}
