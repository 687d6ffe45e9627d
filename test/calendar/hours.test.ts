import { describe, expect, it } from 'vitest';
import { movedDays } from '../../src/calendar/special-days.js';
import { weekHours, type DayHours } from '../../src/calendar/hours.js';
import { nextLocalTime, openAt as hoursOpenAt, type MovedDays } from '../../src/calendar/open-hours.js';

const hours = (day_of_week: string, start_time: string, end_time: string): DayHours[] => [
  { day_of_week, time_periods: [{ start_time, end_time }] },
];
const openAt = (availability: DayHours[], at: string, timezone = 'UTC', moved?: MovedDays) =>
  hoursOpenAt({ at: Date.parse(at), timezone, moved })(weekHours(availability));

describe('opening hours', () => {
  // 2026-11-16 is a Monday.
  it.each<[string, DayHours[], string, boolean]>([
    ['no hours are always', [], '2026-11-16T03:00:00Z', true],
    [
      'a day without periods is closed',
      [{ day_of_week: 'Monday', time_periods: [] }],
      '2026-11-16T12:00:00Z',
      false,
    ],
    ['a day that is not listed is closed', hours('Tuesday', '00:00', '24:00'), '2026-11-16T12:00:00Z', false],
    ['the start is inside', hours('MONDAY', '09:00', '17:00'), '2026-11-16T09:00:00Z', true],
    ['the end is outside', hours('monday', '09:00', '17:00'), '2026-11-16T17:00:00Z', false],
    ['seconds count', hours('Monday', '09:00', '17:00:30'), '2026-11-16T17:00:29Z', true],
    ['24:00 ends the day', hours('Monday', '09:00', '24:00'), '2026-11-16T23:59:59.999Z', true],
    ['24:00 does not reach the next day', hours('Monday', '09:00', '24:00'), '2026-11-17T00:00:00Z', false],
    ['23:59 counts as the end of the day', hours('Monday', '09:00', '23:59'), '2026-11-16T23:59:59Z', true],
    ['23:59 does not reach the next day', hours('Monday', '09:00', '23:59'), '2026-11-17T00:00:00Z', false],
    ['past midnight, before it', hours('Monday', '22:00', '02:00'), '2026-11-16T23:00:00Z', true],
    ['past midnight, after it', hours('Monday', '22:00', '02:00'), '2026-11-17T01:59:59Z', true],
    ['past midnight, over', hours('Monday', '22:00', '02:00'), '2026-11-17T02:00:00Z', false],
    [
      'past midnight, not on the morning before',
      hours('Monday', '22:00', '02:00'),
      '2026-11-16T01:00:00Z',
      false,
    ],
    ['from Saturday into Sunday', hours('Saturday', '22:00', '02:00'), '2026-11-22T01:00:00Z', true],
    ['until midnight', hours('Monday', '18:00', '00:00'), '2026-11-16T23:59:59Z', true],
  ])('%s', (_, availability, at, expected) => {
    expect(openAt(availability, at)).toBe(expected);
  });

  it("follow the wall clock of the store's timezone", () => {
    expect(openAt(hours('Monday', '09:00', '10:00'), '2026-11-15T20:30:00Z', 'Pacific/Auckland')).toBe(true);
    expect(openAt(hours('Monday', '09:00', '10:00'), '2026-11-16T09:30:00Z', 'Pacific/Auckland')).toBe(false);
  });

  it('are open twice in an hour that the clock repeats, and never in one that it skips', () => {
    // Berlin: 03:00 back to 02:00 at 01:00Z on 2026-10-25; 02:00 on to 03:00 at 01:00Z on 2026-03-29; both Sundays.
    const night = hours('Sunday', '02:00', '03:00');
    const openMinutes = (from: string, minutes: number) =>
      Array.from({ length: minutes }, (_, minute) => new Date(Date.parse(from) + minute * 60_000)).filter(
        (at) => openAt(night, at.toISOString(), 'Europe/Berlin'),
      ).length;
    expect(openMinutes('2026-10-24T22:00:00Z', 600)).toBe(120);
    expect(openMinutes('2026-03-28T23:00:00Z', 600)).toBe(0);
  });

  it('keep their length in wall time on the nights when the clock changes', () => {
    const late = hours('Saturday', '22:00', '04:00');
    expect(openAt(late, '2026-10-25T02:59:00Z', 'Europe/Berlin')).toBe(true);
    expect(openAt(late, '2026-10-25T03:00:00Z', 'Europe/Berlin')).toBe(false);
    expect(openAt(late, '2026-03-29T01:59:00Z', 'Europe/Berlin')).toBe(true);
    expect(openAt(late, '2026-03-29T02:00:00Z', 'Europe/Berlin')).toBe(false);
  });
});

describe('a date on which another weekday holds', () => {
  // Friday 2026-12-25 is as a Sunday.
  const moved = movedDays([{ date: '2026-12-25', as: 'Sunday' }]);
  const dinner = [...hours('Thursday', '18:00', '02:00'), ...hours('Friday', '18:00', '02:00')];
  const brunch = [...hours('Saturday', '00:00', '24:00'), ...hours('Sunday', '00:00', '14:00')];
  it.each<[string, DayHours[], string, boolean]>([
    ['does not cut the night before it', dinner, '2026-12-25T01:00:00Z', true],
    ['has no evening of its own weekday', dinner, '2026-12-25T19:00:00Z', false],
    ['nor the night that would follow it', dinner, '2026-12-26T01:00:00Z', false],
    ['has the hours of the other', brunch, '2026-12-25T10:00:00Z', true],
    ['and no longer', brunch, '2026-12-25T15:00:00Z', false],
    ['leaves the day after as it is', brunch, '2026-12-26T10:00:00Z', true],
  ])('%s', (_, availability, at, expected) => {
    expect(openAt(availability, at, 'UTC', moved)).toBe(expected);
    expect(openAt([], at, 'UTC', moved)).toBe(true);
  });
});

describe('the next time that the clock on the wall shows', () => {
  it.each([
    ['2026-11-16T04:59:59.500Z', 'Europe/Madrid', '2026-11-16T05:00:00.000Z'],
    ['2026-11-16T04:30:00Z', 'Europe/Madrid', '2026-11-16T05:00:00.000Z'],
    ['2026-11-16T05:00:00Z', 'Europe/Madrid', '2026-11-17T05:00:00.000Z'],
    // The clock goes forward in the night to the 29th, and back in that to the 25th.
    ['2026-03-28T20:00:00Z', 'Europe/Madrid', '2026-03-29T04:00:00.000Z'],
    ['2026-10-24T20:00:00Z', 'Europe/Madrid', '2026-10-25T05:00:00.000Z'],
    ['2026-11-16T20:00:00Z', 'Asia/Tokyo', '2026-11-16T21:00:00.000Z'],
  ])('06:00 after %s in %s', (at, timezone, expected) => {
    expect(new Date(nextLocalTime(6 * 3600, Date.parse(at), timezone)).toISOString()).toBe(expected);
  });
});
