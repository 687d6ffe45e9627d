import { useSignal } from '@preact/signals';
import type { ManagedStore, Place } from '#sdk';
import { t } from '../../../text/t.js';
import { guestLanguages } from '../../../../../src/guest/code-sheet.js';
import { client } from '../../../data/session.js';
import { useLoad } from '../../../ui/loading.js';
import { FormDialog } from '../../../ui/dialogs.js';
import { nameOf, namesOf } from '../../../data/stores.js';
import { printCodes } from './print-codes.js';
import { Tick } from '../../../ui/field.js';

interface PrintDialogProps {
  readonly store: ManagedStore;
  readonly places: readonly Place[];
  readonly onClose: () => void;
}

/** Which codes to print: all of them until some are unticked, or none until some are ticked. */
export function PrintDialog({ store, places, onClose }: PrintDialogProps) {
  const menu = useLoad((signal) => client.getMenuConfigurationFlat(store.id, { signal }), [store.id]);
  const all = places.map(({ id }) => id);
  const chosen = useSignal<readonly string[]>(all);
  const print = () => {
    if (chosen.value.length === 0) throw new Error(t('choose_at_least_one_place'));
    const translations = namesOf(store);
    const languages = guestLanguages({ translations }, menu.value.value?.items);
    onClose();
    printCodes(
      places.filter(({ id }) => chosen.value.includes(id)),
      { title: Object.values(translations)[0] ?? nameOf(store), languages },
    );
  };
  return (
    <FormDialog title={t('print_the_qr_codes')} submit={t('print')} onSubmit={print} onClose={onClose}>
      <fieldset class="field">
        <legend>{t('places')}</legend>
        <Tick
          label={t('all_places')}
          checked={chosen.value.length === all.length}
          onChange={({ currentTarget }) => (chosen.value = currentTarget.checked ? all : [])}
        />
        <div class="place-ticks">
          {places.map(({ id, label }) => (
            <Tick
              key={id}
              label={<bdi>{label}</bdi>}
              checked={chosen.value.includes(id)}
              onChange={({ currentTarget }) => {
                const others = chosen.value.filter((other) => other !== id);
                chosen.value = currentTarget.checked ? [...others, id] : others;
              }}
            />
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}
