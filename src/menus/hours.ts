import Type, { type Static } from 'typebox';
import { LATEST_MS } from '../support/datetime.js';
import { memoize } from '../support/memoize.js';
import { reportValueError } from '../support/faults.js';
import { withRule } from '../support/shape/compile-shape.js';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?|24:00(?::00)?)$/;
const DAY_SECONDS = 86_400;
const LAST_MINUTE = DAY_SECONDS - 60;
const WEEK_SECONDS = 7 * DAY_SECONDS;

/** Seconds since midnight of `HH:MM` or `HH:MM:SS`, 00:00 to 24:00. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, hour, minute = '0', second = '0'] = match;
  return hour === undefined ? DAY_SECONDS : Number(hour) * 3600 + Number(minute) * 60 + Number(second);
}

export function parseDay(name: string): number | undefined {
  const day = DAYS.findIndex((known) => known === name.toLowerCase());
  return day === -1 ? undefined : day;
}

const TimeOfDay = (example: string) =>
  withRule(
    Type.String({ examples: [example], description: 'HH:MM or HH:MM:SS, 00:00 to 24:00' }),
    (time, visit) => {
      if (parseTime(time) === undefined)
        reportValueError(visit, 'time should be HH:MM or HH:MM:SS, from 00:00 to 24:00', time);
    },
  );

export const TimePeriodsRequest = Type.Object(
  { start_time: TimeOfDay('09:30'), end_time: TimeOfDay('17:30') },
  { $id: 'TimePeriodsRequest' },
);
export type Period = Static<typeof TimePeriodsRequest>;

export const DayOfWeek = withRule(Type.String({ examples: ['Monday'] }), (name, visit) => {
  if (parseDay(name) === undefined)
    reportValueError(visit, 'day_of_week should be a full English day name, such as Monday', name);
});

export const Availability = Type.Object(
  { day_of_week: DayOfWeek, time_periods: Type.Array(TimePeriodsRequest) },
  { $id: 'Availability' },
);
export type DayHours = Static<typeof Availability>;

/**
 * The open hours of a week as seconds since Sunday's midnight: start, end, start, end and so on, in order and apart.
 * No hours at all means always; a day that is not listed is closed, and no seconds at all means never.
 */
export type WeekHours = 'always' | Uint32Array<ArrayBuffer>;

export function weekHours(availability: readonly DayHours[]): WeekHours {
  if (availability.length === 0) return 'always';
  const spans: Span[] = [];
  for (const { day_of_week, time_periods } of availability) {
    const day = parseDay(day_of_week);
    if (day === undefined) continue;
    for (const period of time_periods) addSpans(period, day * DAY_SECONDS, spans);
  }
  return Uint32Array.from(united(spans).flat());
}

/** In seconds; an end is exclusive. */
export type Span = [start: number, end: number];

/** Seconds since midnight; an end above a day's seconds runs past midnight. */
export function spanOf(period: Period): Span | undefined {
  const start = parseTime(period.start_time);
  const end = parseTime(period.end_time);
  return start === undefined || end === undefined || start === end ? undefined : [start, endOf(start, end)];
}

/** A period that runs past the end of the week continues at its beginning. */
function addSpans(period: Period, midnight: number, spans: Span[]): void {
  const span = spanOf(period);
  if (span === undefined) return;
  const [from, to] = [midnight + span[0], midnight + span[1]];
  if (from < WEEK_SECONDS) spans.push([from, Math.min(to, WEEK_SECONDS)]);
  if (to > WEEK_SECONDS) spans.push([Math.max(0, from - WEEK_SECONDS), to - WEEK_SECONDS]);
}

function endOf(start: number, end: number): number {
  if (end < start) return end + DAY_SECONDS;
  // 23:59 is how many systems write the end of the day.
  return end === LAST_MINUTE ? DAY_SECONDS : end;
}

function united(spans: Span[]): Span[] {
  const apart: Span[] = [];
  for (const [start, end] of spans.sort(([one], [other]) => one - other)) {
    const last = apart.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return apart;
}

/** What the clock on the store's wall shows. */
export interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number;
  readonly second: number;
}

