/** Lengths of time; days of a calendar, which may have 23 or 25 hours, are in src/calendar. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_SECONDS = DAY_MS / 1000;

/**
 * Parses RFC 3339, and also a bare date, a space for `T`, and no offset (UTC).
 * A `+` that a query string turned into a space is accepted. Output uses `Date#toISOString`.
 */

const DATE = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const TIME = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?`;
const OFFSET = String.raw`([zZ]|[+\- ](\d{2}):?(\d{2}))?`;
const PATTERN = new RegExp(`^${DATE}(?:[Tt _]${TIME}${OFFSET})?$`);

export interface Instant {
  /** Whole milliseconds since 1970, rounded down. */
  readonly ms: number;
  /** The digits below a millisecond, without trailing zeros. */
  readonly cut: string;
}

export type ParsedDatetime =
  { readonly ok: true; readonly instant: Instant } | { readonly ok: false; readonly reason: string };

export function parseDatetime(text: string): ParsedDatetime {
  const match = PATTERN.exec(text);
  if (match === null) return refused(text.length < 10 ? 'input is too short' : 'invalid date or time format');
  const time = match.slice(1, 7).map((digits: string | undefined) => Number(digits ?? 0)) as Time;
  const [fraction = '', zone = 'Z', zoneHour, zoneMinute] = match.slice(7);
  const error = outOfRange(...time);
  if (error !== undefined) return refused(error);
  const offset = offsetMinutes(zone, zoneHour, zoneMinute);
  if (offset === undefined) return refused('timezone offset is out of range');
  const ms = utcMs(...time) + Number(fraction.slice(0, 3).padEnd(3, '0')) - offset * MINUTE_MS;
  if (ms < EARLIEST_MS || ms > LATEST_MS) return refused('year is outside 0001 to 9999');
  return { ok: true, instant: { ms, cut: fraction.slice(3).replace(/0+$/, '') } };
}

export function isAfter(a: Instant, b: Instant): boolean {
  return a.ms === b.ms ? a.cut > b.cut : a.ms > b.ms;
}

/** The first and last moment of the allowed years, 0001 to 9999. */
export const EARLIEST_MS = utcMs(1, 1, 1, 0, 0, 0);
export const LATEST_MS = utcMs(9999, 12, 31, 23, 59, 59) + 999;

function refused(reason: string): ParsedDatetime {
  return { ok: false, reason };
}

type Time = [year: number, month: number, day: number, hour: number, minute: number, second: number];

function outOfRange(...[year, month, day, hour, minute, second]: Time): string | undefined {
  if (year < 1) return 'year is outside 0001 to 9999';
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12';
  if (day < 1 || day > daysIn(year, month)) return 'day value is outside expected range';
  if (hour > 23) return 'hour value is outside expected range of 0-23';
  if (minute > 59) return 'minute value is outside expected range of 0-59';
  if (second > 59) return 'second value is outside expected range of 0-59';
  return undefined;
}

function daysIn(year: number, month: number): number {
  return new Date(utcMs(year, month + 1, 0, 0, 0, 0)).getUTCDate();
}

function offsetMinutes(zone: string, hours = '0', minutes = '0'): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const total = Number(hours) * 60 + Number(minutes);
  return zone.startsWith('-') ? -total : total;
}

/** `Date.UTC` reads years below 100 as 19xx. */
function utcMs(...[year, month, day, hour, minute, second]: Time): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime();
}
