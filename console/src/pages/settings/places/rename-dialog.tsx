import type { Place } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { Dialog } from '../../../ui/dialog.js';
import { InputField } from '../../../ui/field.js';
import { formText } from '../../../text/form-text.js';
import { Trouble } from '../../../ui/error-notice.js';
import { useTask } from '../../../ui/use-task.js';

interface RenameDialogProps {
  readonly storeId: string;
  readonly place: Place;
  readonly onClose: () => void;
  readonly onRenamed: (words: string) => void;
}

export function RenameDialog({ storeId, place, onClose, onRenamed }: RenameDialogProps) {
  const { isBusy, error, run } = useTask();
  const rename = async (label: string) => {
    await client.changePlace(storeId, place.id, { label });
    onRenamed(t('The place is renamed'));
  };
  return (
    <Dialog
      title={t('Rename the place')}
      onClose={onClose}
      actions={
        <button type="submit" form="rename-place" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? t('Saving') : t('Save')}
        </button>
      }
    >
      <form
        id="rename-place"
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const label = formText(new FormData(event.currentTarget), 'label');
          run(() => rename(label));
        }}
      >
        {error.value !== undefined && <Trouble error={error.value} />}
        <InputField
          label={t('Name')}
          name="label"
          required
          maxLength={100}
          defaultValue={place.label}
          hint={t('Its code stays, and so does the name on orders that were made')}
        />
      </form>
    </Dialog>
  );
}
