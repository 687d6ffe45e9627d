import { useSignal } from '@preact/signals';
import type { StoreEventType, Webhook } from '#sdk';
import { listAllMerchants } from '../../../data/all-keys.js';
import { client, isOperator } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { InputField, Tick, Ticks, formText } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/dialogs.js';
import { changedStores, MerchantField, StoresField, withCodes } from '../reach-fields.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { EVENT_WORDS } from '../../../text/code-words.js';

interface WebhookDialogProps {
  /** The endpoint to change; left out: a new one. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  /** With the secret of a new one. */
  readonly onSaved: (secret: string | undefined) => void;
}

/** Makes an endpoint or changes one. */
export function WebhookDialog({ webhook, onClose, onSaved }: WebhookDialogProps) {
  const isChoosing = isOperator() && webhook === undefined;
  const merchants = useLoad(async (signal) => (isChoosing ? listAllMerchants(signal) : []), []);
  const chosen = useSignal<string | undefined>(webhook?.merchant_id);
  const merchantId = chosen.value ?? merchants.value.value?.[0]?.id;

  const save = async (data: FormData) => {
    const label = formText(data, 'label');
    const storeIds = changedStores(data, webhook?.store_ids);
    const types = data.getAll('type') as StoreEventType[];
    const body = {
      url: formText(data, 'url'),
      // What is left empty is not there, or no longer.
      label: label === '' ? null : label,
      store_ids: storeIds?.length === 0 ? null : storeIds,
      types: types.length === 0 ? null : types,
      include_order: data.has('include_order'),
      skip_own: data.has('skip_own'),
    };
    if (webhook === undefined) {
      const stated = Object.entries(body).filter(([, value]) => value !== null);
      const made = await client.createWebhook({
        ...(Object.fromEntries(stated) as { url: string }),
        ...(isChoosing ? { merchant_id: merchantId } : {}),
      });
      onSaved(made.secret);
    } else {
      await client.changeWebhook(webhook.id, body);
      onSaved(undefined);
    }
  };
  return (
    <FormDialog
      title={webhook === undefined ? t('new_endpoint') : t('change_the_endpoint')}
      submit={t('save')}
      onSubmit={save}
      onClose={onClose}
    >
      <InputField
        label={t('address')}
        hint={t('reachable_from_this_service_anything_but')}
        name="url"
        type="url"
        required
        placeholder="https://till.example/comanda"
        defaultValue={webhook?.url ?? ''}
      />
      <InputField
        label={t('name')}
        hint={t('may_be_left_empty')}
        name="label"
        defaultValue={webhook?.label ?? ''}
      />
      {isChoosing && (
        <WhenLoaded of={merchants} busy={t('reading_the_merchants')}>
          {(found) => (
            <MerchantField merchants={found} chosen={merchantId} onChoose={(id) => (chosen.value = id)} />
          )}
        </WhenLoaded>
      )}
      <StoresField merchantId={merchantId} chosen={webhook?.store_ids} />
      <Ticks
        legend={t('told_of')}
        hint={t('none_ticked_everything')}
        name="type"
        options={withCodes(EVENT_WORDS)}
        chosen={webhook?.types}
      />
      <Tick
        name="include_order"
        defaultChecked={webhook?.include_order ?? false}
        label={t('send_the_whole_order_along_with')}
      />
      <Tick
        name="skip_own"
        defaultChecked={webhook?.skip_own ?? false}
        label={t('leave_out_what_was_done_with')}
      />
    </FormDialog>
  );
}
