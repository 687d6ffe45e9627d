/** How often the next event of a store has been tried in vain. */
export interface Trouble {
  readonly attempts: number;
  /** Those of the attempts that the receiver answered with a refusal of this very event. */
  readonly refusals: number;
  readonly firstRefusedAt: number | undefined;
}

export const NO_TROUBLE: Trouble = { attempts: 0, refusals: 0, firstRefusedAt: undefined };

/** What came of one attempt; no status where there was no answer. */
export interface Attempt {
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
}

export type Verdict =
  | { readonly is: 'delivered' }
  | { readonly is: 'to be tried again'; readonly trouble: Trouble; readonly waitMs: number }
  /** The receiver will not have this event: the next one is not to wait for it. */
  | { readonly is: 'parked' }
  /** The receiver says that it is there no more. */
  | { readonly is: 'gone' };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STEPS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 60 * MINUTE];
const JITTER = 0.2;
const LONGEST_RETRY_AFTER = 2;

const PARKED_AFTER_REFUSALS = 8;
const PARKED_AFTER_MS = 30 * MINUTE;
const GIVEN_UP_AFTER_MS = 5 * 24 * 60 * MINUTE;
/** After a quiet time the next event is tried for a while, too, whatever became of the one before it. */
const GIVEN_UP_AFTER_ATTEMPTS = STEPS.length;

/** Statuses below 500 that speak of the moment, not of the event. */
const PASSING = [408, 425, 429];

/** `random` is from 0 to 1. */
export function judge(attempt: Attempt, before: Trouble, now: number, random: number): Verdict {
  const { status } = attempt;
  if (status !== undefined && status >= 200 && status < 300) return { is: 'delivered' };
  if (status === 410) return { is: 'gone' };
  const trouble = addAttempt(before, isRefusal(status), now);
  if (shouldPark(trouble, now)) return { is: 'parked' };
  return {
    is: 'to be tried again',
    trouble,
    waitMs: waitAfter(trouble.attempts, attempt.retryAfterMs, random),
  };
}

/** An endpoint that nothing has reached for so long is disabled. */
export function isGivenUp({ attempts }: Trouble, failingSince: number, now: number): boolean {
  return attempts >= GIVEN_UP_AFTER_ATTEMPTS && now - failingSince >= GIVEN_UP_AFTER_MS;
}

function addAttempt(
  { attempts, refusals, firstRefusedAt }: Trouble,
  isRefused: boolean,
  now: number,
): Trouble {
  return {
    attempts: attempts + 1,
    refusals: isRefused ? refusals + 1 : refusals,
    firstRefusedAt: firstRefusedAt ?? (isRefused ? now : undefined),
  };
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && !PASSING.includes(status);
}

function shouldPark({ refusals, firstRefusedAt }: Trouble, now: number): boolean {
  return (
    refusals >= PARKED_AFTER_REFUSALS &&
    firstRefusedAt !== undefined &&
    now - firstRefusedAt >= PARKED_AFTER_MS
  );
}

/** A receiver may ask for another time than the step's, but neither to be asked all the time nor to be forgotten. */
export function waitAfter(attempts: number, retryAfterMs: number | undefined, random: number): number {
  const [shortest = 0] = STEPS;
  const step = STEPS[Math.min(attempts, STEPS.length) - 1] ?? shortest;
  if (retryAfterMs !== undefined) {
    return Math.min(Math.max(retryAfterMs, shortest), LONGEST_RETRY_AFTER * step);
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
