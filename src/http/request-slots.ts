import type { ServerResponse } from 'node:http';
import type { Share } from '../db/pools.js';
import { NobodyWaits } from '../domain/errors.js';
import type { Principal } from '../domain/key/principal.js';
import type { Limits } from '../domain/limits.js';
import { createSlots, type Slots } from '../domain/slots.js';
import type { Chunks } from './answer.js';

/** How much of the process requests may take at once, all together and those of one merchant. */
export interface RequestSlots {
  /** Of the bodies that are being read or worked on. */
  readonly bodyBytes: Slots;
  /** Of the requests that are being worked on or whose answer is not out yet. */
  readonly underWay: Slots;
  readonly largeAnswers: Slots;
}

/** Two of the largest bodies of a merchant at once, and four of all; more wait, unread, until there is room. */
const LARGEST_BODIES = { ofAll: 4, perOwner: 2 };

/** An answer may take a megabyte while it is made and sent; of those that wait, each only what its request takes. */
const UNDER_WAY = { size: 512, perOwner: 96, mostWaiting: 2_000 };

/** Each may take some tens of megabytes while it is made and sent. */
const LARGE_ANSWERS = { size: 16, perOwner: 2, mostWaiting: 500 };

export function createRequestSlots({ menuBytes }: Limits): RequestSlots {
  return {
    bodyBytes: createSlots({
      size: LARGEST_BODIES.ofAll * menuBytes,
      perOwner: LARGEST_BODIES.perOwner * menuBytes,
    }),
    underWay: createSlots(UNDER_WAY),
    largeAnswers: createSlots(LARGE_ANSWERS),
  };
}

const LONGEST_WAIT_MS = 20_000;

/**
 * A slot is taken until the answer is out, or its client gone: whoever sends much and reads slowly waits for itself, and
 * the answers that nobody takes are so many and no more.
 */
export async function takeSlot(slots: Slots, key: Principal, response: ServerResponse): Promise<void> {
  const owner = ownerOf(key);
  const giveBack =
    slots.takeNow({ owner }) ??
    (await slots.take({ owner, waitMs: LONGEST_WAIT_MS, gone: signalOf(response) }));
  if (response.closed) giveBack();
  else response.once('close', giveBack);
}

/** Whose part it is. */
export function ownerOf(key: Principal): string {
  return key.kind === 'merchant' ? key.merchantId : key.id;
}

/** One for all: Node would make a new error, with its stack, at the end of every request. */
const GONE = new NobodyWaits();

/** Aborts when the answer is out, or its client gone. */
export function signalOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  if (response.closed) leaving.abort(GONE);
  else response.once('close', () => leaving.abort(GONE));
  return leaving.signal;
}

/** Lets an answer that is made while it is sent begin once there is a slot for it. */
export type StreamWithSlot = (share: Share, chunks: AsyncIterable<string>) => Chunks;

/** Each holds a part of itself in memory, for as long as its client takes to read it. */
const STREAMS = { size: 32, perOwner: 8, perStore: 4 };
const LONGEST_WAIT_OF_STREAM_MS = 5_000;

export function createStreamSlots(): StreamWithSlot {
  const slots = createSlots(STREAMS);
  return async function* ({ merchantId, storeKey }, chunks) {
    const wanted = { owner: merchantId, store: storeKey, waitMs: LONGEST_WAIT_OF_STREAM_MS };
    const giveBack = await slots.take(wanted);
    try {
      yield* chunks;
    } finally {
      giveBack();
    }
  };
}
