import { useSignal } from '@preact/signals';
import type { Key, MadeWithKey } from '#sdk';
import { client } from '../../../data/client.js';
import { t, tx } from '../../../text/t.js';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.js';
import { Notice } from '../../../ui/notice.js';
import { say } from '../../../ui/toasts.js';
import { AlsoEnd, toQuery } from '../also-end.js';
import { Tick } from '../../../ui/field.js';

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
