import { useSignal } from '@preact/signals';
import type { Store } from '#sdk';
import { t } from '../../../text/t.js';
import { Busy } from '../../../ui/spinner.js';
import { Empty } from '../../../ui/empty.js';
import { InputField } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
import { Table } from '../../../ui/table.js';
import { Trouble } from '../../../ui/error-notice.js';
import { useTitle } from '../../../ui/use-title.js';
import { toHref } from '../../../app/router.js';
import { isOperator } from '../../../data/session.js';
import { loadStores, nameOf, stores, storesError, timezoneOf } from '../../../data/stores.js';
import { NewStoreDialog } from './new-store-dialog.js';

/** The stores that the key may see. */
export function StoresPage() {
  const isMaking = useSignal(false);
  const search = useSignal('');
  useTitle(t('Stores'), 'Comanda');
  const all = stores.value;
  const wanted = search.value.trim().toLowerCase();
  const shown = (all ?? []).filter((store) =>
    [nameOf(store), store.city, store.external_id, store.id, store.merchant?.brand_name]
      .join(' ')
      .toLowerCase()
      .includes(wanted),
  );
  return (
    <>
      <header>
        <h1>{t('Stores')}</h1>
        {isOperator() && (
          <button type="button" class="button primary" onClick={() => (isMaking.value = true)}>
            <Icon name="plus" />
            {t('New store')}
          </button>
        )}
      </header>
      {storesError.value !== undefined && (
        <Trouble error={storesError.value} retry={() => void loadStores()} />
      )}
      {all === undefined ? (
        storesError.value === undefined && <Busy>{t('Reading the stores')}</Busy>
      ) : all.length === 0 ? (
        <Empty icon="stores" title={t('No stores yet')}>
          <p>
            {isOperator()
              ? t(
                  'A store belongs to a merchant: make the merchant first, then its stores, then keys for those who work there.',
                )
              : t('This key sees no store. The operator can add one to it.')}
          </p>
          {isOperator() && (
            <a class="button" href={toHref('/merchants')}>
              {t('To the merchants')}
            </a>
          )}
        </Empty>
      ) : (
        <>
          <InputField
            label={t('Find a store')}
            hint={t('{count} store | {count} stores', { count: shown.length })}
            type="search"
            value={search.value}
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
          {shown.length === 0 ? (
            <Empty icon="search" title={t('No store has that')}>
              <p>{t('The search looks at names, cities, merchants and ids.')}</p>
            </Empty>
          ) : (
            <StoreTable stores={shown} />
          )}
        </>
      )}
      {isMaking.value && <NewStoreDialog onClose={() => (isMaking.value = false)} />}
    </>
  );
}

function StoreTable({ stores: shown }: { readonly stores: readonly Store[] }) {
  return (
    <Table columns={[t('Store'), t('Merchant'), t('City'), t('Timezone'), t('Go to')]}>
      {shown.map((store) => (
        <tr key={store.id}>
          <td class="lead">
            <a href={toHref(`/stores/${store.id}`)}>
              <bdi>{nameOf(store)}</bdi>
            </a>
            <div class="small soft mono">{store.external_id ?? store.id}</div>
          </td>
          <td data-label={t('Merchant')}>
            <bdi>{store.merchant?.brand_name ?? ''}</bdi>
          </td>
          <td data-label={t('City')}>
            <bdi>{store.city ?? ''}</bdi>
          </td>
          <td data-label={t('Timezone')}>{timezoneOf(store).replaceAll('_', ' ')}</td>
          <td class="bare">
            <span class="row">
              <a class="button" href={toHref(`/stores/${store.id}/board`)}>
                {t('Board')}
              </a>
              <a class="button" href={toHref(`/stores/${store.id}/settings`)}>
                {t('Details')}
              </a>
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
