import type { ManagedStore } from '#sdk';
import { t } from '../../../text/t.js';
import { InputField, formText } from '../../../ui/field.js';
import { Button } from '../../../ui/button.js';
import { STATUS_WORDS } from '../../../ui/order-status.js';
import { navigate, toHref } from '../../../app/router.js';
import { isBackwards, isFiltered, type Filter } from './filter.js';

/** The filter becomes the address, so that what was found can be linked to and come back to. */
export function Filters({ store, filter }: { readonly store: ManagedStore; readonly filter: Filter }) {
  const path = `/stores/${store.id}/orders`;
  const apply = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const text = (name: string) => formText(data, name);
    navigate(toHref(path, { q: text('q'), from: text('from'), to: text('to') }));
  };
  return (
    // A form that starts over when the address changes, so that its fields always say what is shown.
    <form
      key={JSON.stringify(filter)}
      class="filters"
      role="search"
      aria-label={t('orders')}
      onSubmit={(event) => {
        event.preventDefault();
        apply(event.currentTarget);
      }}
    >
      <InputField
        label={t('number_name_phone_or_status')}
        name="q"
        type="search"
        list="statuses"
        placeholder={t('search_example')}
        defaultValue={filter.text}
      />
      <datalist id="statuses">
        {Object.values(STATUS_WORDS).map((words) => (
          <option key={words} value={words} />
        ))}
      </datalist>
      <InputField label={t('from_date')} name="from" type="date" defaultValue={filter.from ?? ''} />
      <InputField
        label={t('until_date')}
        name="to"
        type="date"
        error={isBackwards(filter) ? t('this_is_before_the_first_day') : undefined}
        defaultValue={filter.to ?? ''}
      />
      <div class="row">
        <Button type="submit" look="primary" icon="search">
          {t('search')}
        </Button>
        {isFiltered(filter) && (
          <a class="button quiet" href={toHref(path)}>
            {t('clear')}
          </a>
        )}
      </div>
    </form>
  );
}
