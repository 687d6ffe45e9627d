import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourOf, splitRange, startOfHour, type BucketRange } from '../../src/orders/list/counts.sql.js';
import { HOUR_MS } from '../../src/support/datetime.js';

const HOURS = { 0: 1, 1: 24, 2: 768 } as const;
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const instants = fc.oneof(
  fc.integer({ min: FIRST, max: LAST }),
  fc.integer({ min: 475_000, max: 500_000 }).map((hour) => hour * HOUR_MS),
  fc.integer({ min: 1_700_000_000_000, max: 1_700_500_000_000 }),
);

function asTimes(range: BucketRange) {
  return {
    from: startOfHour(range.from * HOURS[range.level]),
    to: startOfHour(range.to * HOURS[range.level]),
  };
}

describe('splitting a range of time', () => {
  it('covers it without gap or overlap, newest first, in few parts and short ends', () => {
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const { top, buckets, bottom } = splitRange({ from, to });
        const parts = [top, ...buckets.map(asTimes), bottom].filter((part) => part.from < part.to);
        expect(buckets.length).toBeLessThanOrEqual(5);
        expect(parts.map((part) => part.to)).toEqual(
          from === to ? [] : [to, ...parts.slice(0, -1).map((part) => part.from)],
        );
        expect(parts.at(-1)?.from ?? from).toBe(from);
        expect(top.to - top.from).toBeLessThan(2 * HOUR_MS);
        expect(bottom.to - bottom.from).toBeLessThan(HOUR_MS);
      }),
    );
  });

  it('of everything holds every instant there can be', () => {
    const { top, buckets, bottom } = splitRange({});
    expect([top.from < top.to, bottom.from < bottom.to]).toEqual([false, false]);
    expect(buckets).toHaveLength(1);
    const [all] = buckets.map(asTimes);
    expect(all?.from).toBe(FIRST);
    expect(all?.to).toBeGreaterThan(LAST);
  });

  it('numbers hours from the year 1', () => {
    expect(hourOf(FIRST)).toBe(0);
    expect(hourOf(FIRST + HOUR_MS - 1)).toBe(0);
    expect(hourOf(LAST)).toBeLessThan(2 ** 31);
  });
});
