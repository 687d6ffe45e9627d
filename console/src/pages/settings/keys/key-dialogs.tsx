import { useSignal } from '@preact/signals';
import type { KeyCreated, MerchantResponse, Key, MadeWithKey } from '#sdk';
import { client, type Permission } from '../../../data/session.js';
import { t, tx } from '../../../text/t.js';
import { InputField, SelectField, Tick, Ticks, formText } from '../../../ui/field.js';
import { ConfirmDialog, FormDialog } from '../../../ui/dialogs.js';
import { MerchantField, StoresField, withCodes } from '../reach-fields.js';
import { PERMISSION_WORDS } from '../../../text/code-words.js';
import { Notice } from '../../../ui/notice.js';
import { say } from '../../../ui/toasts.js';
import { AlsoEnd, toQuery } from '../also-end.js';

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
      <Ticks
        legend={t('what_it_may_do')}
        name="permission"
        options={withCodes(PERMISSION_WORDS)}
        chosen={['read']}
      />
      <InputField
        label={t('works_until_the_end_of')}
        hint={t('left_empty_until_it_is_revoked')}
        name="expires_at"
        type="date"
      />
    </FormDialog>
  );
}

interface RotateDialogProps {
  readonly of: Key;
  readonly onClose: () => void;
  readonly onRotated: (key: KeyCreated) => void;
}

export function RotateDialog({ of: key, onClose, onRotated }: RotateDialogProps) {
  const rotate = async (data: FormData) => {
    const overlap = Number(data.get('overlap'));
    onRotated(await client.rotateKey(key.id, { overlap_seconds: overlap }));
  };
  return (
    <FormDialog
      title={t('rotate_the_key')}
      submit={t('make_the_new_key')}
      onSubmit={rotate}
      onClose={onClose}
    >
      <p>
        {tx('a_new_key_with_the_same', {
          key: <bdi>{key.label ?? `…${key.last_four}`}</bdi>,
        })}
      </p>
      <SelectField
        label={t('the_old_one_goes_on_working_for')}
        name="overlap"
        options={[
          ['0', t('no_time_it_ends_now')],
          ['3600', t('an_hour')],
          ['86400', t('a_day')],
          ['604800', t('a_week')],
        ]}
        chosen="86400"
      />
    </FormDialog>
  );
}

interface RevokeDialogProps {
  readonly of: Key;
  /** No other key would be left that may do what it may. */
  readonly isLastOperator: boolean;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeDialog({ of: key, isLastOperator, onClose, onRevoked }: RevokeDialogProps) {
  const isMeant = useSignal(!isLastOperator);
  const alsoEnds = useSignal<readonly (keyof MadeWithKey)[]>([]);
  const revoke = async () => {
    await client.revokeKey(key.id, toQuery(alsoEnds.value));
    say(t('the_key_is_revoked'));
    onRevoked();
  };
  return (
    <ConfirmDialog
      title={t('revoke_the_key')}
      confirm={t('revoke')}
      isReady={isMeant.value}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        {tx('key_digits_stops_working_with_the', {
          key: <bdi>{key.label ?? t('this_key')}</bdi>,
          digits: key.last_four,
        })}
      </p>
      <AlsoEnd keyId={key.id} chosen={alsoEnds} />
      {isLastOperator && (
        <>
          <Notice>{t('it_is_the_only_operator_key')}</Notice>
          <Tick
            checked={isMeant.value}
            onChange={(event) => (isMeant.value = event.currentTarget.checked)}
            label={t('revoke_it_all_the_same')}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
