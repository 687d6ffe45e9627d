import type { Key } from '#sdk';
import { client } from '../../../data/session.js';
import { t, tx } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copy-button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { toDateTime } from '../../../text/format.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { QrCode } from '../../../ui/qr-code.js';

interface LinkDialogProps {
  readonly of: Key;
  readonly onClose: () => void;
}

/** A link that signs a colleague or a tablet in, once; there is no way to see it again. */
export function LinkDialog({ of: key, onClose }: LinkDialogProps) {
  const loaded = useLoad((signal) => client.makeSignInLink(key.id, { signal }), [key.id]);
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <Dialog
      title={tx('sign_in_link_for_name', { name: <bdi>{key.label ?? `…${key.last_four}`}</bdi> })}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <WhenLoaded of={loaded} busy={t('making_the_link')}>
        {({ url, expires_at: expires }) => (
          <div class="stack">
            <p>
              {t('scan_the_code_with_the_tablet', {
                time: toDateTime(expires, timeZone),
              })}
            </p>
            <QrCode text={url} label={t('the_sign_in_link_as_a')} />
            <Copyable text={url} label={t('copy_the_link')} sourceId="sign-in-link" />
          </div>
        )}
      </WhenLoaded>
    </Dialog>
  );
}
