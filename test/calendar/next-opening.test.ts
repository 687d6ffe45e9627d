import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weekHours, type DayHours } from '../../src/calendar/hours.js';
import { nextOpening, openAt } from '../../src/calendar/open-hours.js';

const hours = (day_of_week: string, start_time: string, end_time: string): DayHours[] => [
  { day_of_week, time_periods: [{ start_time, end_time }] },
];
const next = (availabilities: DayHours[][], at: string, timezone = 'UTC') => {
  const opening = nextOpening(availabilities.map(weekHours), { at: Date.parse(at), timezone });
  return opening === undefined ? undefined : new Date(opening).toISOString();
};

describe('the next opening', () => {
  // 2026-11-16 is a Monday.
  it.each<[string, DayHours[][], string, string | undefined]>([
    ['today', [hours('Monday', '09:00', '17:00')], '2026-11-16T08:59:59.5Z', '2026-11-16T09:00:00.000Z'],
    ['next week', [hours('Monday', '09:00', '17:00')], '2026-11-16T17:00:00Z', '2026-11-23T09:00:00.000Z'],
    ['now, where it is open', [[]], '2026-11-16T17:00:00.250Z', '2026-11-16T17:00:00.000Z'],
    ['never', [[{ day_of_week: 'Monday', time_periods: [] }]], '2026-11-16T08:00:00Z', undefined],
    ['never, with nothing to open', [], '2026-11-16T08:00:00Z', undefined],
    [
      'the earliest of several',
      [hours('Monday', '12:00', '17:00'), hours('Monday', '11:00', '17:00')],
      '2026-11-16T08:00:00Z',
      '2026-11-16T11:00:00.000Z',
    ],
    ['not past the last year', [hours('Saturday', '09:00', '17:00')], '9999-12-31T23:00:00Z', undefined],
  ])('is %s', (_, availabilities, at, expected) => {
    expect(next(availabilities, at)).toBe(expected);
  });

  it('follows the wall clock through its changes', () => {
    // Berlin: 02:00 on to 03:00 at 01:00Z on 2026-03-29; 03:00 back to 02:00 at 01:00Z on 2026-10-25; both Sundays.
    const skipped = [hours('Sunday', '02:15', '02:45')];
    expect(next(skipped, '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-04-05T00:15:00.000Z');
    expect(next([hours('Sunday', '09:00', '10:00')], '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe(
      '2026-03-29T07:00:00.000Z',
    );
    const partly = [hours('Sunday', '02:15', '03:30')];
    expect(next(partly, '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
    expect(next(skipped, '2026-10-25T00:45:00Z', 'Europe/Berlin')).toBe('2026-10-25T01:15:00.000Z');
  });

  it('is the first open minute that a walk along the clock meets', () => {
    const minute = fc.nat({ max: 1439 }).map((of) => {
      const [hour, rest] = [Math.floor(of / 60), of % 60];
      return `${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
    });
    const day = fc.constantFrom('Monday', 'tuesday', 'Friday', 'SATURDAY', 'Sunday');
    const periods = fc.array(
      fc.record({ start_time: minute, end_time: minute }).filter((one) => one.start_time !== one.end_time),
      { maxLength: 2 },
    );
    const availability = fc.array(fc.record({ day_of_week: day, time_periods: periods }), {
      minLength: 1,
      maxLength: 2,
    });
    const around = fc.constantFrom('2026-03-27T00:00:00Z', '2026-10-23T00:00:00Z', '2026-07-01T00:00:00Z');
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    );
    fc.assert(
      fc.property(availability, around, fc.nat({ max: 4320 }), zone, (given, start, later, timezone) => {
        const from = Date.parse(start) + later * 60_000;
        const found = nextOpening([weekHours(given)], { at: from, timezone });
        const isOpenAt = (at: number) => openAt({ at, timezone })(weekHours(given));
        let walked: number | undefined;
        for (let at = from; walked === undefined && at <= from + 15 * 86_400_000; at += 60_000)
          if (isOpenAt(at)) walked = at;
        expect(found).toBe(walked);
      }),
      { numRuns: 60 },
    );
  });
});
