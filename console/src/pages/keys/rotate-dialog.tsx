import type { Key, KeyCreated } from '#sdk';
import { client } from '../../client.js';
import { Field } from '../../parts/field.js';
import { FormDialog } from '../../parts/form-dialog.js';

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
    <FormDialog title="Rotate the key" submit="Make the new key" onSubmit={rotate} onClose={onClose}>
      <p>
        A new key with the same reach takes the place of <bdi>{key.label ?? `…${key.last_four}`}</bdi>.
      </p>
      <Field label="The old one goes on working for">
        {(ids) => (
          <select {...ids} class="input" name="overlap" defaultValue="86400">
            <option value="0">no time: it ends now</option>
            <option value="3600">an hour</option>
            <option value="86400">a day</option>
            <option value="604800">a week</option>
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
