import type { ManagedStore, MultilingualText, Place } from '#sdk';
import { t } from '../../../text/t.js';
import { FormDialog } from '../../../ui/dialogs/form-dialog.js';
import { nameOf } from '../../../data/stores.js';
import { printCodes } from './print-codes.js';
import { Tick } from '../../../ui/field.js';

interface PrintDialogProps {
  readonly store: ManagedStore;
  readonly places: readonly Place[];
  readonly onClose: () => void;
}

/** Which codes to print; all of them, until some are unticked. */
export function PrintDialog({ store, places, onClose }: PrintDialogProps) {
  const print = (data: FormData) => {
    const chosen = new Set(data.getAll('place'));
    const { translations = {} } = store.name as Partial<MultilingualText>;
    const languages = [
      ...Object.keys(translations),
      ...Object.keys(store.guest?.welcome?.translations ?? {}),
    ];
    onClose();
    printCodes(
      places.filter(({ id }) => chosen.has(id)),
      { title: Object.values(translations)[0] ?? nameOf(store), languages },
    );
    return Promise.resolve();
  };
  return (
    <FormDialog title={t('print_the_qr_codes')} submit={t('print')} onSubmit={print} onClose={onClose}>
      <fieldset class="field">
        <legend>{t('places')}</legend>
        <div class="place-ticks">
          {places.map(({ id, label }) => (
            <Tick key={id} name="place" value={id} defaultChecked label={<bdi>{label}</bdi>} />
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}
