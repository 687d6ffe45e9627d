import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '../support/errors.js';
import type { RawHeaders } from './response.js';

export interface RateLimit {
  /** Counts a request against a key or a store; throws when it is over its limit. */
  readonly count: (id: string) => void;
  /** How many requests may be sent at once, how many of them are left, and the seconds until all are. */
  readonly headersOf: (id: string) => RawHeaders;
}

/** Keys or stores that are remembered; the one that has been quiet for longest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** A token bucket for each id: `burst` requests at once, then `perSecond` on average. Each process counts for itself. */
export function createRateLimit(perSecond: number | 'off', burst: number): RateLimit {
  if (perSecond === 'off') return { count: () => undefined, headersOf: () => [] };
  const buckets = new LRUCache<string, { tokens: number; filledAt: number }>({ max: MAX_REMEMBERED });
  return {
    count: (id) => {
      const now = performance.now();
      const { tokens, filledAt } = buckets.get(id) ?? { tokens: burst, filledAt: now };
      const filled = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
      const isAllowed = filled >= 1;
      buckets.set(id, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
      if (!isAllowed) throw new TooManyRequests(Math.max(1, Math.ceil((1 - filled) / perSecond)));
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
