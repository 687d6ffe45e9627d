import { useSignal } from '@preact/signals';
import type { ManagedStore } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { CopyButton } from '../../../ui/copy-button.js';
import { readStoreForm, StoreFacts, StoreFields } from '../store-form.js';
import { say } from '../../../ui/toasts.js';
import { Trouble } from '../../../ui/error-notice.js';
import { useTask } from '../../../ui/use-task.js';
import { useTitle } from '../../../ui/use-title.js';
import { may } from '../../../data/session.js';
import { keepStore, loadStores, nameOf } from '../../../data/stores.js';
import { AcceptPanel } from './accept-panel.js';
import { GuestPanel } from './guest-panel.js';
import { PacePanel } from './pace-panel.js';

/** What the service knows of a store, and when it takes orders; whoever may, changes it here. */
export function StorePage({ store }: { readonly store: ManagedStore }) {
  const saves = useSignal(0);
  const { isBusy, error, run } = useTask();
  useTitle(t('store_details'), nameOf(store));
  const keep = (changed: ManagedStore) => {
    keepStore(changed);
    void loadStores();
  };
  const save = async (data: FormData) => {
    keep(await client.changeStore(store.id, readStoreForm(data, store)));
    saves.value += 1;
    say(t('saved'));
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
        <form
          // Made anew once it is saved: fields that were typed into follow the store again.
          key={saves.value}
          class="form panel"
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            run(() => save(data));
          }}
        >
          {error.value !== undefined && <Trouble error={error.value} />}
          <StoreFields store={store} />
          <div class="actions">
            <button type="submit" class="button primary" disabled={isBusy.value}>
              {isBusy.value ? t('saving') : t('save')}
            </button>
          </div>
        </form>
      )}
      <AcceptPanel store={store} onSaved={keep} />
      <PacePanel storeId={store.id} />
      <GuestPanel store={store} onSaved={keep} />
    </>
  );
}
