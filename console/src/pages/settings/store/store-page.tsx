import type { ManagedStore, StorePatch } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { CopyButton } from '../../../ui/copy-button.js';
import { StoreFacts, StoreFields, readStoreForm } from '../store-form.js';
import { SaveBar, SettingsForm } from '../../../ui/settings-form.js';
import { useTitle } from '../../../ui/use-title.js';
import { keepStore, loadStores, nameOf } from '../../../data/stores.js';
import { AcceptPanel } from './accept-panel.js';
import { GuestPanel } from './guest-panel.js';
import { PacePanel } from './pace-panel.js';

/** What the service knows of a store, and when it takes orders; whoever may, changes it here. */
export function StorePage({ store }: { readonly store: ManagedStore }) {
  useTitle(t('store_details'), nameOf(store));
  const keep = (changed: ManagedStore) => {
    keepStore(changed);
    void loadStores();
  };
  const save = async (data: FormData) => {
    const patch = readStoreForm(data, store);
    if (!(await mayRemoveOrders(store, patch))) return false;
    keep(await client.changeStore(store.id, patch));
    return true;
  };
  return (
    <>
      <header>
        <h1>{t('store_details')}</h1>
      </header>
      <div class="panel spread">
        <span>
          {t('id')}{' '}
          <code id="store-id" class="mono">
            {store.id}
          </code>
        </span>
        <CopyButton text={store.id} label={t('copy_the_id_of_the_store')} sourceId="store-id" />
      </div>
      {!may('store:write') ? (
        <div class="panel stack">
          <StoreFacts store={store} />
          <p class="soft">{t('this_key_may_not_change_the_store')}</p>
        </div>
      ) : (
        <div class="panel">
          <SettingsForm save={save}>
            <StoreFields store={store} />
          </SettingsForm>
        </div>
      )}
      <AcceptPanel store={store} onSaved={keep} />
      <PacePanel storeId={store.id} />
      <GuestPanel store={store} onSaved={keep} />
      <SaveBar />
    </>
  );
}

const FINAL = ['FULFILLED', 'REJECTED', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED'] as const;
const DAY_MS = 86_400_000;

/** Asks before orders are kept for fewer days than now: those that are older are removed. */
export async function mayRemoveOrders(
  store: ManagedStore,
  { order_days: days }: StorePatch,
): Promise<boolean> {
  if (typeof days !== 'number' || days >= (store.order_days ?? Infinity)) return true;
  const end_time = new Date(Date.now() - days * DAY_MS).toISOString();
  const lists = await Promise.all(
    FINAL.map((status) => client.listOrders(store.id, { status, end_time, page_size: 1 })),
  );
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  return count === 0 || confirm(t('count_orders_will_be_removed', { count, days }));
}
