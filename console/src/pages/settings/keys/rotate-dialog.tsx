import type { Key, KeyCreated } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { tx } from '../../../text/tx.js';
import { Field } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/dialogs/form-dialog.js';

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
      title={t('rotate_the_key')}
      submit={t('make_the_new_key')}
      onSubmit={rotate}
      onClose={onClose}
    >
      <p>
        {tx('a_new_key_with_the_same', {
          key: <bdi>{key.label ?? `…${key.last_four}`}</bdi>,
        })}
      </p>
      <Field label={t('the_old_one_goes_on_working_for')}>
        {(ids) => (
          <select {...ids} class="input" name="overlap" defaultValue="86400">
            <option value="0">{t('no_time_it_ends_now')}</option>
            <option value="3600">{t('an_hour')}</option>
            <option value="86400">{t('a_day')}</option>
            <option value="604800">{t('a_week')}</option>
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
