import { LATEST_MS } from '../datetime.js';
import { localTime, secondsUntil, WEEK_SECONDS, weekSecond, type WeekHours } from './hours.js';

/** Within a fortnight every hour of the week has come, also the one that a change to summer time skips. */
const LOOK_AHEAD_MS = 15 * 86_400_000;

/** The first moment from `at` on when one of the hours is open on the wall clock; undefined where that is never. */
export function nextOpening(hours: readonly WeekHours[], at: number, timezone: string): number | undefined {
  const end = Math.min(at + LOOK_AHEAD_MS, LATEST_MS);
  let now = Math.floor(at / 1000) * 1000;
  while (now <= end) {
    const wall = wallSecond(now, timezone);
    const opening = now + 1000 * Math.min(...hours.map((one) => secondsUntil(one, wall)));
    const change = clockChange(now, Math.min(opening, end), timezone);
    if (change === undefined) return opening <= end ? opening : undefined;
    now = change;
  }
  return undefined;
}

function wallSecond(ms: number, timezone: string): number {
  return weekSecond(localTime(new Date(ms), timezone));
}

/** The moment after `from`, and not after `to`, at which the clock is first set to another offset. */
function clockChange(from: number, to: number, timezone: string): number | undefined {
  const before = offset(from, timezone);
  if (offset(to, timezone) === before) return undefined;
  let [same, other] = [from, to];
  while (other - same > 1000) {
    const middle = same + Math.floor((other - same) / 2000) * 1000;
    if (offset(middle, timezone) === before) same = middle;
    else other = middle;
  }
  return other;
}

/** How far the wall clock is ahead of UTC, in seconds of the week. */
function offset(ms: number, timezone: string): number {
  const ahead = wallSecond(ms, timezone) - wallSecond(ms, 'UTC');
  return (((ahead % WEEK_SECONDS) + WEEK_SECONDS * 1.5) % WEEK_SECONDS) - WEEK_SECONDS / 2;
}
