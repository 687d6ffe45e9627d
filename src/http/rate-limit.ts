import { TooManyRequests } from '../domain/errors.js';
import type { RawHeaders } from './answer.js';

interface Bucket {
  tokens: number;
  filledAt: number;
}

export interface RateLimit {
  /** Counts a request; throws when the owner has asked too often. */
  readonly count: (owner: string) => void;
  /** How many requests the owner may send at once, how many are left of them, and in how many seconds all will be. */
  readonly headersOf: (owner: string) => RawHeaders;
}

const SWEEP_ABOVE = 10_000;

/** A token bucket per owner: `burst` requests at once, then `perSecond` on average. The count is this process's own. */
export function createRateLimit(perSecond: number | 'off', burst: number): RateLimit {
  if (perSecond === 'off') return { count: () => undefined, headersOf: () => [] };
  const buckets = new Map<string, Bucket>();
  return {
    count: (owner) => {
      const now = performance.now();
      const bucket = buckets.get(owner) ?? addBucket(buckets, owner, burst, now, (burst / perSecond) * 1000);
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
      bucket.filledAt = now;
      if (bucket.tokens < 1)
        throw new TooManyRequests(Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)));
      bucket.tokens -= 1;
    },
    headersOf: (owner) => {
      const { tokens } = buckets.get(owner) ?? { tokens: burst };
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
  owner: string,
  burst: number,
  now: number,
  fullAfterMs: number,
): Bucket {
  if (buckets.size >= SWEEP_ABOVE) {
    for (const [other, { filledAt }] of buckets) if (now - filledAt > fullAfterMs) buckets.delete(other);
  }
  const bucket = { tokens: burst, filledAt: now };
  buckets.set(owner, bucket);
  return bucket;
}
