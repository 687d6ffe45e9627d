import { useSignal } from '@preact/signals';
import type { KeyCreated, MerchantResponse } from '#sdk';
import { client, isOperator, may, type Permission } from '../../../data/session.js';
import { InputField, Ticks, formText } from '../../../ui/field.js';
import { t, tx } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { FormDialog, SecretDialog } from '../../../ui/dialogs.js';
import { MerchantField, StoresField } from '../reach-fields.js';
import { chosenStores, RIGHTS_OF_ASSISTANTS } from './roles.js';

interface AssistantDialogProps {
  readonly merchants: readonly MerchantResponse[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** A key for an assistant, which reads unless more is ticked; then where to enter it, and whether it works. */
export function AssistantDialog({ merchants, onClose, onSaved }: AssistantDialogProps) {
  const chosen = useSignal<string | undefined>(undefined);
  const merchantId = chosen.value ?? merchants[0]?.id ?? '';
  const issued = useSignal<KeyCreated | undefined>(undefined);
  const issue = async (data: FormData) => {
    const storeIds = chosenStores(data);
    issued.value = await client.issueKey({
      label: formText(data, 'label'),
      permissions: ['read', ...(data.getAll('permission') as Permission[])],
      ...(isOperator() ? { merchant_id: merchantId } : {}),
      ...(storeIds === undefined ? {} : { store_ids: storeIds }),
    });
    onSaved();
  };
  if (issued.value?.key !== undefined) return <Connected secret={issued.value.key} onClose={onClose} />;
  return (
    <FormDialog
      title={t('connect_an_assistant')}
      submit={t('issue_the_key')}
      onSubmit={issue}
      onClose={onClose}
    >
      <InputField label={t('name')} name="label" maxLength={200} required defaultValue={t('assistant')} />
      {isOperator() && (
        <MerchantField merchants={merchants} chosen={merchantId} onChoose={(id) => (chosen.value = id)} />
      )}
      <StoresField key={merchantId} merchantId={isOperator() ? merchantId : undefined} />
      <Ticks
        legend={t('what_it_may_do')}
        hint={t('it_only_reads_unless_you_tick')}
        name="permission"
        options={RIGHTS_OF_ASSISTANTS.filter(([permission]) => may(permission))}
      />
    </FormDialog>
  );
}

function Connected({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const said = useSignal('');
  const test = () => {
    said.value = t('one_moment');
    void tryTools(secret).then((words) => (said.value = words));
  };
  return (
    <SecretDialog title={t('connect_an_assistant')} secret={secret} onClose={onClose}>
      {tx('enter_it_in_your_assistant_with', { address: <code>{`${location.origin}/mcp`}</code> })}{' '}
      <Button onClick={test}>{t('test')}</Button> <span role="status">{said.value}</span>
    </SecretDialog>
  );
}

/** Asks for the tools with the new key, as the assistant will. */
async function tryTools(key: string): Promise<string> {
  try {
    const answer = await fetch('/mcp', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await answer.json()) as { result?: { tools: readonly unknown[] } };
    if (result !== undefined) return t('it_works_with_count_tools', { count: result.tools.length });
  } catch {
    // Said below.
  }
  return t('it_does_not_work_assistants_may');
}
