import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isGivenUp,
  nextAction,
  NO_FAILURES,
  parseRetryAfter,
  waitAfter,
  type RetryState,
} from '../../src/webhooks/retries.js';

const MINUTE = 60_000;
const answered = (status: number | undefined) => ({ status, retryAfterMs: undefined });

describe('what an attempt means', () => {
  it.each([200, 201, 202, 204, 299])('%d: delivered', (status) => {
    expect(nextAction(answered(status), NO_FAILURES, 0, 0.5)).toEqual({ kind: 'continue' });
  });

  it('410: the receiver is gone', () => {
    expect(nextAction(answered(410), NO_FAILURES, 0, 0.5)).toEqual({ kind: 'disable' });
  });

  it.each([undefined, 100, 301, 302, 307, 400, 404, 408, 425, 429, 500, 503, 599])(
    '%s: once more',
    (status) => {
      expect(nextAction(answered(status), NO_FAILURES, 7, 0.5)).toMatchObject({
        kind: 'retry',
        state: { attempts: 1 },
        waitMs: 5_000,
      });
    },
  );
});

describe('an event', () => {
  /** Tries until something else than another attempt comes of it, at the pace of the schedule. */
  function tryOn(statusAt: (attempt: number) => number | undefined, most = 500) {
    let state: RetryState = NO_FAILURES;
    let now = 1_000_000;
    const begun = now;
    for (let attempt = 1; attempt <= most; attempt += 1) {
      const action = nextAction(answered(statusAt(attempt)), state, now, 0.5);
      if (action.kind !== 'retry') return { kind: action.kind, attempt, afterMs: now - begun };
      ({ state } = action);
      now += action.waitMs;
    }
    return { kind: 'retry', attempt: most, afterMs: now - begun };
  }

  it('that is refused is parked with the eighth refusal', () => {
    expect(tryOn(() => 400)).toMatchObject({ kind: 'dead-letter', attempt: 8 });
  });

  it('is not parked before half an hour has passed, however often it is refused', () => {
    const refused = { attempts: 20, refusals: 20, firstRefusedAt: 0 };
    expect(nextAction(answered(400), refused, 30 * MINUTE - 1, 0.5).kind).toBe('retry');
    expect(nextAction(answered(400), refused, 30 * MINUTE, 0.5).kind).toBe('dead-letter');
  });

  it('that fails for another reason is never parked', () => {
    for (const status of [undefined, 302, 408, 425, 429, 500, 503]) {
      expect(tryOn(() => status).kind).toBe('retry');
    }
  });

  it('is parked for its refusals alone, also when other failures come between', () => {
    expect(tryOn((attempt) => (attempt % 2 === 0 ? 400 : 500))).toMatchObject({
      kind: 'dead-letter',
      attempt: 16,
    });
  });
});

describe('the wait for the next attempt', () => {
  it('grows by the steps, then stays at an hour', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 100].map(
      (attempts) => waitAfter(attempts, undefined, 0.5) / 1_000,
    );
    expect(seconds).toEqual([5, 15, 60, 300, 900, 1_800, 3_600, 3_600, 3_600]);
  });

  it('differs by up to a fifth, so that receivers are not asked all at once', () => {
    expect([waitAfter(1, undefined, 0), waitAfter(1, undefined, 1)]).toEqual([4_000, 6_000]);
    expect([waitAfter(9, undefined, 0), waitAfter(9, undefined, 1)]).toEqual([48 * MINUTE, 72 * MINUTE]);
  });

  it('is what the receiver asks for, from the shortest step up to twice its own', () => {
    expect(waitAfter(1, 0, 0.5)).toBe(5_000);
    expect(waitAfter(1, 8_000, 0.5)).toBe(8_000);
    expect(waitAfter(1, MINUTE, 0.5)).toBe(10_000);
    expect(waitAfter(7, 10_000, 0.5)).toBe(10_000);
    expect(waitAfter(7, 24 * 60 * MINUTE, 0.5)).toBe(120 * MINUTE);
  });

  it('is always between four seconds and two hours', () => {
    const asked = fc.option(fc.integer({ min: 0, max: 1e12 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        asked,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, after, r) => {
          const wait = waitAfter(n, after, r);
          expect(wait).toBeGreaterThanOrEqual(4_000);
          expect(wait).toBeLessThanOrEqual(120 * MINUTE);
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999999', undefined],
    [undefined, undefined],
  ])('%j is %s ms', (text, ms) => {
    expect(parseRetryAfter(text, now)).toBe(ms);
  });
});

describe('an endpoint', () => {
  it('is given up after five days without success', () => {
    const days = 24 * 60 * MINUTE;
    const tried = (attempts: number) => ({ ...NO_FAILURES, attempts });
    expect([isGivenUp(tried(7), 0, 5 * days - 1), isGivenUp(tried(7), 0, 5 * days)]).toEqual([false, true]);
    expect(isGivenUp(tried(1), 0, 50 * days)).toBe(false);
  });
});
