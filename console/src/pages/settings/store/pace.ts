import type { IntakeSettings, IntakeSettingsPatch, SpecialDay } from '#sdk';
import { toList } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { formNumber } from '../../../ui/field.js';
import { readWeek, toPeriodsText, WEEKDAY_WORDS } from '../../../ui/weekly-hours-fields.js';

export const SLOT_MINUTES = [5, 10, 15, 20, 30, 60];
export const SLOT_LIMITS = [
  { name: 'slot_orders', label: t('most_orders_a_slot'), of: 'orders' },
  { name: 'slot_items', label: t('most_items_a_slot'), of: 'items' },
  { name: 'slot_prep', label: t('most_minutes_of_work_a_slot'), of: 'prep_minutes' },
] as const;

/** What the form says of hours, minutes and slots. What nobody touched is left out: someone else may have set it since. */
export function readPace(data: FormData, settings: IntakeSettings): IntakeSettingsPatch {
  const slot = formNumber(data, 'slot_minutes');
  const hours = readWeek(data, settings.hours);
  const minutes = formNumber(data, 'prep_minutes') ?? settings.prep_minutes;
  const days = formNumber(data, 'ahead_days') ?? settings.ahead_days;
  const capacity =
    slot === undefined
      ? null
      : {
          slot_minutes: slot as NonNullable<IntakeSettings['capacity']>['slot_minutes'],
          orders: formNumber(data, 'slot_orders') ?? null,
          items: formNumber(data, 'slot_items') ?? null,
          prep_minutes: formNumber(data, 'slot_prep') ?? null,
        };
  return {
    ...(hours === undefined ? {} : { hours }),
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
