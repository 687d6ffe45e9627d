import type { Place } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { FormDialog } from '../../../ui/dialogs/form-dialog.js';
import { InputField } from '../../../ui/field.js';
import { formText } from '../../../text/form-text.js';

interface RenameDialogProps {
  readonly storeId: string;
  readonly place: Place;
  readonly onClose: () => void;
  readonly onRenamed: (words: string) => void;
}

export function RenameDialog({ storeId, place, onClose, onRenamed }: RenameDialogProps) {
  const rename = async (data: FormData) => {
    await client.changePlace(storeId, place.id, { label: formText(data, 'label') });
    onRenamed(t('the_place_is_renamed'));
  };
  return (
    <FormDialog title={t('rename_the_place')} submit={t('save')} onSubmit={rename} onClose={onClose}>
      <InputField
        label={t('name')}
        name="label"
        required
        maxLength={100}
        defaultValue={place.label}
        hint={t('its_code_stays_and_so_does')}
      />
    </FormDialog>
  );
}
