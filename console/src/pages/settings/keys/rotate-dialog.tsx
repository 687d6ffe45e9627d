import type { Key, KeyCreated } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { tx } from '../../../text/tx.js';
import { Field } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';

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
      title={t('Rotate the key')}
      submit={t('Make the new key')}
      onSubmit={rotate}
      onClose={onClose}
    >
      <p>
        {tx('A new key with the same reach takes the place of {key}.', {
          key: <bdi>{key.label ?? `…${key.last_four}`}</bdi>,
        })}
      </p>
      <Field label={t('The old one goes on working for')}>
        {(ids) => (
          <select {...ids} class="input" name="overlap" defaultValue="86400">
            <option value="0">{t('no time: it ends now')}</option>
            <option value="3600">{t('an hour')}</option>
            <option value="86400">{t('a day')}</option>
            <option value="604800">{t('a week')}</option>
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
