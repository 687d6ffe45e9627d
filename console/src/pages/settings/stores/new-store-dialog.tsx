import type { StoreCreate } from '#sdk';
import { listAllMerchants } from '../../../data/all-keys.js';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { FormDialog } from '../../../ui/dialogs.js';
import { formText } from '../../../ui/field.js';
import { MerchantField } from '../reach-fields.js';
import { StoreFields, readStoreForm } from '../store-form.js';
import { say } from '../../../ui/toasts.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { navigate, toHref } from '../../../app/router.js';
import { keepStore, loadStores } from '../../../data/stores.js';

export function NewStoreDialog({ onClose }: { readonly onClose: () => void }) {
  const merchants = useLoad((signal) => listAllMerchants(signal), []);
  const make = async (data: FormData) => {
    const merchantId = formText(data, 'merchant_id');
    const store = await client.createStore({
      ...readStoreForm(data),
      merchant_id: merchantId,
    } as StoreCreate);
    keepStore(store);
    say(t('the_store_is_there'));
    void loadStores();
    navigate(toHref(`/stores/${store.id}/publish`));
  };
  return (
    <FormDialog title={t('new_store')} isWide submit={t('make_the_store')} onSubmit={make} onClose={onClose}>
      <WhenLoaded of={merchants} busy={t('reading_the_merchants')}>
        {(found) => <MerchantField merchants={found} />}
      </WhenLoaded>
      <StoreFields />
    </FormDialog>
  );
}
