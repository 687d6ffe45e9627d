import { useSignal } from '@preact/signals';
import type { ManagedStore } from '#sdk';
import { client } from '../../client.js';
import { CopyButton } from '../../parts/copy-button.js';
import { readStoreForm, StoreFields } from '../../parts/store-form.js';
import { say } from '../../parts/toasts.js';
import { Trouble } from '../../parts/trouble.js';
import { useTask } from '../../parts/use-task.js';
import { useTitle } from '../../parts/use-title.js';
import { isOperator } from '../../session.js';
import { keepStore, loadStores, nameOf } from '../../stores.js';

/** What the service knows of a store; the operator changes it here. */
export function StorePage({ store }: { readonly store: ManagedStore }) {
  const known = useSignal(store);
  const { isBusy, error, run } = useTask();
  useTitle('Store details', nameOf(store));
  const save = async (data: FormData) => {
    const changed = await client.changeStore(store.id, readStoreForm(data, known.value));
    known.value = changed;
    keepStore(changed);
    void loadStores();
    say('Saved');
  };
  return (
    <>
      <header>
        <h1>Store details</h1>
      </header>
      <div class="panel spread">
        <span>
          Id{' '}
          <code id="store-id" class="mono">
            {store.id}
          </code>
        </span>
        <CopyButton text={store.id} label="Copy the id of the store" sourceId="store-id" />
      </div>
      <form
        class="form panel"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          run(() => save(data));
        }}
      >
        {error.value !== undefined && <Trouble error={error.value} />}
        <StoreFields store={known.value} isReadOnly={!isOperator()} />
        {isOperator() ? (
          <div class="actions">
            <button type="submit" class="button primary" disabled={isBusy.value}>
              {isBusy.value ? 'Saving' : 'Save'}
            </button>
          </div>
        ) : (
          <p class="soft">Only the operator can change a store.</p>
        )}
      </form>
    </>
  );
}
