import type { Availability } from '#sdk';
import { t } from '../text/t.js';
import { Field } from './field.js';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

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

type Period = Availability['time_periods'][number];

/** `11:30-14:00, 18:00-23:00`, as it is written into a field. */
export function toPeriodsText(periods: readonly Period[]): string {
  return periods.map(({ start_time: start, end_time: end }) => `${start}-${end}`).join(', ');
}

/** What is no time is sent as it is: the service says what is wrong with it. */
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

export function periodsOfDay(hours: readonly Availability[], day: string): Period[] {
  return hours
    .filter(({ day_of_week: named }) => named.toLowerCase() === day.toLowerCase())
    .flatMap(({ time_periods: periods }) => periods);
}

interface WeekFieldsProps {
  readonly hours: readonly Availability[];
  readonly hint: string;
}

/** The hours of a week, a field a day, named after it. */
export function WeekFields({ hours, hint }: WeekFieldsProps) {
  return (
    <fieldset class="field">
      <legend>{t('hours_of_opening')}</legend>
      <div class="hint">{hint}</div>
      <div class="pair">
        {WEEKDAYS.map((day) => (
          <Field key={day} label={WEEKDAY_WORDS[day] ?? day}>
            {(ids) => (
              <input
                {...ids}
                class="input"
                name={day}
                placeholder={hours.length > 0 ? t('closed') : ''}
                defaultValue={toPeriodsText(periodsOfDay(hours, day))}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