/**
 * Whether the wall clock stands within the hours. The clock alone decides, so an hour that a change to winter time
 * repeats is open twice and one that is skipped never is.
 */
export function isOpen(availability: readonly DayHours[], now: LocalTime): boolean {
  return isWithin(weekHours(availability), weekSecond(now));
}

export function isWithin(hours: WeekHours, second: number): boolean {
  return hours === 'always' || countUpTo(hours, second) % 2 === 1;
}

/** Seconds until the hours begin, on a clock that nobody changes; 0 where they have, Infinity where they never do. */
function secondsUntil(hours: WeekHours, second: number): number {
  if (isWithin(hours, second)) return 0;
  const next = hours[countUpTo(hours as Uint32Array, second)];
  if (next !== undefined) return (next as number) - second;
  const first = hours[0];
  return first === undefined ? Infinity : (first as number) + WEEK_SECONDS - second;
}

/** How many of the sorted numbers are not above this one. */
function countUpTo(sorted: Uint32Array, number: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function weekSecond({ day, second }: LocalTime): number {
  return day * DAY_SECONDS + second;
}

/** A moment, and by whose clock menus are open or closed then. */
export interface ZonedMoment {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly timezone: string;
  readonly moved?: MovedDays | undefined;
}

const MOST_TIMEZONES = 200;

/** Making a formatter takes far longer than using it. */
const clockOf = memoize(
  MOST_TIMEZONES,
  (timezone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
);

/** `Monday 09:05:00`; taking the text apart is faster than being given its parts. */
const CLOCK = /^(\w+)\W+(\S+)$/;

/** Dates of the store, such as `2026-12-25`, on which the menus of another weekday hold: its number, 0 for Sunday. */
export type MovedDays = Readonly<Record<string, number>>;

/** What the clock of the store shows; a date that is moved counts, from midnight to midnight, as the other weekday. */
export function localTime(at: Date, timezone: string, moved?: MovedDays): LocalTime {
  const [, weekday = '', time = ''] = CLOCK.exec(clockOf(timezone).format(at)) ?? [];
  const day = moved?.[dateOf(timezone).format(at)] ?? parseDay(weekday) ?? 0;
  return { day, second: parseTime(time) ?? 0 };
}

/** `2026-12-25` */
const dateOf = memoize(
  MOST_TIMEZONES,
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }),
);

/** Within a fortnight every hour of the week has come, also the one that a change to summer time skips. */
const LOOK_AHEAD_MS = 15 * 86_400_000;

/** The first moment from `at` on when one of the hours is open on the wall clock; undefined where that is never. */
export function nextOpening(
  hours: readonly WeekHours[],
  at: number,
  timezone: string,
  moved?: MovedDays,
): number | undefined {
  const end = Math.min(at + LOOK_AHEAD_MS, LATEST_MS);
  let now = Math.floor(at / 1000) * 1000;
  while (now <= end) {
    const local = localTime(new Date(now), timezone, moved);
    const opening = now + 1000 * Math.min(...hours.map((one) => secondsUntil(one, weekSecond(local))));
    // The day after need not be the next weekday.
    const midnight = moved === undefined ? Infinity : now + 1000 * (DAY_SECONDS - local.second);
    const change = clockChange(now, Math.min(opening, midnight, end), timezone);
    if (change === undefined && opening <= midnight) return opening <= end ? opening : undefined;
    now = change ?? midnight;
  }
  return undefined;
}

/** The next moment at which the wall clock shows this second of the day; a day later where the clock skips it. */
export function nextLocalTime(secondOfDay: number, at: number, timezone: string): number {
  const everyDay = DAYS.flatMap((_, day) => {
    const second = day * DAY_SECONDS + secondOfDay;
    return [second, second + 1];
  });
  return nextOpening([Uint32Array.from(everyDay)], at + 1000, timezone) ?? at + DAY_SECONDS * 1000;
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
