import type { Key, KeyCreated } from '#sdk';
import { client } from '../../client.js';
import { Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Trouble } from '../../parts/trouble.js';
import { useTask } from '../../parts/use-task.js';

interface RotateDialogProps {
  readonly of: Key;
  readonly onClose: () => void;
  readonly onRotated: (key: KeyCreated) => void;
}

export function RotateDialog({ of: key, onClose, onRotated }: RotateDialogProps) {
  const { isBusy, error, run } = useTask();
  return (
    <Dialog
      title="Rotate the key"
      onClose={onClose}
      actions={
        <button type="submit" form="rotate" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Rotating' : 'Make the new key'}
        </button>
      }
    >
      <form
        id="rotate"
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const overlap = Number(new FormData(event.currentTarget).get('overlap'));
          run(async () => onRotated(await client.rotateKey(key.id, { overlap_seconds: overlap })));
        }}
      >
        {error.value !== undefined && <Trouble error={error.value} />}
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
      </form>
    </Dialog>
  );
}
