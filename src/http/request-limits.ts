import type { ServerResponse } from 'node:http';
import type { Share } from '../db/pools.js';
import { NobodyWaits, TooManyRequests } from '../domain/errors.js';
import type { Principal } from '../domain/key/principal.js';
import type { Limits } from '../domain/limits.js';
import { createSlots, type Slots } from '../domain/slots.js';
import type { Chunks, RawHeaders } from './answer.js';

// How often a caller may ask, and how much of the process its requests may take at once.

interface Bucket {
  tokens: number;
  filledAt: number;
}

export interface RateLimit {
  /** Counts a request of whoever is limited, a key or a store; throws when it has asked too often. */
  readonly count: (id: string) => void;
  /** How many requests it may send at once, how many are left of them, and in how many seconds all will be. */
  readonly headersOf: (id: string) => RawHeaders;
}

const SWEEP_ABOVE = 10_000;

/** A token bucket for each: `burst` requests at once, then `perSecond` on average. The count is this process's own. */
export function createRateLimit(perSecond: number | 'off', burst: number): RateLimit {
  if (perSecond === 'off') return { count: () => undefined, headersOf: () => [] };
  const buckets = new Map<string, Bucket>();
  return {
    count: (id) => {
      const now = performance.now();
      const bucket = buckets.get(id) ?? addBucket(buckets, id, burst, now, (burst / perSecond) * 1000);
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
      bucket.filledAt = now;
      if (bucket.tokens < 1)
        throw new TooManyRequests(Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)));
      bucket.tokens -= 1;
    },
    headersOf: (id) => {
      const { tokens } = buckets.get(id) ?? { tokens: burst };
      const seconds = Math.ceil((burst - tokens) / perSecond);
      return [
        'ratelimit-limit',
        String(Math.floor(burst)),
        'ratelimit-remaining',
        String(Math.floor(tokens)),
        'ratelimit-reset',
        String(seconds),
      ];
    },
  };
}

function addBucket(
  buckets: Map<string, Bucket>,
  id: string,
  burst: number,
  now: number,
  fullAfterMs: number,
): Bucket {
  if (buckets.size >= SWEEP_ABOVE) {
    for (const [other, { filledAt }] of buckets) if (now - filledAt > fullAfterMs) buckets.delete(other);
  }
  const bucket = { tokens: burst, filledAt: now };
  buckets.set(id, bucket);
  return bucket;
}

/** How much of the process requests may take at once, all together and those of one merchant. */
export interface RequestSlots {
  /** Bytes of the menus that are being read or worked on. */
  readonly menuBytes: Slots;
  /** Bytes of all other bodies: no order waits for a menu. */
  readonly jsonBytes: Slots;
  /** Of the requests that are being worked on or whose answer is not out yet. */
  readonly underWay: Slots;
  readonly largeAnswers: Slots;
}

/** So many of the largest at once; more wait, unread, until there is room. */
const LARGEST_MENUS = { ofAll: 4, perOwner: 2 };
const LARGEST_JSON_BODIES = { ofAll: 64, perOwner: 8 };

/**
 * An answer may take a megabyte while it is made and sent; of those that wait, each only what its request takes. All that
 * one owner has under way may come to its answers in the same turn of the event loop, and others wait for its end.
 */
const UNDER_WAY = { size: 512, perOwner: 64, mostWaiting: 2_000 };

/** Each may take some tens of megabytes while it is made and sent. */
const LARGE_ANSWERS = { size: 16, perOwner: 2, mostWaiting: 500 };

export function createRequestSlots({ menuBytes, jsonBytes }: Limits): RequestSlots {
  return {
    menuBytes: createSlots(inBytes(LARGEST_MENUS, menuBytes)),
    jsonBytes: createSlots(inBytes(LARGEST_JSON_BODIES, jsonBytes)),
    underWay: createSlots(UNDER_WAY),
    largeAnswers: createSlots(LARGE_ANSWERS),
  };
}

function inBytes(bodies: { readonly ofAll: number; readonly perOwner: number }, largest: number) {
  return { size: bodies.ofAll * largest, perOwner: bodies.perOwner * largest };
}

const LONGEST_WAIT_MS = 20_000;

/**
 * A slot is taken until the answer is out, or its client gone: whoever sends much and reads slowly waits for itself, and
 * the answers that nobody takes are so many and no more.
 */
export async function takeSlot(slots: Slots, principal: Principal, response: ServerResponse): Promise<void> {
  const owner = ownerOf(principal);
  const giveBack =
    slots.takeNow({ owner }) ??
    (await slots.take({ owner, waitMs: LONGEST_WAIT_MS, gone: closedSignal(response) }));
  if (response.closed) giveBack();
  else response.once('close', giveBack);
}

/** Whose part it is. */
export function ownerOf(principal: Principal): string {
  return principal.kind === 'merchant' ? principal.merchantId : principal.id;
}

/** One for all: Node would make a new error, with its stack, at the end of every request. */
const GONE = new NobodyWaits();

/** Aborts when the answer is out, or its client gone. */
export function closedSignal(response: ServerResponse): AbortSignal {
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
