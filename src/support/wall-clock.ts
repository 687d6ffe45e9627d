import { memoize } from './memoize.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_TIMEZONES = 100;
const WALL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** What the clock on the wall of a timezone shows, as a `datetime-local` field has it: `2026-11-15T18:42`. */
export function toWall(moment: number, timezone: string): string {
  const { year, month, day, hour, minute } = partsAt(moment, timezone);
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

/**
 * The moment at which the clock on the wall shows this. Of a time that comes twice it is the first, and a time that the
 * clock skips is as much later. NaN where the text is no time.
 */
export function fromWall(wall: string, timezone: string): number {
  const wanted = WALL.test(wall) ? Date.parse(`${wall.slice(0, 16)}:00Z`) : NaN;
  if (Number.isNaN(wanted)) return NaN;
  const before = wanted - offsetAt(wanted - DAY_MS, timezone);
  const after = wanted - offsetAt(wanted + DAY_MS, timezone);
  const isShownAt = (moment: number) => moment + offsetAt(moment, timezone) === wanted;
  return isShownAt(before) || !isShownAt(after) ? before : after;
}

/** The moment at which the day of this moment began: at midnight, or later where the clock skips midnight. */
export function startOfDay(moment: number, timezone: string): number {
  return fromWall(`${toWall(moment, timezone).slice(0, 10)}T00:00`, timezone);
}

function offsetAt(moment: number, timezone: string): number {
  const { year, month, day, hour, minute } = partsAt(moment, timezone);
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  return shown - Math.floor(moment / MINUTE_MS) * MINUTE_MS;
}

function partsAt(
  moment: number,
  timezone: string,
): Record<'year' | 'month' | 'day' | 'hour' | 'minute', string> {
  const parts = clockOf(timezone).formatToParts(moment);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    year: partOf('year'),
    month: partOf('month'),
    day: partOf('day'),
    hour: partOf('hour'),
    minute: partOf('minute'),
  };
}

/** Making a formatter takes far longer than using it, and a day has thousands of orders. */
const clockOf = memoize(
  MOST_TIMEZONES,
  (timeZone) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);
