import { useSignal } from '@preact/signals';
import type { Place } from '#sdk';
import { expandLabels } from '../../../../../src/guest/code-sheet.js';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { Dialog } from '../../../ui/dialogs/dialog.js';
import { Field, InputField } from '../../../ui/field.js';
import { formText } from '../../../text/form-text.js';
import { Trouble } from '../../../ui/error-notice.js';
import { useTask } from '../../../ui/use-task.js';

interface AddDialogProps {
  readonly storeId: string;
  readonly onClose: () => void;
  readonly onAdded: (words: string) => void;
}

/** Adds one place, or a row of numbered ones. */
export function AddDialog({ storeId, onClose, onAdded }: AddDialogProps) {
  const { isBusy, error, run } = useTask();
  const added = useSignal(0);
  const add = async (data: FormData) => {
    const labels = labelsOf(formText(data, 'name'), formText(data, 'from'), formText(data, 'to'));
    if (labels.length === 0) throw new Error(t('the_last_number_must_not_be'));
    const kind = formText(data, 'kind') as Place['kind'];
    // What was added before a failure is not added again by the next try.
    for (const label of labels.slice(added.value)) {
      await client.createPlace(storeId, { label, kind });
      added.value += 1;
    }
    onAdded(t('count_places_added', { count: labels.length }));
  };
  return (
    <Dialog
      title={t('add_places')}
      onClose={onClose}
      actions={
        <button type="submit" form="add-places" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? t('adding') : t('add')}
        </button>
      }
    >
      <form
        id="add-places"
        class="form"
        onInput={() => (added.value = 0)}
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          run(() => add(data));
        }}
      >
        {error.value !== undefined && <Trouble error={error.value} />}
        <InputField label={t('name')} name="name" required maxLength={90} defaultValue={t('table')} />
        <div class="pair">
          <NumberField name="from" label={t('from_number')} />
          <NumberField name="to" label={t('to_number')} />
        </div>
        <p class="hint">{t('without_numbers_one_place_of_this')}</p>
        <Field label={t('kind')}>
          {(ids) => (
            <select {...ids} class="input" name="kind">
              <option value="table">{t('table')}</option>
              <option value="pickup">{t('pick_up_point')}</option>
            </select>
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function NumberField({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <Field label={label}>
      {(ids) => <input {...ids} class="input" type="number" name={name} min={0} max={99999} />}
    </Field>
  );
}

function labelsOf(name: string, from: string, to: string): string[] {
  if (from === '' && to === '') return [name];
  const [first, last] = [from === '' ? to : from, to === '' ? from : to];
  return expandLabels(`{${first}..${last}}`).map((number) => `${name} ${number}`);
}
