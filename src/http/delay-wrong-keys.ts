import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Unauthenticated } from '../domain/errors.js';

const AT_ONCE = 20;
const APART_MS = 100;
const LONGEST_MS = 5_000;
const MOST_ADDRESSES = 10_000;

/** Rejects with the error that an attempt to get in ended with: at once, or later where it may have been a guess. */
export type DelayRefusal = (request: IncomingMessage, error: unknown) => Promise<never>;

export const refuseAtOnce: DelayRefusal = (_request, error) => {
  throw error;
};

/** What else is refused needs no guess: no key at all, or a session that has ended. */
const GUESSED: ReadonlySet<Unauthenticated['reason']> = new Set(['invalid', 'code used']);

/**
 * Lets whoever sends keys that do not hold wait for the answer, those of one address one after the other. Only the refusal
 * waits: a key that holds is answered at once, also from an address that is a proxy's and thus everybody's.
 */
export function createRefusalDelay(): DelayRefusal {
  const nextDelay = createDelays();
  return async (request, error) => {
    const isGuess = error instanceof Unauthenticated && GUESSED.has(error.reason);
    if (isGuess) await wait(nextDelay(request.socket.remoteAddress ?? ''));
    throw error;
  };
}

/** The first few of an address at once, then one in so many milliseconds. */
function createDelays(): (address: string) => number {
  const lastAt = new Map<string, number>();
  return (address) => {
    const now = performance.now();
    const at = Math.max(lastAt.get(address) ?? 0, now - AT_ONCE * APART_MS) + APART_MS;
    // The newest are last, so that the oldest is the one to be forgotten.
    lastAt.delete(address);
    lastAt.set(address, Math.min(at, now + LONGEST_MS));
    const [oldest] = lastAt.keys();
    if (lastAt.size > MOST_ADDRESSES && oldest !== undefined) lastAt.delete(oldest);
    return Math.min(Math.max(0, at - now), LONGEST_MS);
  };
}
