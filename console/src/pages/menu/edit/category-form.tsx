import { useSignal } from '@preact/signals';
import { t } from '../../../text/t.js';
import { EntityForm, type FormProps } from './entity-form.js';
import { idsIn, namesOf } from './names.js';
import { Ordered } from './ordered.js';

/** A category, and the items in it. */
export function CategoryForm(props: FormProps) {
  const { present, draft } = props;
  const items = useSignal(idsIn(present, 'item_external_ids'));
  return (
    <EntityForm {...props} read={() => ({ item_external_ids: items.value })}>
      {() => (
        <Ordered
          label={t('items')}
          add={t('add_an_item')}
          ids={items.value}
          all={namesOf(draft.menu, 'item')}
          onChange={(ids) => (items.value = ids)}
        />
      )}
    </EntityForm>
  );
}
