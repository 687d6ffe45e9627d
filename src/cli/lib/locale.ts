import { InvalidArgumentError } from 'commander';
import { fromWall, startOfDay, toWall } from '../../calendar/wall-clock.js';

/** `2026-11-15 14:03`, in the store's timezone. */
export function toLocalTime(datetime: string, timezone = 'UTC'): string {
  return toWall(Date.parse(datetime), timezone).replace('T', ' ');
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Such as `90m`, `24h` or `7d`, in milliseconds. */
function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS];
}

export function toDuration(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('Expected a time such as 30m, 2h or 1d.');
  return ms;
}

/** Parses a date-time, `90m`, `24h` or `7d` (ago), or `today` or `yesterday` in the store's timezone. */
export function toMoment(text: string, timezone = 'UTC', now = Date.now()): string {
  const ago = readDuration(text);
  if (ago !== undefined) return new Date(now - ago).toISOString();
  const today = startOfDay(now, timezone);
  if (text === 'today') return new Date(today).toISOString();
  if (text === 'yesterday') return new Date(startOfDay(today - UNITS.h, timezone)).toISOString();
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(fromWall(`${text}T00:00`, timezone)).toISOString();
  if (Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError(
      `Invalid time: ${text}. Use a date-time, 90m, 24h, 7d, today or yesterday.`,
    );
  return text;
}

const WALL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})$/;

/**
 * `2027-01-01 05:00` on the clock of the timezone; a date-time with an offset is taken as it is. Of an hour that comes twice
 * it is the first, and a time that the clock skips is as much later.
 */
export function toWallMoment(text: string, timezone = 'UTC'): string {
  const [whole, date = '', time = ''] = WALL_TIME.exec(text) ?? [];
  const moment = fromWall(`${date}T${time}`, timezone);
  if (whole !== undefined && !Number.isNaN(moment)) return new Date(moment).toISOString();
  if (/T.*\d(Z|[+-]\d{2}:\d{2})$/i.test(text) && !Number.isNaN(Date.parse(text)))
    return new Date(text).toISOString();
  throw new InvalidArgumentError(
    `Invalid time: ${text}. Use '2027-01-01 05:00', on the clock of the store, or a date-time with an offset.`,
  );
}
