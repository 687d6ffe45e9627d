import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openHours } from '../../src/calendar/special-days.js';
import { EMPTY_KITCHEN, nextMorning, paceAt, SMALLEST_ORDER } from '../../src/pace/pace.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const NOW = Date.parse('2026-11-18T00:00:00Z');

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const arbitraryDay = fc.tuple(
  fc.constantFrom(...DAYS),
  fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 2, maxLength: 2 }),
);
const soon = fc.integer({ min: NOW / 1000, max: (NOW + 2 * DAY) / 1000 }).map((seconds) => seconds * 1000);
const arbitraryStore = fc.record({
  days: fc.array(arbitraryDay, { maxLength: 4 }),
  prep: fc.integer({ min: 0, max: 300 }),
  longest: fc.integer({ min: 0, max: 300 }),
  ahead: fc.integer({ min: 0, max: 3 }),
  now: soon,
  pausedUntil: fc.option(soon, { nil: undefined }),
  busyUntil: fc.option(soon, { nil: undefined }),
  extra: fc.integer({ min: 1, max: 240 }),
  asked: soon.map((ms) => Math.floor(ms / MINUTE) * MINUTE),
});
type Drawn = typeof arbitraryStore extends fc.Arbitrary<infer Store> ? Store : never;

it('the promise is the first open minute after the preparation, and no time that is offered is refused', async () => {
  const check = async ({ days, prep, longest, ahead, now, pausedUntil, busyUntil, extra, asked }: Drawn) => {
    const hours = days.map(([day_of_week, [start = 0, end = 0]]) => ({
      day_of_week,
      time_periods: [{ start_time: clock(start), end_time: clock(end) }],
    }));
    const timezone = 'UTC';
    const calendar = openHours({ hours, specialDays: [], timezone });
    const store = {
      settings: { hours, special_days: [], prep_minutes: prep, ahead_days: ahead },
      ...(pausedUntil === undefined ? {} : { pause: { until: pausedUntil } }),
      ...(busyUntil === undefined ? {} : { busy: { until: busyUntil, extraMinutes: extra } }),
      ...{ revision: 1, hours: calendar, timezone },
    };
    const pace = paceAt(store, now, EMPTY_KITCHEN);
    const size = { items: 1, prepMinutes: longest, longestMinutes: longest };

    const start = Math.max(now, pausedUntil ?? now);
    const lead = Math.max(prep, longest) + (busyUntil !== undefined && busyUntil > start ? extra : 0);
    const latest = nextMorning(now, timezone) + ahead * DAY;
    let first = Math.ceil(start / MINUTE + lead) * MINUTE;
    while (first <= latest && !calendar.isOpen(first)) first += MINUTE;

    const [promise, judged] = [await pace.promise(size), await pace.check(asked, size)];
    const promised = typeof promise === 'number' ? promise : promise.nextAt;
    expect(promised).toBe(first <= latest ? first : undefined);
    expect(promise).not.toHaveProperty('type', 'slot_full');
    for (const time of [promised, judged?.nextAt])
      if (time !== undefined) expect(await pace.check(time, size)).toBeUndefined();
    const { next_at: next } = await pace.describe();
    if (next !== undefined) expect(await pace.check(Date.parse(next), SMALLEST_ORDER)).toBeUndefined();
  };
  await fc.assert(fc.asyncProperty(arbitraryStore, check), { numRuns: 300 });
});
