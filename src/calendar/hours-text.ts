import { parseTime, type DayHours, type Period } from './hours.js';

/** In the order in which people write a week. */
const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const shortOf = (day: string) => day.slice(0, 3);

/** `Mon-Fri 07:00-11:30, 18:00-22:00; Sat closed`; `always` for no hours at all. */
export function formatHours(availability: readonly DayHours[]): string {
  if (availability.length === 0) return 'always';
  const spans: { from: string; to: string; times: string }[] = [];
  for (const { day_of_week: day, time_periods: periods } of availability) {
    const times = formatPeriods(periods);
    const last = spans.at(-1);
    const [before, now] = [WEEK.indexOf(last?.to ?? ''), WEEK.indexOf(day)];
    if (last?.times === times && before !== -1 && now === before + 1) last.to = day;
    else spans.push({ from: day, to: day, times });
  }
  return spans
    .map(({ from, to, times }) => `${nameOf(from)}${from === to ? '' : `-${nameOf(to)}`} ${times}`)
    .join('; ');
}

/** A day that is spelled in another way is written as it is, so that it is read as it was. */
function nameOf(day: string): string {
  return WEEK.includes(day) ? shortOf(day) : day;
}

function formatPeriods(periods: readonly Period[]): string {
  if (periods.length === 0) return 'closed';
  return periods.map(({ start_time: start, end_time: end }) => `${start}-${end}`).join(', ');
}

/** The hours, or the part of the text that makes no sense. */
export function parseHours(text: string): DayHours[] | string {
  if (/^\s*always\s*$/i.test(text)) return [];
  const days: DayHours[] = [];
  for (const part of text.split(';').map((one) => one.trim())) {
    if (part === '') continue;
    const [, from = '', to = from, times = ''] =
      /^([a-z]+)\.?(?:\s*[-–]\s*([a-z]+)\.?)?[\s:]+(.+)$/is.exec(part) ?? [];
    const named = daysBetween(from, to);
    const periods = /^closed$/i.test(times) ? [] : times.split(',').map(parsePeriod);
    if (named === undefined || periods.includes(undefined)) return part;
    for (const day_of_week of named)
      days.push({ day_of_week, time_periods: periods.filter((one) => one !== undefined) });
  }
  return days.length === 0 ? text.trim() : days;
}

function daysBetween(from: string, to: string): string[] | undefined {
  const [first, last] = [from, to].map(weekdayOf);
  if (first === undefined || last === undefined) return undefined;
  // A full name keeps its spelling.
  if (from === to) return [from.length > 3 ? from : (WEEK[first] ?? from)];
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, i) => WEEK[(first + i) % 7] ?? '');
}

function weekdayOf(name: string): number | undefined {
  const lower = name.toLowerCase();
  const day = WEEK.map((one) => one.toLowerCase()).findIndex(
    (one) => one === lower || shortOf(one) === lower,
  );
  return day === -1 ? undefined : day;
}

function parsePeriod(text: string): Period | undefined {
  const [, start, end] = /^\s*([\d:]+)\s*[-–]\s*([\d:]+)\s*$/.exec(text) ?? [];
  const [start_time, end_time] = [start, end].map((time) => time?.replace(/^\d:/, '0$&'));
  if (start_time === undefined || end_time === undefined) return undefined;
  if (parseTime(start_time) === undefined || parseTime(end_time) === undefined) return undefined;
  return { start_time, end_time };
}
