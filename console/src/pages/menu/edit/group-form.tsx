import { useSignal } from '@preact/signals';
import { t } from '../../../text/t.js';
import { InputField, NumberField } from '../../../ui/field.js';
import { formNumber, formText } from '../../../text/form-text.js';
import { EntityForm, type FormProps } from './entity-form.js';
import { idsIn, namesOf } from './names.js';
import { Ordered } from './ordered.js';

/** A group of choices: how many a guest takes of it, and which there are. */
export function GroupForm(props: FormProps) {
  const { present, draft } = props;
  const options = useSignal(idsIn(present, 'modifier_item_external_ids'));
  const read = (data: FormData) => ({
    type: formText(data, 'type') || 'choice',
    group_min: formNumber(data, 'group_min') ?? 0,
    group_max: formNumber(data, 'group_max') ?? 0,
    charge_after: formNumber(data, 'charge_after') ?? 0,
    modifier_item_external_ids: options.value,
  });
  return (
    <EntityForm {...props} read={read}>
      {() => (
        <>
          <div class="pair">
            <NumberField name="group_min" label={t('at_least')} value={present?.['group_min'] ?? 0} />
            <NumberField
              name="group_max"
              label={t('at_most')}
              hint={t('zero_no_limit')}
              value={present?.['group_max'] ?? 1}
            />
            <NumberField
              name="charge_after"
              label={t('how_many_are_free')}
              value={present?.['charge_after'] ?? 0}
            />
            <InputField
              label={t('type')}
              name="type"
              defaultValue={(present?.['type'] as string | undefined) ?? 'choice'}
            />
          </div>
          <Ordered
            label={t('choices_in_it')}
            add={t('add_a_choice')}
            ids={options.value}
            all={namesOf(draft.menu, 'modifier_item')}
            onChange={(ids) => (options.value = ids)}
          />
        </>
      )}
    </EntityForm>
  );
}
