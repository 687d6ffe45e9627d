import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ManagedStore } from '#sdk';
import { t } from '../../text/t.js';
import { InputField, SelectField, formText } from '../../ui/field.js';
import { navigate, toHref } from '../../app/router.js';
import { timezoneOf } from '../../data/stores.js';
import { toWall } from '../../../../src/calendar/wall-clock.js';
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
  const { from, to, by } = period;
  const form = useRef<HTMLFormElement>(null);
  const isTyping = useRef(false);
  const showPeriod = () => {
    for (const input of form.current?.querySelectorAll('input') ?? [])
      input.value = input.name === 'from' ? from : to;
  };
  // The fields always say what is shown, and keep the focus when another period is.
  useLayoutEffect(showPeriod, [from, to]);
  const apply = () => {
    isTyping.current = false;
    if (form.current === null) return;
    const data = new FormData(form.current);
    const typed = { from: formText(data, 'from'), to: formText(data, 'to'), by: formText(data, 'by') };
    if (typed.from === '' || typed.to === '') showPeriod();
    else if (typed.from !== from || typed.to !== to || typed.by !== by) navigate(toHref(path, typed));
  };
  const quick = (label: string, first: number, last: number) => (
    <a
      class="button quiet"
      href={toHref(path, { from: addDays(today, first), to: addDays(today, last), by })}
    >
      {label}
    </a>
  );
  return (
    // While a date is typed, each key may make it another one: it counts once the field is left, or with Enter.
    <form
      ref={form}
      class="sales-period"
      aria-label={t('period')}
      onKeyDown={({ key, target }) => {
        isTyping.current = target instanceof HTMLInputElement;
        if (key === 'Enter' && isTyping.current) apply();
      }}
      onChange={() => {
        if (!isTyping.current) apply();
      }}
      onFocusOut={() => {
        if (isTyping.current) apply();
      }}
      onSubmit={(event) => event.preventDefault()}
    >
      <InputField label={t('from_date')} name="from" type="date" defaultValue={from} />
      <InputField
        label={t('until')}
        name="to"
        type="date"
        error={isBackwards ? t('this_is_before_the_first_day') : undefined}
        defaultValue={to}
      />
      <SelectField label={t('by_grouping')} name="by" options={Object.entries(GROUPING_WORDS)} chosen={by} />
      <div class="row">
        {quick(t('today'), 0, 0)}
        {quick(t('yesterday'), -1, -1)}
        {quick(t('count_days', { count: 7 }), -6, 0)}
        {quick(t('count_days', { count: 28 }), -27, 0)}
      </div>
    </form>
  );
}
