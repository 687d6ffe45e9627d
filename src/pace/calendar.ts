import { memoize } from '../support/memoize.js';
import { parseDay, spanOf, type DayHours, type MovedDays, type Span } from '../menus/hours.js';

/** A date with hours of its own: closed, as on another weekday, or within these periods. */
export interface SpecialDay {
  readonly date: string;
  readonly closed?: boolean;
  readonly as?: string;
  readonly time_periods?: DayHours['time_periods'];
}

/** When a store is open: its weekly hours, and the days that replace them. No weekly hours means always. */
export interface Calendar {
  readonly hours: readonly DayHours[];
  readonly specialDays: readonly SpecialDay[];
  readonly timezone: string;
}

const DAY = 86_400;
const ALL_DAY: readonly Span[] = [[0, DAY]];
const MOST_TIMEZONES = 200;

/** `2026-03-29 10:05:00`; making a formatter takes far longer than using it. */
const clockOf = memoize(
  MOST_TIMEZONES,
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);

/** What the store's clock shows, in seconds since 1970 on that clock. */
export function wallSecond(ms: number, timezone: string): number {
  // Not Date.parse, which wants a year to have four digits.
  const [year = 0, month = 1, day = 1, ...time] = clockOf(timezone).format(ms).split(/\D+/).map(Number);
  const [hour = 0, minute = 0, second = 0] = time;
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
  return midnight + hour * 3600 + minute * 60 + second;
}

/** `2026-12-25` as days since 1970; undefined for a date that does not exist. */
export function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? undefined : ms / 1000 / DAY;
}

/** The weekday of a date, 0 for Sunday. */
const weekdayOf = (date: number) => (((date + 4) % 7) + 7) % 7;

/** The dates that take another weekday's menus; undefined where there are none. */
export function movedDays(specialDays: readonly SpecialDay[]): MovedDays | undefined {
  const moved = specialDays.flatMap(({ date, as }) => (as === undefined ? [] : [[date, parseDay(as) ?? 0]]));
  return moved.length === 0 ? undefined : (Object.fromEntries(moved) as MovedDays);
}

export interface OpenHours {
  isOpen(ms: number): boolean;
  /** The first moment from `ms` on that is open; undefined where there is none within 400 days. */
  nextOpen(ms: number): number | undefined;
  /** The first moment after `ms` that is closed; undefined where there is none within 8 days. */
  nextClosed(ms: number): number | undefined;
  /** Whether a special day decides about the moment. */
  isSpecial(ms: number): boolean;
}

const OPENS_WITHIN_DAYS = 400;
const CLOSES_WITHIN_DAYS = 8;

/** A period belongs to the day it begins on, so one that runs past midnight is not cut by the day after. */
export function openHours({ hours, specialDays, timezone }: Calendar): OpenHours {
  const weekly = spansByWeekday(hours);
  const special = new Map(specialDays.map((day) => [parseDate(day.date), spansOfSpecial(day, weekly)]));
  const spansOf = (date: number) => special.get(date) ?? weekly[weekdayOf(date)] ?? [];
  const wall = (ms: number) => wallSecond(ms, timezone);

  /** The periods that may cover the second, or come after it within some days, in seconds since 1970. */
  function* spansFrom(second: number, days: number): Generator<Span> {
    const today = Math.floor(second / DAY);
    for (let date = today - 1; date <= today + days; date += 1)
      for (const [start, end] of spansOf(date)) yield [date * DAY + start, date * DAY + end];
  }
  const isOpenAt = (second: number) => {
    for (const [start, end] of spansFrom(second, 0)) if (start <= second && second < end) return true;
    return false;
  };
  const secondsUntilOpen = (second: number) => {
    if (isOpenAt(second)) return 0;
    for (const [start] of spansFrom(second, OPENS_WITHIN_DAYS)) if (start > second) return start - second;
    return Infinity;
  };
  const secondsUntilClosed = (second: number) => {
    let until = second;
    for (const [start, end] of spansFrom(second, CLOSES_WITHIN_DAYS)) {
      if (start > until) break;
      until = Math.max(until, end);
    }
    return until - second > CLOSES_WITHIN_DAYS * DAY ? Infinity : until - second;
  };
  return {
    isOpen: (ms) => isOpenAt(wall(ms)),
    nextOpen: (ms) => momentAfter(ms, secondsUntilOpen, OPENS_WITHIN_DAYS, wall),
    nextClosed: (ms) => momentAfter(ms, secondsUntilClosed, CLOSES_WITHIN_DAYS, wall),
    isSpecial: (ms) => special.has(Math.floor(wall(ms) / DAY)),
  };
}

/**
 * The moment at which the clock has run on by the seconds that it is given for what it shows. Where the clock is changed in
 * between, it is asked again from there on.
 */
function momentAfter(
  ms: number,
  secondsUntil: (second: number) => number,
  days: number,
  wall: (ms: number) => number,
): number | undefined {
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

function spansByWeekday(hours: readonly DayHours[]): readonly (readonly Span[])[] {
  return [0, 1, 2, 3, 4, 5, 6].map((weekday) =>
    hours.length === 0
      ? ALL_DAY
      : sorted(
          hours
            .filter(({ day_of_week: name }) => parseDay(name) === weekday)
            .flatMap(({ time_periods: periods }) => periods),
        ),
  );
}

function spansOfSpecial(
  { closed, as, time_periods: periods }: SpecialDay,
  weekly: readonly (readonly Span[])[],
): readonly Span[] {
  if (closed === true) return [];
  return as === undefined ? sorted(periods ?? []) : (weekly[parseDay(as) ?? 0] ?? []);
}

function sorted(periods: DayHours['time_periods']): readonly Span[] {
  return periods
    .map(spanOf)
    .filter((span) => span !== undefined)
    .sort(([one], [other]) => one - other);
}
