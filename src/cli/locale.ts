import { InvalidArgumentError } from 'commander';
import { memoize } from '../support/memoize.js';
import { decimalsOf } from '../support/minor-units.js';

/** `2026-11-15 14:03`, in the store's timezone. */
export function toLocalTime(datetime: string, timezone = 'UTC'): string {
  const { date, time } = inZone(Date.parse(datetime), timezone);
  return `${date} ${time.slice(0, 5)}`;
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a date-time, `90m`, `24h` or `7d` (ago), or `today` or `yesterday` in the store's timezone. */
export function toMoment(text: string, timezone = 'UTC', now = Date.now()): string {
  const ago = /^(\d{1,6})([mhd])$/.exec(text);
  if (ago !== null) return new Date(now - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS]).toISOString();
  if (text === 'today') return startOfDay(inZone(now, timezone).date, timezone);
  if (text === 'yesterday') {
    const today = Date.parse(startOfDay(inZone(now, timezone).date, timezone));
    return startOfDay(inZone(today - UNITS.h, timezone).date, timezone);
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return startOfDay(text, timezone);
  if (Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError(
      `Invalid time: ${text}. Use a date-time, 90m, 24h, 7d, today or yesterday.`,
    );
  return text;
}

/** Cached: creating a formatter is far more expensive than using it, and a list formats every row. */
const clockOf = memoize(
  100,
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);

function inZone(moment: number, timezone: string): { date: string; time: string } {
  const [date = '', time = ''] = clockOf(timezone).format(moment).split(' ');
  return { date, time };
}

const WALL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})$/;

/**
 * `2027-01-01 05:00` on the clock of the timezone; a date-time with an offset is taken as it is. Of an hour that comes twice
 * it is the first, and a time that the clock skips is as much later.
 */
export function toWallMoment(text: string, timezone = 'UTC'): string {
  const [whole, date = '', time = ''] = WALL_TIME.exec(text) ?? [];
  const wall = `${date}T${time}:00Z`;
  if (whole !== undefined && !Number.isNaN(Date.parse(wall))) return momentOf(wall, timezone);
  if (/T.*\d(Z|[+-]\d{2}:\d{2})$/i.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toISOString();
  throw new InvalidArgumentError(
    `Invalid time: ${text}. Use '2027-01-01 05:00', on the clock of the store, or a date-time with an offset.`,
  );
}

function startOfDay(date: string, timezone: string): string {
  return momentOf(`${date}T00:00:00Z`, timezone);
}

/** The first moment at which the clock shows this: by the offset of the day before, or else of the day after. */
function momentOf(wall: string, timezone: string): string {
  const wanted = Date.parse(wall);
  const offsetAt = (moment: number) => {
    const { date, time } = inZone(moment, timezone);
    return Date.parse(`${date}T${time}Z`) - moment;
  };
  const before = wanted - offsetAt(wanted - UNITS.d);
  const after = wanted - offsetAt(wanted + UNITS.d);
  const isShownAt = (moment: number) => moment + offsetAt(moment) === wanted;
  return new Date(isShownAt(before) || !isShownAt(after) ? before : after).toISOString();
}

/** Minor units as people write them: 1250 EUR is `12.50 EUR`, 1250 JPY is `1250 JPY`. */
export function toMoney(minor: number, currency: string | undefined): string {
  if (currency === undefined) return String(minor);
  const digits = decimalsOf(currency);
  return `${(minor / 10 ** digits).toFixed(digits)} ${currency}`;
}
