import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDate } from '../../src/calendar/open-hours.js';
import { wallSecond } from '../../src/calendar/wall-clock.js';
import { openHours } from '../../src/calendar/special-days.js';

const period = (start_time: string, end_time: string) => ({ start_time, end_time });
const MINUTE = 60_000;
const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

describe('a date', () => {
  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '26-01-01', 'today', '2026-12-25T00:00'])(
    'that does not exist is none: %s',
    (text) => expect(parseDate(text)).toBeUndefined(),
  );
  it('counts from 1970', () =>
    expect([parseDate('1970-01-01'), parseDate('2024-02-29')]).toEqual([0, 19_782]));
});

describe('a clock on the wall', () => {
  it.each([
    '0001-06-01T12:00:00Z',
    '0500-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '+010000-01-01T00:00:00Z',
  ])('shows a year of any length: %s', (moment) =>
    expect(wallSecond(Date.parse(moment), 'UTC')).toBe(Date.parse(moment) / 1000),
  );
});

describe('open hours', () => {
  it('of a year that nobody cooks in are found at once', () => {
    const closed = [{ day_of_week: 'Monday', time_periods: [] }];
    for (const moment of ['0001-01-01T00:00:00Z', '0500-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
      for (const hours of [[], closed]) {
        const open = openHours({ hours, specialDays: [], timezone: 'America/New_York' });
        expect(open.nextOpen(Date.parse(moment))).toBe(hours === closed ? undefined : Date.parse(moment));
        expect(open.nextClosed(Date.parse(moment))).toBe(hours === closed ? Date.parse(moment) : undefined);
      }
    }
  });

  const hours = [
    { day_of_week: 'Thursday', time_periods: [period('18:00', '02:00')] },
    { day_of_week: 'Saturday', time_periods: [period('11:00', '14:00'), period('18:00', '23:59')] },
  ];
  const open = (special: Parameters<typeof openHours>[0]['specialDays'], at: string) =>
    openHours({ hours, specialDays: special, timezone: 'Europe/Madrid' }).isOpen(Date.parse(at));

  it('run past midnight into a day that is closed', () => {
    // 2026-12-24 is a Thursday.
    const special = [{ date: '2026-12-25', closed: true }];
    expect(open(special, '2026-12-25T01:30:00+01:00')).toBe(true);
    expect(open(special, '2026-12-25T02:00:00+01:00')).toBe(false);
    expect(open([{ date: '2026-12-24', closed: true }], '2026-12-25T01:30:00+01:00')).toBe(false);
  });

  it('take another weekday’s hours, or their own, on a special day', () => {
    expect(open([{ date: '2026-12-25', as: 'saturday' }], '2026-12-25T12:00:00+01:00')).toBe(true);
    const own = [{ date: '2026-12-25', time_periods: [period('09:00', '10:00')] }];
    expect([open(own, '2026-12-25T09:30:00+01:00'), open(own, '2026-12-25T12:00:00+01:00')]).toEqual([
      true,
      false,
    ]);
  });

  it('agree with a walk along the clock, over both changes of the clock', () => {
    const minute = fc.nat({ max: 1439 }).map((of) => {
      const [hour, rest] = [Math.floor(of / 60), of % 60];
      return `${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
    });
    const periods = fc.array(
      fc
        .tuple(minute, minute)
        .filter(([one, other]) => one !== other)
        .map(([one, other]) => period(one, other)),
      { maxLength: 2 },
    );
    const day = fc.record({ day_of_week: fc.constantFrom(...NAMES), time_periods: periods });
    const around = fc.constantFrom('2026-03-27', '2026-10-23', '2026-07-01');
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    );
    const special = fc.oneof(
      fc.record({ offset: fc.nat({ max: 4 }), closed: fc.constant(true) }),
      fc.record({ offset: fc.nat({ max: 4 }), as: fc.constantFrom(...NAMES) }),
      fc.record({ offset: fc.nat({ max: 4 }), time_periods: periods }),
    );
    fc.assert(
      fc.property(
        fc.array(day, { maxLength: 5 }),
        fc.uniqueArray(special, { maxLength: 2, selector: ({ offset }) => offset }),
        around,
        zone,
        fc.nat({ max: 4_000 }),
        (hours, specials, date, timezone, later) => {
          const specialDays = specials.map(({ offset, ...rest }) => ({
            date: new Date(Date.parse(date) + offset * 86_400_000).toISOString().slice(0, 10),
            ...rest,
          }));
          const found = openHours({ hours, specialDays, timezone });
          const from = Date.parse(`${date}T00:00:00Z`) + later * MINUTE;
          const isOpen = (ms: number) => naiveIsOpen(hours, specialDays, timezone, ms);
          let [opening, closing]: (number | undefined)[] = [undefined, undefined];
          for (let ms = from; ms < from + 3 * 86_400_000; ms += MINUTE) {
            const now = isOpen(ms);
            if ((ms - from) % (97 * MINUTE) === 0) expect(found.isOpen(ms)).toBe(now);
            if (now) opening ??= ms;
            else closing ??= ms;
          }
          if (opening !== undefined) expect(found.nextOpen(from)).toBe(opening);
          if (closing !== undefined) expect(found.nextClosed(from)).toBe(closing);
        },
      ),
      { numRuns: 25 },
    );
  });
});

type Special = { date: string; closed?: true; as?: string; time_periods?: ReturnType<typeof period>[] };

const clocks = new Map<string, Intl.DateTimeFormat>();
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const made =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, made);
  return made;
}

/** Minute by minute: what the wall shows, against today's periods and those of yesterday that run on. */
function naiveIsOpen(
  hours: { day_of_week: string; time_periods: ReturnType<typeof period>[] }[],
  specialDays: Special[],
  timeZone: string,
  ms: number,
): boolean {
  const [date = '', time = ''] = clockOf(timeZone).format(ms).split(' ');
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  const weekly = (name: string) =>
    hours.length === 0
      ? [period('00:00', '24:00')]
      : hours.filter((day) => day.day_of_week === name).flatMap((day) => day.time_periods);
  const periodsOf = (of: string) => {
    const special = specialDays.find((day) => day.date === of);
    if (special?.closed === true) return [];
    if (special?.time_periods !== undefined) return special.time_periods;
    return weekly(special?.as ?? NAMES[new Date(`${of}T00:00:00Z`).getUTCDay()] ?? '');
  };
  const yesterday = new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  const covers = (now: number) => (one: ReturnType<typeof period>) => {
    const [start, end] = [minutes(one.start_time), minutes(one.end_time)];
    const until = end < start ? end + 1440 : end === 1439 ? 1440 : end;
    return start <= now && now < until;
  };
  const now = minutes(time);
  return periodsOf(date).some(covers(now)) || periodsOf(yesterday).some(covers(now + 1440));
}
