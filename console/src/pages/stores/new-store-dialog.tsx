import type { StoreCreate } from '#sdk';
import { client } from '../../client.js';
import { t } from '../../language/t.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { formText } from '../../parts/form-text.js';
import { MerchantField } from '../../reach-fields.js';
import { readStoreForm, StoreFields } from '../../parts/store-form.js';
import { say } from '../../parts/toasts.js';
import { useLoad } from '../../parts/use-load.js';
import { WhenLoaded } from '../../parts/when-loaded.js';
import { navigate, toHref } from '../../router.js';
import { keepStore, loadStores } from '../../stores.js';

export function NewStoreDialog({ onClose }: { readonly onClose: () => void }) {
  const merchants = useLoad((signal) => client.listMerchants({ limit: 1000 }, { signal }), []);
  const make = async (data: FormData) => {
    const merchantId = formText(data, 'merchant_id');
    const store = await client.createStore({
      ...readStoreForm(data),
      merchant_id: merchantId,
    } as StoreCreate);
    keepStore(store);
    say(t('The store is there'));
    void loadStores();
    navigate(toHref(`/stores/${store.id}/publish`));
  };
  return (
    <FormDialog title={t('New store')} isWide submit={t('Make the store')} onSubmit={make} onClose={onClose}>
      <WhenLoaded of={merchants} busy={t('Reading the merchants')}>
        {(found) => <MerchantField merchants={found} />}
      </WhenLoaded>
      <StoreFields />
    </FormDialog>
  );
}
