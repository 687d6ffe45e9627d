import { createSlots } from '../domain/slots.js';

interface Publication {
  readonly storeKey: number;
  readonly merchantId: string;
  readonly gone?: AbortSignal | undefined;
}

/** Runs what replaces a store's menu as soon as it may begin. */
export type PublicationQueue = <T>(publication: Publication, work: () => Promise<T>) => Promise<T>;

/**
 * Publications of one store would wait for one another on its row, each with a connection in hand: so they wait here, and
 * all of them together leave most of the connections to others.
 */
const AT_ONCE = { size: 3, perOwner: 2, perStore: 1, mostWaiting: 200 };

export function createPublicationQueue(): PublicationQueue {
  const slots = createSlots(AT_ONCE);
  return async ({ storeKey, merchantId, gone }, work) => {
    const giveBack = await slots.take({ owner: merchantId, store: storeKey, gone });
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
