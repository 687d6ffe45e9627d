import { parseDay, spansOf, weekHours, type DayHours, type Span, type WeekHours } from './hours.js';
import { openTimes, parseDate, weekdayOf, type MovedDays } from './open-hours.js';

/** A date with hours of its own: closed, as on another weekday, or within these periods. */
export interface SpecialDay {
  readonly date: string;
  readonly closed?: boolean;
  readonly as?: string;
  readonly time_periods?: DayHours['time_periods'];
  readonly note?: string;
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

export type OpenHours = ReturnType<typeof openHours>;

export function openHours({ hours, specialDays, timezone }: Calendar) {
  const weekly = weekHours(hours);
  const special = new Map(specialDays.map((day) => [parseDate(day.date), day]));
  const times = openTimes((date) => {
    const day = special.get(date);
    return day === undefined ? (weekly[weekdayOf(date)] ?? []) : spansOfSpecial(day, weekly);
  }, timezone);
  return {
    ...times,
    /** The special day that it is on the wall clock. */
    specialDay: (ms: number) => special.get(Math.floor((ms + times.offsetAt(ms)) / 1000 / DAY)),
  };
}

function spansOfSpecial(
  { closed, as, time_periods: periods }: SpecialDay,
  weekly: WeekHours,
): readonly Span[] {
  if (closed === true) return [];
  return as === undefined ? spansOf(periods ?? []) : (weekly[parseDay(as) ?? 0] ?? []);
}
