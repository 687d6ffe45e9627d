import type { StoreCreate } from '#sdk';
import { client } from '../../client.js';
import { Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { formText } from '../../parts/form-text.js';
import { readStoreForm, StoreFields } from '../../parts/store-form.js';
import { say } from '../../parts/toasts.js';
import { Trouble } from '../../parts/trouble.js';
import { useLoad } from '../../parts/use-load.js';
import { useTask } from '../../parts/use-task.js';
import { navigate, toHref } from '../../router.js';
import { keepStore, loadStores } from '../../stores.js';

export function NewStoreDialog({ onClose }: { readonly onClose: () => void }) {
  const merchants = useLoad((signal) => client.listMerchants({ limit: 1000 }, { signal }), []);
  const { isBusy, error, run } = useTask();
  const make = async (form: HTMLFormElement) => {
    const merchantId = formText(new FormData(form), 'merchant_id');
    const store = await client.createStore({
      ...readStoreForm(form),
      merchant_id: merchantId,
    } as StoreCreate);
    keepStore(store);
    say('The store is there');
    void loadStores();
    navigate(toHref(`/stores/${store.id}/publish`));
  };
  return (
    <Dialog
      title="New store"
      isWide
      onClose={onClose}
      actions={
        <button type="submit" form="new-store" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Making the store' : 'Make the store'}
        </button>
      }
    >
      <form
        id="new-store"
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          run(() => make(form));
        }}
      >
        {merchants.error.value !== undefined && (
          <Trouble error={merchants.error.value} retry={merchants.reload} />
        )}
        {error.value !== undefined && <Trouble error={error.value} />}
        <Field label="Merchant">
          {(ids) => (
            <select {...ids} class="input" name="merchant_id" required>
              {(merchants.value.value ?? []).map(({ id, brand_name: name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <StoreFields />
      </form>
    </Dialog>
  );
}
