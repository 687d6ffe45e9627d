import type { Share } from '../db/pools.js';
import { createSlots } from '../domain/slots.js';
import type { Chunks } from './answer.js';

/** Lets an answer that is made while it is sent begin once there is a slot for it. */
export type StreamWithSlot = (share: Share, chunks: AsyncIterable<string>) => Chunks;

/** Each holds a part of itself in memory, for as long as its client takes to read it. */
const AT_ONCE = { size: 32, perOwner: 8, perStore: 4 };
const LONGEST_WAIT_MS = 5_000;

export function createStreamSlots(): StreamWithSlot {
  const slots = createSlots(AT_ONCE);
  return async function* ({ merchantId, storeKey }, chunks) {
    const giveBack = await slots.take({ owner: merchantId, store: storeKey, waitMs: LONGEST_WAIT_MS });
    try {
      yield* chunks;
    } finally {
      giveBack();
    }
  };
}
