import { createFairTurns, type Share } from '../db/fair-turns.js';
import { Busy } from '../domain/errors.js';
import type { Chunks } from './answer.js';

/** Lets an answer that is made while it is sent begin in its turn. */
export type StreamInTurn = (share: Share, chunks: AsyncIterable<string>) => Chunks;

/** Each holds a piece of itself in memory, for as long as its client takes to read it. */
const AT_ONCE = { atOnce: 32, perMerchant: 8, perStore: 4 };
const LONGEST_WAIT_MS = 5_000;

export function createStreamTurns(): StreamInTurn {
  const turns = createFairTurns(AT_ONCE);
  return async function* (share, chunks) {
    const giveBack = await turns.take(share, LONGEST_WAIT_MS);
    if (giveBack === undefined) throw new Busy('Too much is under way: try again');
    try {
      yield* chunks;
    } finally {
      giveBack();
    }
  };
}
