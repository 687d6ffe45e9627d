import type { Key } from '#sdk';
import { client } from '../../client.js';
import { ConfirmDialog } from '../../parts/confirm-dialog.js';
import { say } from '../../parts/toasts.js';

interface RevokeDialogProps {
  readonly of: Key;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeDialog({ of: key, onClose, onRevoked }: RevokeDialogProps) {
  const revoke = async () => {
    await client.revokeKey(key.id);
    say('The key is revoked');
    onRevoked();
  };
  return (
    <ConfirmDialog title="Revoke the key?" confirm="Revoke" onConfirm={revoke} onClose={onClose}>
      <p>
        <bdi>{key.label ?? 'This key'}</bdi> (…{key.last_four}) stops working with the very next request, and
        everyone who is signed in with it is signed out. There is no way back.
      </p>
    </ConfirmDialog>
  );
}
