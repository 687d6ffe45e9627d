import type { IntakeSettings, IntakeSettingsPatch, SpecialDay } from '#sdk';
import { t } from '../../language/t.js';
import { formText } from '../../parts/form-text.js';
import { periodsOfDay, readPeriods, toPeriodsText, WEEKDAY_WORDS, WEEKDAYS } from '../../parts/week.js';

export const SLOT_MINUTES = [5, 10, 15, 20, 30, 60];

/** What the form says of hours, minutes and slots. Hours and special days that nobody touched stay as they are. */
export function readPace(
  data: FormData,
  specialDays: readonly SpecialDay[],
  settings: IntakeSettings,
): IntakeSettingsPatch {
  const number = (name: string) => (formText(data, name) === '' ? undefined : Number(formText(data, name)));
  const slot = number('slot_minutes');
  const hours = WEEKDAYS.map((day) => ({
    day_of_week: day,
    time_periods: readPeriods(formText(data, day)),
  }));
  const isTouched = hours.some(
    ({ day_of_week: day, time_periods: periods }) =>
      toPeriodsText(periods) !== toPeriodsText(periodsOfDay(settings.hours, day)),
  );
  return {
    ...(isTouched ? { hours: hours.filter(({ time_periods: periods }) => periods.length > 0) } : {}),
    ...(specialDays === settings.special_days ? {} : { special_days: [...specialDays] }),
    prep_minutes: number('prep_minutes') ?? settings.prep_minutes,
    capacity:
      slot === undefined
        ? null
        : {
            slot_minutes: slot as NonNullable<IntakeSettings['capacity']>['slot_minutes'],
            orders: number('slot_orders') ?? null,
            items: number('slot_items') ?? null,
            prep_minutes: number('slot_prep') ?? null,
          },
  };
}

export function describeSpecialDay({ closed, as, time_periods: periods, note }: SpecialDay): string {
  const what =
    closed === true
      ? t('closed')
      : typeof as === 'string'
        ? t('as on {day}', { day: WEEKDAY_WORDS[as] ?? as })
        : toPeriodsText(periods ?? []);
  return note === undefined || note === '' ? what : `${what} (${note})`;
}

export function describeSlots({ capacity }: IntakeSettings): string {
  if (capacity === undefined) return t('No limit');
  const { orders, items, prep_minutes: prep, slot_minutes: minutes } = capacity;
  const limits = [
    ...(orders === undefined ? [] : [t('{count} order | {count} orders', { count: orders })]),
    ...(items === undefined ? [] : [t('{count} item | {count} items', { count: items })]),
    ...(prep === undefined ? [] : [t('{count} minute of work | {count} minutes of work', { count: prep })]),
  ];
  return t('{limits} in {count} minute | {limits} in {count} minutes', {
    limits: limits.join(', '),
    count: minutes,
  });
}
