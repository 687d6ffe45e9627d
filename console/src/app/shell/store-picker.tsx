import type { Store } from '#sdk';
import { t } from '../../text/t.js';
import { place, navigate, toHref } from '../router.js';
import { nameOf, stores } from '../../data/stores.js';
import { fold } from '../../text/fold.js';

/** More are found by typing a part of the name. */
const MOST_LISTED = 20;

/** Changes the store and stays on the same kind of page. */
export function StorePicker({ storeId }: { readonly storeId: string | undefined }) {
  const all = stores.value ?? [];
  if (all.length === 0) return null;
  return (
    <div class="store-picker">
      <label class="hidden-label" for="store">
        {t('store')}
      </label>
      {all.length > MOST_LISTED ? (
        <StoreSearch all={all} storeId={storeId} />
      ) : (
        <StoreList all={all} storeId={storeId} />
      )}
    </div>
  );
}

interface PickerProps {
  readonly all: readonly Store[];
  readonly storeId: string | undefined;
}

function StoreList({ all, storeId }: PickerProps) {
  const isListed = all.some(({ id }) => id === storeId);
  return (
    <select
      id="store"
      class="input"
      value={storeId ?? ''}
      onChange={({ currentTarget: list }) => {
        const chosen = list.value;
        // They may stay to save their changes: the list goes on showing this store.
        list.value = storeId ?? '';
        navigate(samePage(chosen));
      }}
    >
      {!isListed && (
        <option value={storeId ?? ''}>{storeId === undefined ? t('choose_a_store') : t('this_store')}</option>
      )}
      {all.map((store) => (
        <option key={store.id} value={store.id}>
          {nameOf(store)}
        </option>
      ))}
    </select>
  );
}

/** The browser offers the names that fit what is typed. Stores of the same name are told apart by their id. */
function StoreSearch({ all, storeId }: PickerProps) {
  const byName = new Map<string, string>();
  for (const store of all) {
    const name = nameOf(store);
    byName.set(byName.has(name) ? `${name} (${store.external_id ?? store.id})` : name, store.id);
  }
  const current = [...byName].find(([, id]) => id === storeId)?.[0];
  return (
    <>
      <input
        id="store"
        class="input"
        type="search"
        list="store-names"
        placeholder={current ?? t('choose_a_store')}
        onChange={({ currentTarget: input }) => {
          const typed = fold(input.value);
          const fitting = [...byName].filter(([name]) => fold(name).includes(typed));
          const id = byName.get(input.value) ?? (fitting.length === 1 ? fitting[0]?.[1] : undefined);
          input.value = '';
          if (id !== undefined) navigate(samePage(id));
        }}
      />
      <datalist id="store-names">
        {[...byName.keys()].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function samePage(storeId: string): string {
  const [, , , page = ''] = place.value.path.startsWith('/stores/') ? place.value.path.split('/') : [];
  return toHref(`/stores/${storeId}${page === '' ? '' : `/${page}`}`);
}
