import { parseDay, spansOf, weekHours, type DayHours, type Span, type WeekHours } from './hours.js';
import { clockOffsets, parseDate, weekdayOf, type HoursOfDate, type MovedDays } from './open-hours.js';

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

/** Open time between two moments, in milliseconds since 1970, and how far the wall clock is ahead of UTC meanwhile. */
export interface OpenRun {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

export type OpenHours = ReturnType<typeof openHours>;

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
export function openHours({ hours, specialDays, timezone }: Calendar) {
  const weekly = weekHours(hours);
  const special = new Map(specialDays.map((day) => [parseDate(day.date), day]));
  const hoursOf = (date: number) => {
    const day = special.get(date);
    return day === undefined ? (weekly[weekdayOf(date)] ?? []) : spansOfSpecial(day, weekly);
  };
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
    /** The first moment from `ms` on that is open; undefined where there is none within 400 days. */
    nextOpen(ms: number) {
      for (let week = ms; week <= ms + OPENS_WITHIN_MS; week += WEEK_MS) {
        const run = weekAt(week).runs.find(({ to }) => ms < to);
        if (run !== undefined) return Math.max(run.from, ms);
      }
      return undefined;
    },
    /** The first moment from `ms` on that is closed; undefined where there is none within 8 days. */
    nextClosed(ms: number) {
      let end = ms;
      for (let run = runAt(end); run !== undefined; run = runAt(end)) {
        end = run.to;
        if (end - ms > CLOSES_WITHIN_MS) return undefined;
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
    /** The special day that it is on the wall clock. */
    specialDay: (ms: number) => special.get(Math.floor((ms + offsetAt(ms)) / 1000 / DAY)),
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

function spansOfSpecial(
  { closed, as, time_periods: periods }: SpecialDay,
  weekly: WeekHours,
): readonly Span[] {
  if (closed === true) return [];
  return as === undefined ? spansOf(periods ?? []) : (weekly[parseDay(as) ?? 0] ?? []);
}
