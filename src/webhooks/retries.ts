import type { SendOutcome } from './shapes.js';

/** The failed attempts at the next event of a store. */
export interface RetryState {
  readonly attempts: number;
  /** Attempts in which the receiver refused this event. */
  readonly refusals: number;
  readonly firstRefusedAt: number | undefined;
}

export const NO_FAILURES: RetryState = { attempts: 0, refusals: 0, firstRefusedAt: undefined };

export type NextAction =
  | { readonly kind: 'continue' }
  | { readonly kind: 'retry'; readonly state: RetryState; readonly waitMs: number }
  /** The receiver keeps rejecting this event; later events must not wait for it. */
  | { readonly kind: 'dead-letter' }
  /** The receiver answered 410. */
  | { readonly kind: 'disable' };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STEPS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 60 * MINUTE];
const JITTER = 0.2;
const MAX_RETRY_AFTER_STEPS = 2;

const DEAD_LETTER_AFTER_REFUSALS = 8;
const DEAD_LETTER_AFTER_MS = 30 * MINUTE;
const GIVEN_UP_AFTER_MS = 5 * 24 * 60 * MINUTE;
/** After a quiet time the next event gets its attempts, too, whatever became of the one before it. */
const GIVEN_UP_AFTER_ATTEMPTS = STEPS.length;

/** Statuses below 500 that are transient, not about the event. */
const TEMPORARY = [408, 425, 429];

/** `random` is from 0 to 1. */
export function nextAction(
  { status, retryAfterMs }: Pick<SendOutcome, 'status' | 'retryAfterMs'>,
  before: RetryState,
  now: number,
  random: number,
): NextAction {
  if (status !== undefined && status >= 200 && status < 300) return { kind: 'continue' };
  if (status === 410) return { kind: 'disable' };
  const isRefused = status !== undefined && status >= 400 && status < 500 && !TEMPORARY.includes(status);
  const state = {
    attempts: before.attempts + 1,
    refusals: before.refusals + (isRefused ? 1 : 0),
    firstRefusedAt: before.firstRefusedAt ?? (isRefused ? now : undefined),
  };
  const { refusals, firstRefusedAt = now } = state;
  if (refusals >= DEAD_LETTER_AFTER_REFUSALS && now - firstRefusedAt >= DEAD_LETTER_AFTER_MS)
    return { kind: 'dead-letter' };
  return { kind: 'retry', state, waitMs: waitAfter(state.attempts, retryAfterMs, random) };
}

/** An endpoint without a successful delivery for this long is disabled. */
export function isGivenUp({ attempts }: RetryState, failingSince: number, now: number): boolean {
  return attempts >= GIVEN_UP_AFTER_ATTEMPTS && now - failingSince >= GIVEN_UP_AFTER_MS;
}

/** Retry-After marks the regular delay, within bounds. */
export function waitAfter(attempts: number, retryAfterMs: number | undefined, random: number): number {
  const [shortest = 0] = STEPS;
  const step = STEPS[Math.min(attempts, STEPS.length) - 1] ?? shortest;
  if (retryAfterMs !== undefined) {
    return Math.min(Math.max(retryAfterMs, shortest), MAX_RETRY_AFTER_STEPS * step);
  }
  return Math.round(step * (1 - JITTER + 2 * JITTER * random));
}

/** Milliseconds from now; undefined for a text that is neither seconds nor a date. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * SECOND;
  const date = /^[A-Z][a-z]{2}, /.test(trimmed) ? Date.parse(trimmed) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
