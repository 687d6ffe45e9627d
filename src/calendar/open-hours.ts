import { LATEST_MS } from '../support/datetime.js';
import { wallSecond } from './wall-clock.js';
import type { Span, WeekHours } from './hours.js';

/**
 * When something is open by the clock on the store's wall. The clock alone decides, so an hour that a change to winter time
 * repeats is open twice and one that is skipped never is. A period belongs to the date it begins on: one that runs past
 * midnight is not cut by what holds on the day after.
 */

const DAY = 86_400;

/** `2026-12-25` as days since 1970; undefined for a date that does not exist. */
export function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? undefined : ms / 1000 / DAY;
}

/** The weekday of a date, 0 for Sunday. */
export const weekdayOf = (date: number) => (((date + 4) % 7) + 7) % 7;

/** The periods that begin on a date, which is given in days since 1970. */
export type HoursOfDate = (date: number) => readonly Span[];

/** The dates, in days since 1970, on which the menus of another weekday hold: its number, 0 for Sunday. */
export type MovedDays = Readonly<Record<number, number>>;

/** A moment, and by whose clock menus are open or closed then. */
export interface ZonedMoment {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly timezone: string;
  readonly moved?: MovedDays | undefined;
}

/** Tells of any hours whether they are open at the moment. */
export function openAt({ at, timezone, moved }: ZonedMoment): (hours: WeekHours) => boolean {
  const second = wallSecond(at, timezone);
  return (hours) => isOpenAt(datesOf(hours, moved), second);
}

function datesOf(hours: WeekHours, moved: MovedDays | undefined): HoursOfDate {
  return (date) => hours[moved?.[date] ?? weekdayOf(date)] ?? [];
}

/** Within a fortnight every hour of the week has come, also the one that a change to summer time skips. */
const MENU_OPENS_WITHIN_DAYS = 15;

/** The first moment from then on when one of the hours is open; undefined where that is never. */
export function nextOpening(
  hours: readonly WeekHours[],
  { at, timezone, moved }: ZonedMoment,
): number | undefined {
  const all = hours.map((one) => datesOf(one, moved));
  const opening = momentAfter(
    at,
    (second) => Math.min(...all.map((one) => secondsUntilOpen(one, second, MENU_OPENS_WITHIN_DAYS))),
    MENU_OPENS_WITHIN_DAYS,
    timezone,
  );
  return opening !== undefined && opening <= LATEST_MS ? opening : undefined;
}

/** The next moment at which the wall clock shows this second of the day; a day later where the clock skips it. */
export function nextLocalTime(secondOfDay: number, at: number, timezone: string): number {
  const everyDay: WeekHours = Array.from({ length: 7 }, () => [[secondOfDay, secondOfDay + 1]]);
  return nextOpening([everyDay], { at: at + 1000, timezone }) ?? at + DAY * 1000;
}

/** Whether the wall clock stands within a period when it shows this second. */
function isOpenAt(hoursOf: HoursOfDate, second: number): boolean {
  const today = Math.floor(second / DAY);
  return [today - 1, today].some((date) =>
    hoursOf(date).some(([start, end]) => date * DAY + start <= second && second < date * DAY + end),
  );
}

/** On a clock that nobody changes; 0 where it is open, Infinity where it does not open within the days. */
function secondsUntilOpen(hoursOf: HoursOfDate, second: number, days: number): number {
  if (isOpenAt(hoursOf, second)) return 0;
  const today = Math.floor(second / DAY);
  for (let date = today; date <= today + days; date += 1)
    for (const [start] of hoursOf(date)) if (date * DAY + start > second) return date * DAY + start - second;
  return Infinity;
}

/** Within this, hours that never close are open for good. */
const MENU_CLOSES_WITHIN_DAYS = 15;

/** The first moment from then on when none of the hours is open; undefined where that is not within two weeks. */
export function nextClosing(
  hours: readonly WeekHours[],
  { at, timezone, moved }: ZonedMoment,
): number | undefined {
  const all = hours.map((one) => datesOf(one, moved));
  const hoursOf = (date: number) => all.flatMap((one) => one(date)).sort(([one], [other]) => one - other);
  return momentAfter(at, (second) => secondsUntilClosed(hoursOf, second), MENU_CLOSES_WITHIN_DAYS, timezone);
}

/** On a clock that nobody changes; Infinity where it stays open for longer than the days. */
function secondsUntilClosed(hoursOf: HoursOfDate, second: number): number {
  const today = Math.floor(second / DAY);
  let until = second;
  for (let date = today - 1; date <= today + MENU_CLOSES_WITHIN_DAYS; date += 1) {
    if (date > today && date * DAY > until) break;
    for (const [start, end] of hoursOf(date)) {
      if (date * DAY + start > until) break;
      until = Math.max(until, date * DAY + end);
    }
  }
  return until - second > MENU_CLOSES_WITHIN_DAYS * DAY ? Infinity : until - second;
}

/**
 * The moment at which the clock has run on by the seconds that it is given for what it shows; undefined where that is not
 * within the days. Where the clock is changed in between, it is asked again from there on.
 */
function momentAfter(
  ms: number,
  secondsUntil: (second: number) => number,
  days: number,
  timezone: string,
): number | undefined {
  const wall = (at: number) => wallSecond(at, timezone);
  const end = ms + days * DAY * 1000;
  let now = Math.floor(ms / 1000) * 1000;
  while (now <= end) {
    const found = now + 1000 * secondsUntil(wall(now));
    const change = clockChange(now, Math.min(found, end), wall);
    if (change === undefined) return found <= end ? found : undefined;
    now = change;
  }
  return undefined;
}

/** How far the wall clock is ahead of UTC between two moments, in milliseconds throughout; a stretch for each offset. */
export function clockOffsets(
  from: number,
  to: number,
  timezone: string,
): { readonly from: number; readonly to: number; readonly offset: number }[] {
  const wall = (ms: number) => wallSecond(ms, timezone);
  const stretches = [];
  for (let start = from; start < to;) {
    const end = clockChange(start, to, wall) ?? to;
    stretches.push({ from: start, to: end, offset: wall(start) * 1000 - start });
    start = end;
  }
  return stretches;
}

/** The moment after `from`, and not after `to`, at which the clock is first set to another offset. */
function clockChange(from: number, to: number, wall: (ms: number) => number): number | undefined {
  const offset = (ms: number) => wall(ms) - Math.floor(ms / 1000);
  const before = offset(from);
  if (offset(to) === before) return undefined;
  let [same, other] = [from, to];
  while (other - same > 1000) {
    const middle = same + Math.floor((other - same) / 2000) * 1000;
    if (offset(middle) === before) same = middle;
    else other = middle;
  }
  return other;
}
