import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWall, startOfDay, toWall, wallSecond } from '../../src/calendar/wall-clock.js';

const iso = (moment: number) => new Date(moment).toISOString();

describe('wallSecond', () => {
  it.each(['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'])(
    'is what the clock shows at any moment in %s, also on days when it is set',
    (timeZone) => {
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      const shown = (ms: number) =>
        `${new Date(wallSecond(ms, timeZone) * 1000).toISOString().slice(0, 19)}Z`;
      const from = Date.UTC(2011, 0);
      for (let ms = from; ms < from + 366 * 86_400_000; ms += 4_321_987)
        expect(shown(ms)).toBe(`${clock.format(ms).replace(' ', 'T')}Z`);
    },
  );
});

describe('fromWall', () => {
  it.each([
    ['2026-11-15T18:42', 'Asia/Kolkata', '2026-11-15T13:12:00.000Z'],
    // The first of an hour that comes twice, on either side of Greenwich.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    // The clock jumps from 02:00 to 03:00: half an hour after that.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    // This clock changes by half an hour.
    ['2026-10-04T02:10', 'Australia/Lord_Howe', '2026-10-03T15:40:00.000Z'],
    ['9999-12-31T23:00', 'UTC', '9999-12-31T23:00:00.000Z'],
  ])('%s in %s', (wall, timezone, moment) => {
    expect(iso(fromWall(wall, timezone))).toBe(moment);
  });

  it('finds a moment that shows what any moment shows, and none that is later', () => {
    const timezone = fc.constantFrom('Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'UTC');
    const years = { noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2040-01-01') };
    fc.assert(
      fc.property(fc.date(years), timezone, (date, zone) => {
        const wall = toWall(date.getTime(), zone);
        const found = fromWall(wall, zone);
        expect(toWall(found, zone)).toBe(wall);
        expect(found).toBeLessThanOrEqual(date.getTime());
      }),
    );
  });

  it.each(['', 'soon', '2026-13-01T05:00'])('is not a number for %j', (wall) => {
    expect(fromWall(wall, 'UTC')).toBeNaN();
  });
});

describe('startOfDay', () => {
  it.each([
    ['2026-11-15T18:42:07Z', 'Europe/Madrid', '2026-11-14T23:00:00.000Z'],
    // The clock jumps from midnight to 01:00.
    ['2026-09-06T15:00:00Z', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    // Midnight comes twice.
    ['2026-10-25T12:00:00Z', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
  ])('of %s in %s', (moment, timezone, start) => {
    expect(iso(startOfDay(Date.parse(moment), timezone))).toBe(start);
  });
});
