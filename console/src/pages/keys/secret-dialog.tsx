import type { KeyCreated } from '#sdk';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog } from '../../parts/dialog.js';
import { Icon } from '../../parts/icon.js';

/** The only time that the secret can be seen. */
export function SecretDialog({
  of: key,
  onClose,
}: {
  readonly of: KeyCreated;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title="The new key"
      onClose={onClose}
      actions={
        <button type="button" class="button primary" onClick={onClose}>
          I have kept it
        </button>
      }
    >
      <p class="notice">
        <Icon name="warning" />
        <span>This is shown once. The service keeps only a hash of it, so nobody can show it again.</span>
      </p>
      <div class="secret">
        <code id="secret">{key.key ?? ''}</code>
        <CopyButton text={key.key ?? ''} label="Copy the key" sourceId="secret" />
      </div>
    </Dialog>
  );
}
