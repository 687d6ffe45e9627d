import type { IntakeSettings, IntakeSettingsPatch, SpecialDay } from '#sdk';
import { toList } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { formText } from '../../../text/form-text.js';
import {
  periodsOfDay,
  readPeriods,
  toPeriodsText,
  WEEKDAY_WORDS,
  WEEKDAYS,
} from '../../../ui/weekly-hours-fields.js';

export const SLOT_MINUTES = [5, 10, 15, 20, 30, 60];

/** What the form says of hours, minutes and slots. What nobody touched is left out: someone else may have set it since. */
export function readPace(data: FormData, settings: IntakeSettings): IntakeSettingsPatch {
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
  const minutes = number('prep_minutes') ?? settings.prep_minutes;
  const days = number('ahead_days') ?? settings.ahead_days;
  const capacity =
    slot === undefined
      ? null
      : {
          slot_minutes: slot as NonNullable<IntakeSettings['capacity']>['slot_minutes'],
          orders: number('slot_orders') ?? null,
          items: number('slot_items') ?? null,
          prep_minutes: number('slot_prep') ?? null,
        };
  return {
    ...(isTouched ? { hours: hours.filter(({ time_periods: periods }) => periods.length > 0) } : {}),
    ...(minutes === settings.prep_minutes ? {} : { prep_minutes: minutes }),
    ...(days === settings.ahead_days ? {} : { ahead_days: days }),
    ...(isSameCapacity(capacity, settings.capacity) ? {} : { capacity }),
  };
}

function isSameCapacity(
  one: IntakeSettingsPatch['capacity'],
  other: IntakeSettingsPatch['capacity'],
): boolean {
  const fields = ['slot_minutes', 'orders', 'items', 'prep_minutes'] as const;
  return fields.every((field) => (one?.[field] ?? null) === (other?.[field] ?? null));
}

/** Does to the newest list what was done to the one that the form began with; undefined if nothing was. */
export function redoSpecialDays(
  before: readonly SpecialDay[],
  after: readonly SpecialDay[],
): ((newest: readonly SpecialDay[]) => SpecialDay[]) | undefined {
  const notIn = (days: readonly SpecialDay[]) => {
    const texts = new Set(days.map((day) => JSON.stringify(day)));
    return (day: SpecialDay) => !texts.has(JSON.stringify(day));
  };
  const added = after.filter(notIn(before));
  const touched = new Set([...added, ...before.filter(notIn(after))].map(({ date }) => date));
  if (touched.size === 0) return undefined;
  return (newest) =>
    [...newest.filter(({ date }) => !touched.has(date)), ...added].sort((one, other) =>
      one.date.localeCompare(other.date),
    );
}

export function describeSpecialDay({ closed, as, time_periods: periods, note }: SpecialDay): string {
  const what =
    closed === true
      ? t('closed_inline')
      : typeof as === 'string'
        ? t('as_on_day', { day: WEEKDAY_WORDS[as] ?? as })
        : toPeriodsText(periods ?? []);
  return note === undefined || note === '' ? what : `${what} (${note})`;
}

export function describeSlots({ capacity }: IntakeSettings): string {
  if (capacity === undefined) return t('no_limit');
  const { orders, items, prep_minutes: prep, slot_minutes: minutes } = capacity;
  const limits = [
    ...(orders === undefined ? [] : [t('count_orders', { count: orders })]),
    ...(items === undefined ? [] : [t('count_items', { count: items })]),
    ...(prep === undefined ? [] : [t('count_minutes_of_work', { count: prep })]),
  ];
  return t('limits_in_count_minutes', {
    limits: toList(limits),
    count: minutes,
  });
}
