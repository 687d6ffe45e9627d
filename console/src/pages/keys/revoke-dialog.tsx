import type { Key } from '#sdk';
import { client } from '../../client.js';
import { Dialog } from '../../parts/dialog.js';
import { say } from '../../parts/toasts.js';
import { Trouble } from '../../parts/trouble.js';
import { useTask } from '../../parts/use-task.js';

interface RevokeDialogProps {
  readonly of: Key;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeDialog({ of: key, onClose, onRevoked }: RevokeDialogProps) {
  const { isBusy, error, run } = useTask();
  const revoke = async () => {
    await client.revokeKey(key.id);
    say('The key is revoked');
    onRevoked();
  };
  return (
    <Dialog
      title="Revoke the key?"
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>
            Keep it
          </button>
          <button
            type="button"
            class="button danger primary"
            disabled={isBusy.value}
            onClick={() => run(revoke)}
          >
            Revoke
          </button>
        </>
      }
    >
      {error.value !== undefined && <Trouble error={error.value} />}
      <p>
        <bdi>{key.label ?? 'This key'}</bdi> (…{key.last_four}) stops working with the very next request, and
        everyone who is signed in with it is signed out. There is no way back.
      </p>
    </Dialog>
  );
}
