import type { Place } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { Dialog } from '../../../ui/dialogs/dialog.js';
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
    onRenamed(t('the_place_is_renamed'));
  };
  return (
    <Dialog
      title={t('rename_the_place')}
      onClose={onClose}
      actions={
        <button type="submit" form="rename-place" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? t('saving') : t('save')}
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
          label={t('name')}
          name="label"
          required
          maxLength={100}
          defaultValue={place.label}
          hint={t('its_code_stays_and_so_does')}
        />
      </form>
    </Dialog>
  );
}
