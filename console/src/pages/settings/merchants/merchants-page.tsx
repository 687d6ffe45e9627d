import { useSignal } from '@preact/signals';
import type { MerchantResponse } from '#sdk';
import { listAllMerchants } from '../../../data/all-keys.js';
import { client, isOperator } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Empty, RowActions, Table } from '../../../ui/table.js';
import { InputField, formText } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/dialogs.js';
import { toDateTime } from '../../../text/format.js';
import { say } from '../../../ui/toasts.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { navigate, toHref } from '../../../app/router.js';
import { loadStores, stores } from '../../../data/stores.js';

export function MerchantsPage() {
  const loaded = useLoad((signal) => listAllMerchants(signal), []);
  const edited = useSignal<MerchantResponse | 'new' | undefined>(undefined);
  useTitle(t('merchants'), 'Comanda');
  return (
    <>
      <header>
        <h1>{t('merchants')}</h1>
        {isOperator() && (
          <Button look="primary" icon="plus" onClick={() => (edited.value = 'new')}>
            {t('new_merchant')}
          </Button>
        )}
      </header>
      <WhenLoaded of={loaded} busy={t('reading_the_merchants')}>
        {(merchants) =>
          merchants.length === 0 ? (
            <Empty icon="merchants" title={t('no_merchants_yet')}>
              <p>{t('a_merchant_is_the_business_that')}</p>
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
    <Table columns={[t('merchant'), t('business'), t('since'), ...(isOperator() ? [t('change')] : [])]}>
      {merchants.map((merchant) => (
        <tr key={merchant.id}>
          <td class="lead">
            <bdi>{merchant.brand_name}</bdi>
            <div class="small soft mono">{merchant.id}</div>
          </td>
          <td data-label={t('business')}>
            <bdi>{merchant.business_type?.name ?? ''}</bdi>
          </td>
          <td data-label={t('since')}>{`${toDateTime(merchant.created_at, 'UTC')} UTC`}</td>
          {isOperator() && (
            <td class="bare">
              <RowActions
                of={merchant.brand_name}
                actions={[{ label: t('edit'), onPress: () => onEdit(merchant) }]}
              />
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
    say(t('saved'));
    onSaved();
    // The first merchant of an installation is of no use without a store.
    if (stores.value?.length === 0) navigate(toHref('/stores'));
  };
  return (
    <FormDialog
      title={merchant === undefined ? t('new_merchant') : t('change_the_merchant')}
      submit={t('save')}
      onSubmit={save}
      onClose={onClose}
    >
      <InputField
        label={t('brand_name')}
        name="brand_name"
        required
        defaultValue={merchant?.brand_name ?? ''}
      />
      <InputField
        label={t('business')}
        hint={t('such_as_restaurant_or_bakery_may')}
        name="business"
        defaultValue={merchant?.business_type?.name ?? ''}
      />
    </FormDialog>
  );
}
