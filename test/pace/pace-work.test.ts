import { expect, it } from 'vitest';
import { openHours } from '../../src/calendar/special-days.js';
import { paceAt, type Kitchen, type SlotSearch } from '../../src/pace/pace.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const PERIODS = 20;
const NOW = Date.parse('2026-11-18T12:00:30Z');
const SIZE = { items: 1, prepMinutes: 0, longestMinutes: 0 };

/** Twenty short periods, which tell each time that one of them is read. */
function countedPeriods(onRead: () => void) {
  const time = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  return Array.from({ length: PERIODS }, (_, i) => ({
    get start_time() {
      onRead();
      return time(i * 70);
    },
    end_time: time(i * 70 + 60),
  }));
}

it('of a full kitchen with as many hours as are allowed takes one search, and reads each period once', async () => {
  let reads = 0;
  const time_periods = countedPeriods(() => (reads += 1));
  const special_days = Array.from({ length: 400 }, (_, i) => ({
    date: new Date(NOW + i * 86_400_000).toISOString().slice(0, 10),
    time_periods,
  }));
  const hours = DAYS.map((day_of_week) => ({ day_of_week, time_periods }));
  const settings = {
    hours,
    special_days,
    prep_minutes: 15,
    ahead_days: 14,
    capacity: { slot_minutes: 5, orders: 1 },
  };
  const searches: SlotSearch[] = [];
  const full: Kitchen = {
    firstFree: (search) => {
      searches.push(search);
      return Promise.resolve(undefined);
    },
    loads: () => Promise.resolve(new Map()),
  };
  const calendar = openHours({ hours, specialDays: special_days, timezone: 'Europe/Madrid' });
  const look = () => paceAt({ settings, revision: 1, hours: calendar, timezone: 'Europe/Madrid' }, NOW, full);

  await look().describe();
  // The weekly hours, and the weeks that two weeks touch, with the day before each.
  expect(reads).toBeLessThanOrEqual(7 * PERIODS + 3 * 9 * PERIODS);
  expect(searches.map(({ runs }) => runs.length)).toEqual([expect.any(Number)]);
  expect(searches[0]?.runs.length).toBeLessThanOrEqual(15 * PERIODS);

  reads = 0;
  searches.length = 0;
  await look().describe();
  await look().promise(SIZE);
  await look().check(NOW + 86_400_000, SIZE);
  expect([reads, searches.length]).toEqual([0, 3]);
});
