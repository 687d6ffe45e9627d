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
    say(t('The key is revoked'));
    onRevoked();
  };
  return (
    <ConfirmDialog
      title={t('Revoke the key?')}
      confirm={t('Revoke')}
      isReady={isMeant.value}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        {tx(
          '{key} (…{digits}) stops working with the very next request, and everyone who is signed in with it is signed out. There is no way back.',
          { key: <bdi>{key.label ?? t('This key')}</bdi>, digits: key.last_four },
        )}
      </p>
      <WhenLoaded of={loaded} busy={t('Looking for its webhooks')}>
        {(made) =>
          made > 0 && (
            <label class="check">
              <input type="checkbox" ref={endsWebhooks} />
              {t(
                '{count} webhook made with it goes on: end it too | {count} webhooks made with it go on: end them too',
                { count: made },
              )}
            </label>
          )
        }
      </WhenLoaded>
      {isLastOperator && (
        <>
          <p class="notice">
            <Icon name="warning" />
            <span>
              {t(
                'It is the only operator key that works. Without it nobody can issue keys, add stores or change them; a new one can only be made on the machine that runs the service.',
              )}
            </span>
          </p>
          <label class="check">
            <input
              type="checkbox"
              checked={isMeant.value}
              onChange={(event) => (isMeant.value = event.currentTarget.checked)}
            />
            <span>{t('Revoke it all the same')}</span>
          </label>
        </>
      )}
    </ConfirmDialog>
  );
}
