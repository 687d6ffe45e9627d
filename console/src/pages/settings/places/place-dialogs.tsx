import { useRef } from 'preact/hooks';
import type { Place } from '#sdk';
import { expandLabels } from '../../../../../src/guest/code-sheet.js';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { FormDialog } from '../../../ui/dialogs.js';
import { InputField, NumberField, SelectField, formText } from '../../../ui/field.js';

interface AddDialogProps {
  readonly storeId: string;
  readonly onClose: () => void;
  readonly onAdded: (words: string) => void;
}

/** Adds one place, or a row of numbered ones. */
export function AddDialog({ storeId, onClose, onAdded }: AddDialogProps) {
  // What was added before a failure is not added again by the next try.
  const added = useRef(new Set<string>());
  const add = async (data: FormData) => {
    const labels = labelsOf(formText(data, 'name'), formText(data, 'from'), formText(data, 'to'));
    if (labels.length === 0) throw new Error(t('the_last_number_must_not_be'));
    const kind = formText(data, 'kind') as Place['kind'];
    for (const label of labels.filter((one) => !added.current.has(one))) {
      await client.createPlace(storeId, { label, kind });
      added.current.add(label);
    }
    onAdded(t('count_places_added', { count: labels.length }));
  };
  return (
    <FormDialog title={t('add_places')} submit={t('add')} onSubmit={add} onClose={onClose}>
      <InputField label={t('name')} name="name" required maxLength={90} defaultValue={t('table')} />
      <div class="pair">
        <NumberField name="from" label={t('from_number')} most={99_999} />
        <NumberField name="to" label={t('to_number')} most={99_999} />
      </div>
      <p class="hint">{t('without_numbers_one_place_of_this')}</p>
      <SelectField
        label={t('kind')}
        name="kind"
        options={[
          ['table', t('table')],
          ['pickup', t('pick_up_point')],
        ]}
      />
    </FormDialog>
  );
}

function labelsOf(name: string, from: string, to: string): string[] {
  if (from === '' && to === '') return [name];
  const [first, last] = [from === '' ? to : from, to === '' ? from : to];
  return expandLabels(`{${first}..${last}}`).map((number) => `${name} ${number}`);
}

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
