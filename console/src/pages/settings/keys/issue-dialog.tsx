import { useSignal } from '@preact/signals';
import type { KeyCreated, MerchantResponse } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { InputField, Tick } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/dialogs/form-dialog.js';
import { formText } from '../../../text/form-text.js';
import { MerchantField, StoresField } from '../reach-fields.js';
import type { Permission } from '../../../data/session.js';
import { PERMISSION_WORDS } from '../../../data/permission-words.js';

interface IssueDialogProps {
  readonly merchants: readonly MerchantResponse[];
  readonly onClose: () => void;
  readonly onIssued: (key: KeyCreated) => void;
}

export function IssueDialog({ merchants, onClose, onIssued }: IssueDialogProps) {
  const chosen = useSignal<string | undefined>(undefined);
  const merchantId = chosen.value ?? merchants[0]?.id ?? '';
  const issue = async (data: FormData) => {
    const label = formText(data, 'label');
    const expires = formText(data, 'expires_at');
    const storeIds = data.getAll('store').map(String);
    const key = await client.issueKey({
      merchant_id: merchantId,
      permissions: data.getAll('permission') as Permission[],
      ...(label === '' ? {} : { label }),
      ...(expires === '' ? {} : { expires_at: new Date(`${expires}T23:59:59Z`).toISOString() }),
      ...(storeIds.length === 0 ? {} : { store_ids: storeIds }),
    });
    onIssued(key);
  };
  return (
    <FormDialog title={t('issue_a_key')} submit={t('issue_the_key')} onSubmit={issue} onClose={onClose}>
      <InputField
        label={t('what_is_it_for')}
        hint={t('such_as_kitchen_tablet_or_point')}
        name="label"
        maxLength={200}
      />
      <MerchantField merchants={merchants} chosen={merchantId} onChoose={(id) => (chosen.value = id)} />
      <StoresField merchantId={merchantId} />
      <fieldset class="field">
        <legend>{t('what_it_may_do')}</legend>
        {Object.entries(PERMISSION_WORDS).map(([permission, words]) => (
          <Tick
            key={permission}
            name="permission"
            value={permission}
            defaultChecked={permission === 'read'}
            label={
              <>
                {words} <span class="mono soft">{permission}</span>
              </>
            }
          />
        ))}
      </fieldset>
      <InputField
        label={t('works_until_the_end_of')}
        hint={t('left_empty_until_it_is_revoked')}
        name="expires_at"
        type="date"
      />
    </FormDialog>
  );
}
