import { parseDay, spansOf, weekHours, type DayHours, type Span, type WeekHours } from './hours.js';
import {
  isOpenAt,
  momentAfter,
  parseDate,
  secondsUntilClosed,
  secondsUntilOpen,
  weekdayOf,
  type MovedDays,
} from './open-hours.js';
import { wallSecond } from './wall-clock.js';

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

/** The dates that take another weekday's menus; undefined where there are none. */
export function movedDays(specialDays: readonly SpecialDay[]): MovedDays | undefined {
  const moved = specialDays.flatMap(({ date, as }) =>
    as === undefined ? [] : [[parseDate(date), parseDay(as) ?? 0]],
  );
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

export function openHours({ hours, specialDays, timezone }: Calendar): OpenHours {
  const weekly = weekHours(hours);
  const special = new Map(specialDays.map((day) => [parseDate(day.date), spansOfSpecial(day, weekly)]));
  const hoursOf = (date: number) => special.get(date) ?? weekly[weekdayOf(date)] ?? [];
  const untilOpen = (second: number) => secondsUntilOpen(hoursOf, second, OPENS_WITHIN_DAYS);
  const untilClosed = (second: number) => secondsUntilClosed(hoursOf, second, CLOSES_WITHIN_DAYS);
  return {
    isOpen: (ms) => isOpenAt(hoursOf, wallSecond(ms, timezone)),
    nextOpen: (ms) => momentAfter(ms, untilOpen, OPENS_WITHIN_DAYS, timezone),
    nextClosed: (ms) => momentAfter(ms, untilClosed, CLOSES_WITHIN_DAYS, timezone),
    isSpecial: (ms) => special.has(Math.floor(wallSecond(ms, timezone) / DAY)),
  };
}

function spansOfSpecial(
  { closed, as, time_periods: periods }: SpecialDay,
  weekly: WeekHours,
): readonly Span[] {
  if (closed === true) return [];
  return as === undefined ? spansOf(periods ?? []) : (weekly[parseDay(as) ?? 0] ?? []);
}
