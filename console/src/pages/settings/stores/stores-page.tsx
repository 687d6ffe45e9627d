import { useSignal } from '@preact/signals';
import type { Store } from '#sdk';
import { fold } from '../../../text/fold.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Busy, Trouble } from '../../../ui/loading.js';
import { Empty, Table } from '../../../ui/table.js';
import { InputField } from '../../../ui/field.js';
import { useTitle } from '../../../ui/use-title.js';
import { toHref } from '../../../app/router.js';
import { isOperator } from '../../../data/session.js';
import { loadStores, nameOf, stores, storesError, timezoneOf } from '../../../data/stores.js';
import { NewStoreDialog } from './new-store-dialog.js';

/** More rows than anybody reads; the search finds the others. */
const MOST_ROWS = 500;

/** The stores that the key may see. */
export function StoresPage() {
  const isMaking = useSignal(false);
  const search = useSignal('');
  useTitle(t('stores'), 'Comanda');
  const all = stores.value;
  const wanted = fold(search.value);
  const shown = (all ?? []).filter((store) =>
    fold(
      [nameOf(store), store.city, store.external_id, store.id, store.merchant?.brand_name].join(' '),
    ).includes(wanted),
  );
  return (
    <>
      <header>
        <h1>{t('stores')}</h1>
        {isOperator() && (
          <Button look="primary" icon="plus" onClick={() => (isMaking.value = true)}>
            {t('new_store')}
          </Button>
        )}
      </header>
      {storesError.value !== undefined && (
        <Trouble error={storesError.value} retry={() => void loadStores()} />
      )}
      {all === undefined ? (
        storesError.value === undefined && <Busy>{t('reading_the_stores')}</Busy>
      ) : all.length === 0 ? (
        <Empty icon="stores" title={t('no_stores_yet')}>
          <p>{isOperator() ? t('a_store_belongs_to_a_merchant') : t('this_key_sees_no_store_the')}</p>
          {isOperator() && (
            <a class="button" href={toHref('/merchants')}>
              {t('to_the_merchants')}
            </a>
          )}
        </Empty>
      ) : (
        <>
          <InputField
            label={t('find_a_store')}
            hint={t('count_stores', { count: shown.length })}
            type="search"
            value={search.value}
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
          {shown.length === 0 ? (
            <Empty icon="search" title={t('no_store_has_that')}>
              <p>{t('the_search_looks_at_names_cities')}</p>
            </Empty>
          ) : (
            <StoreTable stores={shown.slice(0, MOST_ROWS)} />
          )}
        </>
      )}
      {isMaking.value && <NewStoreDialog onClose={() => (isMaking.value = false)} />}
    </>
  );
}

const LINKS = [
  { path: 'board', label: t('board') },
  { path: 'settings', label: t('details') },
] as const;

function StoreTable({ stores: shown }: { readonly stores: readonly Store[] }) {
  return (
    <Table columns={[t('store'), t('merchant'), t('city'), t('timezone'), t('go_to')]}>
      {shown.map((store) => (
        <tr key={store.id}>
          <td class="lead">
            <a href={toHref(`/stores/${store.id}`)}>
              <bdi>{nameOf(store)}</bdi>
            </a>
            <div class="small soft mono">{store.external_id ?? store.id}</div>
          </td>
          <td data-label={t('merchant')}>
            <bdi>{store.merchant?.brand_name ?? ''}</bdi>
          </td>
          <td data-label={t('city')}>
            <bdi>{store.city ?? ''}</bdi>
          </td>
          <td data-label={t('timezone')}>{timezoneOf(store).replaceAll('_', ' ')}</td>
          <td class="bare">
            <span class="row">
              {LINKS.map(({ path, label }) => (
                <a
                  key={path}
                  class="button"
                  href={toHref(`/stores/${store.id}/${path}`)}
                  aria-label={t('action_name', { action: label, name: nameOf(store) })}
                >
                  {label}
                </a>
              ))}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
