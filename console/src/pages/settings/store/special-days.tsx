import { useSignal } from '@preact/signals';
import type { SpecialDay } from '#sdk';
import { toDate } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Field, InputField } from '../../../ui/field.js';
import { readPeriods, WEEKDAY_WORDS, WEEKDAYS } from '../../../ui/weekly-hours-fields.js';
import { describeSpecialDay } from './pace.js';

interface SpecialDaysProps {
  readonly days: readonly SpecialDay[];
  readonly onChange: (days: readonly SpecialDay[]) => void;
}

/** Days on which the store keeps other hours than those of the week. */
export function SpecialDays({ days, onChange }: SpecialDaysProps) {
  const date = useSignal('');
  const what = useSignal('closed');
  const hours = useSignal('');
  const note = useSignal('');
  const add = () => {
    const day: SpecialDay = {
      date: date.value,
      ...(what.value === 'closed'
        ? { closed: true }
        : what.value === 'hours'
          ? { time_periods: readPeriods(hours.value) }
          : { as: what.value }),
      ...(note.value.trim() === '' ? {} : { note: note.value.trim() }),
    };
    const others = days.filter((one) => one.date !== day.date);
    onChange([...others, day].sort((one, other) => one.date.localeCompare(other.date)));
    date.value = '';
    note.value = '';
  };
  const isReady = date.value !== '' && (what.value !== 'hours' || hours.value.trim() !== '');
  return (
    <fieldset class="field">
      <legend>{t('special_days')}</legend>
      {days.length > 0 && (
        <ul class="rows">
          {days.map((day) => (
            <li key={day.date}>
              <span>
                <span class="number">{toDate(day.date)}</span> <bdi>{describeSpecialDay(day)}</bdi>
              </span>
              <button
                type="button"
                class="button"
                aria-label={t('remove_name', { name: toDate(day.date) })}
                onClick={() => onChange(days.filter((one) => one !== day))}
              >
                {t('remove')}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="pair">
        <InputField
          label={t('day')}
          type="date"
          value={date.value}
          onInput={(event) => (date.value = event.currentTarget.value)}
        />
        <Field label={t('on_that_day')}>
          {(ids) => (
            <select
              {...ids}
              class="input"
              value={what.value}
              onChange={(event) => (what.value = event.currentTarget.value)}
            >
              <option value="closed">{t('closed_inline')}</option>
              <option value="hours">{t('other_hours_inline')}</option>
              {WEEKDAYS.map((day) => (
                <option key={day} value={day}>
                  {t('hours_and_menus_as_on_day', { day: WEEKDAY_WORDS[day] ?? day })}
                </option>
              ))}
            </select>
          )}
        </Field>
        {what.value === 'hours' && (
          <InputField
            label={t('other_hours')}
            placeholder="12:00-16:00"
            value={hours.value}
            onInput={(event) => (hours.value = event.currentTarget.value)}
          />
        )}
        <InputField
          label={t('why')}
          maxLength={200}
          placeholder={t('christmas')}
          value={note.value}
          onInput={(event) => (note.value = event.currentTarget.value)}
        />
      </div>
      <div class="actions">
        <button type="button" class="button" disabled={!isReady} onClick={add}>
          {t('add_the_day')}
        </button>
      </div>
    </fieldset>
  );
}
