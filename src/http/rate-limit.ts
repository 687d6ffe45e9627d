import { TooManyRequests } from '../domain/errors.js';

interface Bucket {
  tokens: number;
  filledAt: number;
}

export type TakeToken = (owner: string) => void;

const SWEEP_ABOVE = 10_000;

/**
 * A token bucket per owner: `burst` requests at once, then `perSecond` on average. Throws when the bucket is empty.
 * The count is this process's own; several processes together allow that many times more.
 */
export function createRateLimit(perSecond: number | 'off', burst: number): TakeToken {
  if (perSecond === 'off') return () => undefined;
  const buckets = new Map<string, Bucket>();
  return (owner) => {
    const now = performance.now();
    const bucket = buckets.get(owner) ?? addBucket(buckets, owner, burst, now, (burst / perSecond) * 1000);
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now;
    if (bucket.tokens < 1) throw new TooManyRequests(Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)));
    bucket.tokens -= 1;
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
