import type { ManagedStore } from '#sdk';
import { t } from '../../language/t.js';
import { Field, InputField } from '../../parts/field.js';
import { formText } from '../../parts/form-text.js';
import { navigate, toHref } from '../../router.js';
import { timezoneOf } from '../../stores.js';
import { toWall } from '../../../../src/support/wall-clock.js';
import { addDays, GROUPING_WORDS, type Period } from './period.js';

interface PeriodFormProps {
  readonly store: ManagedStore;
  readonly period: Period;
  readonly isBackwards: boolean;
}

/** The period becomes the address, so that it can be linked to and come back to. */
export function PeriodForm({ store, period, isBackwards }: PeriodFormProps) {
  const path = `/stores/${store.id}/sales`;
  const today = toWall(Date.now(), timezoneOf(store)).slice(0, 10);
  const apply = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const text = (name: string) => formText(data, name);
    navigate(toHref(path, { from: text('from'), to: text('to'), by: text('by') }));
  };
  const quick = (label: string, first: number, last: number) => (
    <a
      class="button quiet"
      href={toHref(path, { from: addDays(today, first), to: addDays(today, last), by: period.by })}
    >
      {label}
    </a>
  );
  return (
    // A form that starts over when the address changes, so that its fields always say what is shown.
    <form
      key={JSON.stringify(period)}
      class="sales-period"
      aria-label={t('Period')}
      onChange={(event) => apply(event.currentTarget)}
      onSubmit={(event) => {
        event.preventDefault();
        apply(event.currentTarget);
      }}
    >
      <InputField label={t('From#date')} name="from" type="date" defaultValue={period.from} />
      <InputField
        label={t('Until')}
        name="to"
        type="date"
        fault={isBackwards ? t('This is before the first day.') : undefined}
        defaultValue={period.to}
      />
      <Field label={t('By#grouping')}>
        {(ids) => (
          <select {...ids} class="input" name="by">
            {Object.entries(GROUPING_WORDS).map(([by, words]) => (
              <option key={by} value={by} selected={by === period.by}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="row">
        {quick(t('Today'), 0, 0)}
        {quick(t('Yesterday'), -1, -1)}
        {quick(t('{count} day | {count} days', { count: 7 }), -6, 0)}
        {quick(t('{count} day | {count} days', { count: 28 }), -27, 0)}
      </div>
    </form>
  );
}
