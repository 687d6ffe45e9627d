import type { ManagedStore } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { CopyButton } from '../../../ui/copy-button.js';
import { readStoreForm, StoreFacts, StoreFields } from '../store-form.js';
import { SaveBar, SettingsForm } from '../../../ui/settings-form.js';
import { useTitle } from '../../../ui/use-title.js';
import { may } from '../../../data/session.js';
import { keepStore, loadStores, nameOf } from '../../../data/stores.js';
import { AcceptPanel } from './accept-panel.js';
import { GuestPanel } from './guest-panel.js';
import { mayRemoveOrders } from './keep-orders.js';
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
