import { t } from '../../text/t.js';
import { place, navigate, toHref } from '../router.js';
import { nameOf, stores } from '../../data/stores.js';

/** Changes the store and stays on the same kind of page. */
export function StorePicker({ storeId }: { readonly storeId: string | undefined }) {
  const all = stores.value ?? [];
  if (all.length === 0) return null;
  const isListed = all.some(({ id }) => id === storeId);
  return (
    <div class="store-picker">
      <label class="hidden-label" for="store">
        {t('store')}
      </label>
      <select
        id="store"
        class="input"
        value={storeId ?? ''}
        onChange={(event) => navigate(samePage(event.currentTarget.value))}
      >
        {!isListed && (
          <option value={storeId ?? ''}>
            {storeId === undefined ? t('choose_a_store') : t('this_store')}
          </option>
        )}
        {all.map((store) => (
          <option key={store.id} value={store.id}>
            {nameOf(store)}
          </option>
        ))}
      </select>
    </div>
  );
}

function samePage(storeId: string): string {
  const [, , , page = ''] = place.value.path.startsWith('/stores/') ? place.value.path.split('/') : [];
  return toHref(`/stores/${storeId}${page === '' ? '' : `/${page}`}`);
}
