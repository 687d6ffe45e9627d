/** On whose behalf work is done; what belongs to no store counts for the merchant alone. */
export interface Share {
  readonly merchantId: string;
  readonly storeKey?: number;
}

export type GiveBack = () => void;

/** Lets a few work at once, no merchant and no store more than its part of them, and the rest wait in a fair order. */
export interface FairTurns {
  /** A turn, if one is free for this share; it must be given back. Work without a share is bounded by nothing but the turns. */
  takeNow(share: Share | undefined): GiveBack | undefined;
  /** Waits for a turn; undefined when the wait grew too long. */
  take(share: Share | undefined, waitMs: number): Promise<GiveBack | undefined>;
  waiting(): number;
}

export interface TurnSizes {
  readonly atOnce: number;
  readonly perMerchant: number;
  readonly perStore: number;
}

type Begin = (giveBack: GiveBack) => void;

const NOBODY = '';
const NO_STORE = 0;

/**
 * Whoever waits does so only because all turns, or all of its own part, are taken. A turn that becomes free goes to the
 * merchants in turn, and within a merchant to its stores in turn: a thousand requests of one hold up nobody else.
 */
export function createFairTurns({ atOnce, perMerchant, perStore }: TurnSizes): FairTurns {
  let free = atOnce;
  let inLine = 0;
  const running = new Map<string | number, number>();
  const lines = new Map<string, Map<number, Set<Begin>>>();

  const count = (of: string | number, by: 1 | -1): void => {
    const now = (running.get(of) ?? 0) + by;
    if (now === 0) running.delete(of);
    else running.set(of, now);
  };
  const isMerchantFull = (merchantId: string) =>
    merchantId !== NOBODY && (running.get(merchantId) ?? 0) >= perMerchant;
  const isStoreFull = (storeKey: number) => storeKey !== NO_STORE && (running.get(storeKey) ?? 0) >= perStore;

  const begin = (merchantId: string, storeKey: number): GiveBack => {
    free -= 1;
    count(merchantId, 1);
    count(storeKey, 1);
    return () => {
      free += 1;
      count(merchantId, -1);
      count(storeKey, -1);
      beginNext();
    };
  };

  /** The first that may begin; its merchant and its store then stand last in line. */
  const beginNext = (): void => {
    if (free === 0) return;
    for (const [merchantId, stores] of lines) {
      if (isMerchantFull(merchantId)) continue;
      for (const [storeKey, line] of stores) {
        const [next] = line;
        if (next === undefined || isStoreFull(storeKey)) continue;
        leave(merchantId, storeKey, next);
        rotate(stores, storeKey);
        rotate(lines, merchantId);
        return next(begin(merchantId, storeKey));
      }
    }
  };

  const leave = (merchantId: string, storeKey: number, which: Begin): void => {
    const stores = lines.get(merchantId);
    const line = stores?.get(storeKey);
    if (line?.delete(which) !== true) return;
    inLine -= 1;
    if (line.size > 0) return;
    stores?.delete(storeKey);
    if (stores?.size === 0) lines.delete(merchantId);
  };

  const join = (merchantId: string, storeKey: number, which: Begin): void => {
    const stores = lines.get(merchantId) ?? new Map<number, Set<Begin>>();
    lines.set(merchantId, stores);
    const line = stores.get(storeKey) ?? new Set<Begin>();
    stores.set(storeKey, line.add(which));
    inLine += 1;
  };

  const takeNow = (share: Share | undefined): GiveBack | undefined => {
    const { merchantId = NOBODY, storeKey = NO_STORE } = share ?? {};
    return free === 0 || isMerchantFull(merchantId) || isStoreFull(storeKey)
      ? undefined
      : begin(merchantId, storeKey);
  };

  return {
    takeNow,
    take(share, waitMs) {
      const now = takeNow(share);
      if (now !== undefined) return Promise.resolve(now);
      const { merchantId = NOBODY, storeKey = NO_STORE } = share ?? {};
      return new Promise((resolve) => {
        const late = setTimeout(() => {
          leave(merchantId, storeKey, settle);
          resolve(undefined);
        }, waitMs);
        const settle: Begin = (giveBack) => {
          clearTimeout(late);
          resolve(giveBack);
        };
        join(merchantId, storeKey, settle);
      });
    },
    waiting: () => inLine,
  };
}

function rotate<Key, Value>(line: Map<Key, Value>, key: Key): void {
  const value = line.get(key);
  if (value === undefined) return;
  line.delete(key);
  line.set(key, value);
}
