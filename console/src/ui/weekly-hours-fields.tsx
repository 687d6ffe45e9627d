import type { Availability } from '#sdk';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { InputField, formText } from './field.js';
import { t } from '../text/t.js';
import { periodsOfDay, WEEKDAYS, type Period } from '../text/hours.js';
import { Button } from './button.js';

/** What the days are called to people; to the service they are English. */
export const WEEKDAY_WORDS: Readonly<Record<string, string>> = {
  Monday: t('monday'),
  Tuesday: t('tuesday'),
  Wednesday: t('wednesday'),
  Thursday: t('thursday'),
  Friday: t('friday'),
  Saturday: t('saturday'),
  Sunday: t('sunday'),
};

/** `11:30-14:00, 18:00-23:00`, as it is written into a field. */
export function toPeriodsText(periods: readonly Period[]): string {
  return periods.map(({ start_time: start, end_time: end }) => `${start}-${end}`).join(', ');
}

/** What is no time is kept as it is, for whoever says what is wrong with it. */
export function readPeriods(text: string): Period[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [start = '', end = ''] = part.split(/\s*[-–]\s*/);
      return { start_time: toTime(start), end_time: toTime(end) };
    });
}

function toTime(text: string): string {
  return text.replace(/^(\d{1,2})$/, '$1:00').replace(/^\d:/, '0$&');
}

/** The days of `WeekFields` that have hours; undefined where every day reads as before. */
export function readWeek(data: FormData, before: readonly Availability[]): Availability[] | undefined {
  const week = WEEKDAYS.map((day) => ({ day_of_week: day, time_periods: readPeriods(formText(data, day)) }));
  const isSame = week.every(
    ({ day_of_week: day, time_periods: periods }) =>
      toPeriodsText(periods) === toPeriodsText(periodsOfDay(before, day)),
  );
  return isSame ? undefined : week.filter(({ time_periods: periods }) => periods.length > 0);
}

interface WeekFieldsProps {
  readonly hours: readonly Availability[];
  readonly hint: string;
}

/** The hours of a week, a field a day, named after it. */
export function WeekFields({ hours, hint }: WeekFieldsProps) {
  const week = useRef<HTMLFieldSetElement>(null);
  const copyMonday = () => {
    const [monday, ...others] = week.current?.querySelectorAll('input') ?? [];
    for (const field of others) {
      field.value = monday?.value ?? '';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  };
  return (
    <fieldset class="field" ref={week}>
      <legend>{t('hours_of_opening')}</legend>
      <div class="hint">{hint}</div>
      <div class="pair">
        {WEEKDAYS.map((day) => (
          <DayField key={day} day={day} hours={hours} />
        ))}
      </div>
      <div class="actions">
        <Button onClick={copyMonday}>{t('same_hours_for_all_days')}</Button>
      </div>
    </fieldset>
  );
}

/** A form with a wrong time is not sent: the field says it, and which day it is. */
function DayField({ day, hours }: { readonly day: string; readonly hours: readonly Availability[] }) {
  const error = useSignal<string | undefined>(undefined);
  const words = WEEKDAY_WORDS[day] ?? day;
  return (
    <InputField
      label={words}
      error={error.value}
      name={day}
      placeholder={hours.length > 0 ? t('closed') : ''}
      defaultValue={toPeriodsText(periodsOfDay(hours, day))}
      onInput={({ currentTarget: field }) => {
        error.value = wrongHours(words, field.value);
        field.setCustomValidity(error.value ?? '');
      }}
    />
  );
}

/** What is wrong with the hours that are typed for a day; undefined where nothing is. */
export function wrongHours(day: string, text: string): string | undefined {
  const isWrong = readPeriods(text).some(
    ({ start_time: start, end_time: end }) => !isTime(start) || !isTime(end) || start === end,
  );
  return isWrong ? t('day_has_wrong_hours', { day, found: text }) : undefined;
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$|^24:00(?::00)?$/.test(text);
}
