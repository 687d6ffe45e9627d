import { useSignal } from '@preact/signals';
import type { MerchantResponse } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { Empty } from '../../../ui/empty.js';
import { InputField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { formText } from '../../../text/form-text.js';
import { toDateTime } from '../../../text/format.js';
import { Icon } from '../../../ui/icon.js';
import { Table } from '../../../ui/table.js';
import { say } from '../../../ui/toasts.js';
import { useLoad } from '../../../ui/use-load.js';
import { useTitle } from '../../../ui/use-title.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { navigate, toHref } from '../../../app/router.js';
import { isOperator } from '../../../data/session.js';
import { loadStores, stores } from '../../../data/stores.js';

export function MerchantsPage() {
  const loaded = useLoad((signal) => client.listMerchants({ limit: 1000 }, { signal }), []);
  const edited = useSignal<MerchantResponse | 'new' | undefined>(undefined);
  useTitle(t('Merchants'), 'Comanda');
  return (
    <>
      <header>
        <h1>{t('Merchants')}</h1>
        {isOperator() && (
          <button type="button" class="button primary" onClick={() => (edited.value = 'new')}>
            <Icon name="plus" />
            {t('New merchant')}
          </button>
        )}
      </header>
      <WhenLoaded of={loaded} busy={t('Reading the merchants')}>
        {(merchants) =>
          merchants.length === 0 ? (
            <Empty icon="merchants" title={t('No merchants yet')}>
              <p>
                {t(
                  'A merchant is the business that stores and keys belong to. Make the first one, then its stores.',
                )}
              </p>
            </Empty>
          ) : (
            <MerchantTable merchants={merchants} onEdit={(merchant) => (edited.value = merchant)} />
          )
        }
      </WhenLoaded>
      {edited.value !== undefined && (
        <MerchantDialog
          merchant={edited.value === 'new' ? undefined : edited.value}
          onClose={() => (edited.value = undefined)}
          onSaved={() => {
            edited.value = undefined;
            loaded.reload();
            void loadStores();
          }}
        />
      )}
    </>
  );
}

interface MerchantTableProps {
  readonly merchants: readonly MerchantResponse[];
  readonly onEdit: (merchant: MerchantResponse) => void;
}

function MerchantTable({ merchants, onEdit }: MerchantTableProps) {
  return (
    <Table columns={[t('Merchant'), t('Business'), t('Since'), ...(isOperator() ? [t('Change')] : [])]}>
      {merchants.map((merchant) => (
        <tr key={merchant.id}>
          <td class="lead">
            <bdi>{merchant.brand_name}</bdi>
            <div class="small soft mono">{merchant.id}</div>
          </td>
          <td data-label={t('Business')}>
            <bdi>{merchant.business_type?.name ?? ''}</bdi>
          </td>
          <td data-label={t('Since')}>{`${toDateTime(merchant.created_at, 'UTC')} UTC`}</td>
          {isOperator() && (
            <td class="bare">
              <button
                type="button"
                class="button"
                aria-label={t('Edit {name}', { name: merchant.brand_name })}
                onClick={() => onEdit(merchant)}
              >
                {t('Edit')}
              </button>
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

interface MerchantDialogProps {
  readonly merchant: MerchantResponse | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function MerchantDialog({ merchant, onClose, onSaved }: MerchantDialogProps) {
  const save = async (data: FormData) => {
    const business = formText(data, 'business');
    const body = {
      brand_name: formText(data, 'brand_name'),
      business_type: business === '' ? null : { name: business },
    };
    await (merchant === undefined ? client.createMerchant(body) : client.changeMerchant(merchant.id, body));
    say(t('Saved'));
    onSaved();
    // The first merchant of an installation is of no use without a store.
    if (stores.value?.length === 0) navigate(toHref('/stores'));
  };
  return (
    <FormDialog
      title={merchant === undefined ? t('New merchant') : t('Change the merchant')}
      submit={t('Save')}
      onSubmit={save}
      onClose={onClose}
    >
      <InputField
        label={t('Brand name')}
        name="brand_name"
        required
        defaultValue={merchant?.brand_name ?? ''}
      />
      <InputField
        label={t('Business')}
        hint={t('Such as Restaurant or Bakery; may be left empty')}
        name="business"
        defaultValue={merchant?.business_type?.name ?? ''}
      />
    </FormDialog>
  );
}
