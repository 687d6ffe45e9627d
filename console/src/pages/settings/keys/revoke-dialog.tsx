import { useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { Key } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { tx } from '../../../text/tx.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Icon } from '../../../ui/icon.js';
import { say } from '../../../ui/toasts.js';
import { useLoad } from '../../../ui/use-load.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';

interface RevokeDialogProps {
  readonly of: Key;
  /** No other key would be left that may do what it may. */
  readonly isLastOperator: boolean;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeDialog({ of: key, isLastOperator, onClose, onRevoked }: RevokeDialogProps) {
  const isMeant = useSignal(!isLastOperator);
  const endsWebhooks = useRef<HTMLInputElement>(null);
  const loaded = useLoad(
    async (signal) => {
      const made = await client.listWebhooks({ key_id: key.id, limit: 1000 }, { signal });
      return made.filter(({ status }) => status === 'active').length;
    },
    [key.id],
  );
  const revoke = async () => {
    await client.revokeKey(key.id, { webhooks: endsWebhooks.current?.checked === true ? 'disable' : 'keep' });
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
      <WhenLoaded of={loaded} busy={t('looking_for_its_webhooks')}>
        {(made) =>
          made > 0 && (
            <label class="check">
              <input type="checkbox" ref={endsWebhooks} />
              {t('count_webhooks_made_with_it_go', { count: made })}
            </label>
          )
        }
      </WhenLoaded>
      {isLastOperator && (
        <>
          <p class="notice">
            <Icon name="warning" />
            <span>{t('it_is_the_only_operator_key')}</span>
          </p>
          <label class="check">
            <input
              type="checkbox"
              checked={isMeant.value}
              onChange={(event) => (isMeant.value = event.currentTarget.checked)}
            />
            <span>{t('revoke_it_all_the_same')}</span>
          </label>
        </>
      )}
    </ConfirmDialog>
  );
}
