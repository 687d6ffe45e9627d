import { Busy, NobodyWaits } from '../domain/errors.js';
import { createSlots } from '../domain/slots.js';

interface PublicationTurn {
  readonly storeKey: number;
  readonly merchantId: string;
  readonly gone?: AbortSignal | undefined;
}

/** Runs what replaces a store's menu when it is its turn. */
export type PublicationQueue = <T>(turn: PublicationTurn, work: () => Promise<T>) => Promise<T>;

/** Publications that wait for one another on the row of a store must not hold connections meanwhile. */
const PER_STORE = { size: Infinity, perOwner: 1, waitingPerOwner: 200 };
/** Of all connections, and none of them for a merchant that has its part of these. */
const OF_ALL = { size: 3, perOwner: 2 };

/** One at a time for each store, a few for all, and merchants in turn. */
export function createPublicationQueue(): PublicationQueue {
  const stores = createSlots(PER_STORE);
  const all = createSlots(OF_ALL);
  return async ({ storeKey, merchantId, gone }, work) => {
    const store = String(storeKey);
    if (!(await stores.take({ owner: store, gone }))) throw refusal(gone);
    try {
      if (!(await all.take({ owner: merchantId, gone }))) throw refusal(gone);
      try {
        return await work();
      } finally {
        all.giveBack(merchantId);
      }
    } finally {
      stores.giveBack(store);
    }
  };
}

function refusal(gone: AbortSignal | undefined): Error {
  return gone?.aborted === true ? new NobodyWaits() : new Busy('Too many publications of this store wait');
}
