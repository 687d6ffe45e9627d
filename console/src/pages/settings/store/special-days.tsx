import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SpecialDay } from '#sdk';
import { toDate } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { InputField, SelectField } from '../../../ui/field.js';
import { WEEKDAYS } from '../../../text/hours.js';
import { readPeriods, WEEKDAY_WORDS, wrongHours } from '../../../ui/weekly-hours-fields.js';
import { describeSpecialDay } from './pace.js';

interface SpecialDaysProps {
  readonly days: readonly SpecialDay[];
  readonly onChange: (days: readonly SpecialDay[]) => void;
  /** A day that is typed and not added yet, as JSON text: it is saved with the others. */
  readonly typed: Signal<string>;
}

/** The days with another one, which takes the place of what was said of its date. */
export function withDay(days: readonly SpecialDay[], day: SpecialDay): SpecialDay[] {
  const others = days.filter(({ date }) => date !== day.date);
  return [...others, day].sort((one, other) => one.date.localeCompare(other.date));
}

/** Days on which the store keeps other hours than those of the week. */
export function SpecialDays({ days, onChange, typed }: SpecialDaysProps) {
  const date = useSignal('');
  const what = useSignal('closed');
  const hours = useSignal('');
  const note = useSignal('');
  const day: SpecialDay = {
    date: date.value,
    ...(what.value === 'closed'
      ? { closed: true }
      : what.value === 'hours'
        ? { time_periods: readPeriods(hours.value) }
        : { as: what.value }),
    ...(note.value.trim() === '' ? {} : { note: note.value.trim() }),
  };
  const error = what.value === 'hours' ? wrongHours(t('other_hours'), hours.value) : undefined;
  const isReady =
    date.value !== '' && error === undefined && (what.value !== 'hours' || hours.value.trim() !== '');
  useEffect(() => {
    typed.value = isReady ? JSON.stringify(day) : '';
  });
  const add = () => {
    onChange(withDay(days, day));
    date.value = '';
    note.value = '';
  };
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
              <Button
                aria-label={t('remove_name', { name: toDate(day.date) })}
                onClick={() => onChange(days.filter((one) => one !== day))}
              >
                {t('remove')}
              </Button>
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
        <SelectField
          label={t('on_that_day')}
          options={[
            ['closed', t('closed_inline')],
            ['hours', t('other_hours_inline')],
            ...WEEKDAYS.map(
              (day) => [day, t('hours_and_menus_as_on_day', { day: WEEKDAY_WORDS[day] ?? day })] as const,
            ),
          ]}
          chosen={what.value}
          onChoose={(chosen) => (what.value = chosen)}
        />
        {what.value === 'hours' && (
          <InputField
            label={t('other_hours')}
            placeholder="12:00-16:00"
            value={hours.value}
            error={error}
            onInput={({ currentTarget }) => {
              hours.value = currentTarget.value;
              currentTarget.setCustomValidity(wrongHours(t('other_hours'), hours.value) ?? '');
            }}
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
        <Button disabled={!isReady} onClick={add}>
          {t('add_the_day')}
        </Button>
      </div>
    </fieldset>
  );
}
