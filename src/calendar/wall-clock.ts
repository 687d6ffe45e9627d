import { DAY_MS, DAY_SECONDS, EARLIEST_MS } from '../support/datetime.js';
import { memoize } from '../support/memoize.js';

const MOST_TIMEZONES = 200;
const WALL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** `2026-03-29 10:05:00`; making a formatter takes far longer than using it. */
const clockOf = memoize(
  MOST_TIMEZONES,
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);

/** What the clock on the wall of a timezone shows, in seconds since 1970 on that clock. */
export function wallSecond(ms: number, timezone: string): number {
  const offset = offsetOn(Math.floor(ms / DAY_MS), timezone);
  return offset === undefined ? readWallSecond(ms, timezone) : Math.floor(ms / 1000) + offset;
}

const MOST_DAYS = 2_000;
const offsetsOf = memoize(MOST_TIMEZONES, () => new Map<number, number | undefined>());

/**
 * How many seconds the clock is ahead of UTC during a whole day of UTC; undefined where it is set on that day. Asking the clock
 * takes 6 µs, looking here 0.1. Since 1970 no clock has been set twice within a day.
 */
function offsetOn(day: number, timezone: string): number | undefined {
  if (day < 0) return undefined;
  const known = offsetsOf(timezone);
  if (known.has(day)) return known.get(day);
  const [start, end] = [day, day + 1].map((at) => readWallSecond(at * DAY_MS, timezone) - at * DAY_SECONDS);
  if (known.size >= MOST_DAYS) known.clear();
  known.set(day, start === end ? start : undefined);
  return known.get(day);
}

function readWallSecond(ms: number, timezone: string): number {
  // Not Date.parse, which wants a year to have four digits.
  const [year = 0, month = 1, day = 1, ...time] = clockOf(timezone).format(ms).split(/\D+/).map(Number);
  const [hour = 0, minute = 0, second = 0] = time;
  // The year before the first is written as 1 again.
  const isYearZero = year === 1 && month === 12 && ms < EARLIEST_MS + DAY_MS;
  const midnight = new Date(0).setUTCFullYear(isYearZero ? 0 : year, month - 1, day) / 1000;
  return midnight + hour * 3600 + minute * 60 + second;
}

/** When the day of a kitchen begins. */
export const MORNING_HOUR = 6;

/** The day of a kitchen, by the clock on its wall, in days since 1970. */
export function businessDay(ms: number, timezone: string): number {
  return Math.floor((wallSecond(ms, timezone) - MORNING_HOUR * 3600) / DAY_SECONDS);
}

/** What the clock shows, as a `datetime-local` field has it: `2026-11-15T18:42`. */
export function toWall(ms: number, timezone: string): string {
  return new Date(wallSecond(ms, timezone) * 1000).toISOString().slice(0, 16);
}

/**
 * The moment at which the clock shows this. Of a time that comes twice it is the first, and a time that the clock skips is as
 * much later. NaN where the text is no time.
 */
export function fromWall(wall: string, timezone: string): number {
  const wanted = WALL.test(wall) ? Date.parse(`${wall.slice(0, 16)}:00Z`) : NaN;
  if (Number.isNaN(wanted)) return NaN;
  const before = wanted - offsetAt(wanted - DAY_MS, timezone);
  const after = wanted - offsetAt(wanted + DAY_MS, timezone);
  const isShownAt = (ms: number) => ms + offsetAt(ms, timezone) === wanted;
  return isShownAt(before) || !isShownAt(after) ? before : after;
}

/** The moment at which the day of this moment began: at midnight, or later where the clock skips midnight. */
export function startOfDay(ms: number, timezone: string): number {
  return fromWall(`${toWall(ms, timezone).slice(0, 10)}T00:00`, timezone);
}

function offsetAt(ms: number, timezone: string): number {
  return wallSecond(ms, timezone) * 1000 - Math.floor(ms / 1000) * 1000;
}
