import type { Key, KeyCreated } from '#sdk';
import { client } from '../../../data/client.js';
import { t, tx } from '../../../text/t.js';
import { SelectField } from '../../../ui/field.js';
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
      <SelectField
        label={t('the_old_one_goes_on_working_for')}
        name="overlap"
        options={[
          ['0', t('no_time_it_ends_now')],
          ['3600', t('an_hour')],
          ['86400', t('a_day')],
          ['604800', t('a_week')],
        ]}
        chosen="86400"
      />
    </FormDialog>
  );
}
