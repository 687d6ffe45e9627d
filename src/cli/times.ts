import { InvalidArgumentError } from 'commander';
import { memoize } from '../domain/memoize.js';

/** `2026-11-15 14:03`, in the store's timezone. */
export function toLocalTime(datetime: string, timezone = 'UTC'): string {
  const { date, time } = inZone(Date.parse(datetime), timezone);
  return `${date} ${time.slice(0, 5)}`;
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** What people write for a moment: a date-time, `90m`, `24h` or `7d` ago, `today` or `yesterday` in the store's timezone. */
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
      `${text} is no moment: write a date-time, 90m, 24h, 7d, today or yesterday.`,
    );
  return text;
}

/** Making one takes far more time and memory than using it, and a list has a row for each order. */
const clockOf = memoize(
  100,
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);

function inZone(moment: number, timezone: string): { date: string; time: string } {
  const [date = '', time = ''] = clockOf(timezone).format(moment).split(' ');
  return { date, time };
}

/** Midnight there: guessed as if it were UTC, then moved by what the clock there shows; twice, for a change of hour in between. */
function startOfDay(date: string, timezone: string): string {
  const wanted = Date.parse(`${date}T00:00:00Z`);
  let moment = wanted;
  for (let round = 0; round < 2; round += 1) {
    const shown = inZone(moment, timezone);
    moment += wanted - Date.parse(`${shown.date}T${shown.time}Z`);
  }
  return new Date(moment).toISOString();
}
