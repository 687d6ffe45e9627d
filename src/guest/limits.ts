import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '../support/errors.js';
import { createFairSemaphore } from '../support/fair-semaphore.js';
import { HOUR_MS } from '../support/datetime.js';

/** How much a place and an address may ask for. Where the rate limit is off, only the store's own `most_open` holds. */

/** Orders of a place. */
export const MOST_RECENT = { count: 6, ms: 10 * 60_000 };

const MOST_OF_ADDRESS = 60;
/** Addresses that are remembered; the one that has been quiet for longest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** Orders of an address: all guests on the restaurant's Wi-Fi may share one. Each process counts for itself. */
export function createAddressLimit(isOn: boolean) {
  const known = new LRUCache<string, Map<string, number>>({ max: MAX_REMEMBERED });
  const recentOf = (address: string, now: number) =>
    [...(known.get(address) ?? [])].filter(([, at]) => at > now - HOUR_MS);
  return {
    /** Throws if the address has ordered too often. */
    require(address: string): void {
      const now = performance.now();
      const recent = recentOf(address, now);
      const [, oldest = now] = recent.at(-MOST_OF_ADDRESS) ?? [];
      if (recent.length >= MOST_OF_ADDRESS)
        throw new TooManyRequests(
          secondsUntil(oldest + HOUR_MS, now),
          'Too many orders came from this network within an hour. Order at the counter, or try again later.',
        );
    },
    /** Counts an order once, however often it is noted. */
    note(address: string, orderId: string): void {
      if (!isOn) return;
      const now = performance.now();
      const recent = new Map(recentOf(address, now));
      if (!recent.has(orderId)) recent.set(orderId, now);
      known.set(address, recent);
    },
  };
}

/** A guest has a phone or two, each with some tabs. */
const MOST_STREAMS = 8;
const TRY_STREAM_AGAIN_SECONDS = 60;

/** Counts a stream of an order until the signal says that it is closed; throws if the order has too many. */
export function createStreamLimit(): (token: string, closed: AbortSignal) => void {
  const permits = createFairSemaphore({ size: Infinity, perOwner: MOST_STREAMS });
  return (token, closed) => {
    if (closed.aborted) return;
    const release = permits.tryAcquire({ owner: token });
    if (release === undefined)
      throw new TooManyRequests(TRY_STREAM_AGAIN_SECONDS, 'This order is open on too many screens.');
    closed.addEventListener('abort', release);
  };
}

export function secondsUntil(then: number, now: number): number {
  return Math.max(1, Math.ceil((then - now) / 1000));
}
