import type { Availability } from '#sdk';
import { toList } from './format.js';
import { t } from './t.js';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const SHORT = [t('mon'), t('tue'), t('wed'), t('thu'), t('fri'), t('sat'), t('sun')];

/** Serving hours as a sign on the door has them: `Mon to Fri 07:00–11:30, Sat and Sun 08:00–13:00`. */
export function describeHours(availability: readonly Availability[]): string {
  if (availability.length === 0) return t('always');
  const byDay = WEEKDAYS.map((day) => hoursOf(availability, day));
  const runs: { first: number; last: number; hours: string }[] = [];
  for (const [day, hours] of byDay.entries()) {
    const run = runs.at(-1);
    if (run?.hours === hours) run.last = day;
    else runs.push({ first: day, last: day, hours });
  }
  const open = runs.filter(({ hours }) => hours !== '');
  if (open.length === 0) return t('never');
  return toList(open.map(({ first, last, hours }) => `${describeDays(first, last)} ${hours}`));
}

export type Period = Availability['time_periods'][number];

export function periodsOfDay(hours: readonly Availability[], day: string): Period[] {
  return hours
    .filter(({ day_of_week: named }) => named.toLowerCase() === day.toLowerCase())
    .flatMap(({ time_periods: periods }) => periods);
}

function hoursOf(availability: readonly Availability[], day: string): string {
  return periodsOfDay(availability, day)
    .map(({ start_time: start, end_time: end }) => `${start}–${end}`)
    .sort()
    .join(` ${t('and')} `);
}

function describeDays(first: number, last: number): string {
  if (last - first === 6) return t('daily');
  if (first === last) return SHORT[first] ?? '';
  const days = { first: SHORT[first] ?? '', last: SHORT[last] ?? '' };
  return last - first === 1 ? t('first_and_last', days) : t('first_to_last', days);
}
