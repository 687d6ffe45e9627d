import type { ManagedStore } from '#sdk';
import { Field, InputField } from '../../parts/field.js';
import { formText } from '../../parts/form-text.js';
import { Icon } from '../../parts/icon.js';
import { STATUS_WORDS } from '../../parts/order-status.js';
import { navigate, toHref } from '../../router.js';
import { isFiltered, type Filter } from './filter.js';

/** The filter becomes the address, so that what was found can be linked to and come back to. */
export function Filters({ store, filter }: { readonly store: ManagedStore; readonly filter: Filter }) {
  const path = `/stores/${store.id}/orders`;
  const apply = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const text = (name: string) => formText(data, name);
    const found = {
      status: text('status'),
      name: text('name'),
      phone: text('phone'),
      from: text('from'),
      to: text('to'),
    };
    navigate(toHref(path, found));
  };
  return (
    // A form that starts over when the address changes, so that its fields always say what is shown.
    <form
      key={JSON.stringify(filter)}
      class="filters"
      role="search"
      aria-label="Orders"
      onSubmit={(event) => {
        event.preventDefault();
        apply(event.currentTarget);
      }}
    >
      <Field label="Status">
        {(ids) => (
          <select
            {...ids}
            class="input"
            name="status"
            value={filter.status ?? ''}
            onChange={(event) => event.currentTarget.form?.requestSubmit()}
          >
            <option value="">Any</option>
            {Object.entries(STATUS_WORDS).map(([status, words]) => (
              <option key={status} value={status}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      <InputField label="Name" name="name" type="search" defaultValue={filter.name ?? ''} />
      <InputField
        label="Phone"
        name="phone"
        type="search"
        inputmode="tel"
        defaultValue={filter.phone ?? ''}
      />
      <InputField label="From" name="from" type="date" defaultValue={filter.from ?? ''} />
      <InputField label="Until" name="to" type="date" defaultValue={filter.to ?? ''} />
      <div class="row">
        <button type="submit" class="button primary">
          <Icon name="search" />
          Search
        </button>
        {isFiltered(filter) && (
          <a class="button quiet" href={toHref(path)}>
            Clear
          </a>
        )}
      </div>
    </form>
  );
}
