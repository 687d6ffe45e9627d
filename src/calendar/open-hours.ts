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
const MENU_LOOKS_AHEAD_MS = 15 * DAY * 1000;

/** The first moment from then on when one of the hours is open; undefined where that is never. */
export function nextOpening(hours: readonly WeekHours[], moment: ZonedMoment): number | undefined {
  const opening = openTimesOf(hours, moment).nextOpen(wholeSecond(moment.at), 3 * WEEK_MS);
  const end = Math.min(moment.at + MENU_LOOKS_AHEAD_MS, LATEST_MS);
  return opening !== undefined && opening <= end ? opening : undefined;
}

/** The first moment from then on when none of the hours is open; undefined where that is not within two weeks. */
export function nextClosing(hours: readonly WeekHours[], moment: ZonedMoment): number | undefined {
  return openTimesOf(hours, moment).nextClosed(wholeSecond(moment.at), MENU_LOOKS_AHEAD_MS);
}

const wholeSecond = (ms: number) => Math.floor(ms / 1000) * 1000;

/** When any of the hours is open. */
function openTimesOf(hours: readonly WeekHours[], { timezone, moved }: ZonedMoment) {
  const all = hours.map((one) => datesOf(one, moved));
  return openTimes((date) => all.flatMap((one) => one(date)), timezone);
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

/** Open time between two moments, in milliseconds since 1970, and how far the wall clock is ahead of UTC meanwhile. */
export interface OpenRun {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

const OPENS_WITHIN_MS = 400 * DAY * 1000;
const CLOSES_WITHIN_MS = 8 * DAY * 1000;
const WEEK_MS = 7 * DAY * 1000;
/** How much of the calendar is kept: a year of weeks, or their runs, each of which takes a hundred bytes. */
const MOST_WEEKS = 64;
const MOST_RUNS = 2_000;

/** A week's offsets and what is open in it, worked out once. */
interface Week {
  readonly offsets: readonly OpenRun[];
  readonly runs: readonly OpenRun[];
}

/** Works out each week when it is first asked for; after that an answer takes a look at its runs. */
export function openTimes(hoursOf: HoursOfDate, timezone: string) {
  const weeks = new Map<number, Week>();
  let runCount = 0;
  const weekAt = (ms: number): Week => {
    const number = Math.floor(ms / WEEK_MS);
    const known = weeks.get(number);
    if (known !== undefined) return known;
    const offsets = clockOffsets(number * WEEK_MS, (number + 1) * WEEK_MS, timezone);
    const week = { offsets, runs: offsets.flatMap((stretch) => openIn(stretch, hoursOf)) };
    runCount += week.runs.length;
    if (weeks.size === MOST_WEEKS || runCount > MOST_RUNS) {
      weeks.clear();
      runCount = week.runs.length;
    }
    weeks.set(number, week);
    return week;
  };
  const runAt = (ms: number) => weekAt(ms).runs.find(({ from, to }) => from <= ms && ms < to);
  /** How far the wall clock is ahead of UTC, in milliseconds. */
  const offsetAt = (ms: number) => weekAt(ms).offsets.find(({ to }) => ms < to)?.offset ?? 0;
  return {
    isOpen: (ms: number) => runAt(ms) !== undefined,
    /** The first moment from `ms` on that is open; undefined where there is none within 400 days, or the time that is given. */
    nextOpen(ms: number, withinMs = OPENS_WITHIN_MS) {
      for (let week = ms; week <= ms + withinMs; week += WEEK_MS) {
        const run = weekAt(week).runs.find(({ to }) => ms < to);
        if (run !== undefined) return Math.max(run.from, ms);
      }
      return undefined;
    },
    /** The first moment from `ms` on that is closed; undefined where there is none within 8 days, or the time that is given. */
    nextClosed(ms: number, withinMs = CLOSES_WITHIN_MS) {
      let end = ms;
      for (let run = runAt(end); run !== undefined; run = runAt(end)) {
        end = run.to;
        if (end - ms > withinMs) return undefined;
      }
      return end;
    },
    /** What is open between the two, in order. A run ends where the clock is changed. */
    runs(from: number, to: number) {
      const found: OpenRun[] = [];
      for (let week = Math.floor(from / WEEK_MS) * WEEK_MS; week < to; week += WEEK_MS)
        for (const run of weekAt(week).runs) {
          const cut = { ...run, from: Math.max(run.from, from), to: Math.min(run.to, to) };
          const last = found.at(-1);
          if (cut.from >= cut.to) continue;
          if (last?.to === cut.from && last.offset === cut.offset)
            found[found.length - 1] = { ...last, to: cut.to };
          else found.push(cut);
        }
      return found;
    },
    offsetAt,
  };
}

/** What is open within a stretch in which nobody changes the clock. */
function openIn({ from, to, offset }: OpenRun, hoursOf: HoursOfDate): OpenRun[] {
  const [first, last] = [(from + offset) / 1000, (to + offset) / 1000];
  const spans: Span[] = [];
  // A period of the day before may run past midnight.
  for (let date = Math.floor(first / DAY) - 1; date * DAY < last; date += 1)
    for (const [start, end] of hoursOf(date)) spans.push([date * DAY + start, date * DAY + end]);
  spans.sort(([one], [other]) => one - other);
  const runs: OpenRun[] = [];
  let open = first;
  let close = first;
  const add = () => {
    if (open < close) runs.push({ from: open * 1000 - offset, to: close * 1000 - offset, offset });
  };
  for (const [start, end] of spans) {
    if (start > close) {
      add();
      open = start;
    }
    close = Math.min(Math.max(close, end), last);
  }
  add();
  return runs;
}

/** How far the wall clock is ahead of UTC between two moments, in milliseconds throughout; a stretch for each offset. */
function clockOffsets(from: number, to: number, timezone: string): OpenRun[] {
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
