import { useSignal } from '@preact/signals';
import type { Availability } from '#sdk';
import { t } from '../../../text/t.js';
import { readWeek, WeekFields } from '../../../ui/weekly-hours-fields.js';
import type { Entity } from './draft.js';
import { EntityForm, type FormProps } from './entity-form.js';
import { idsIn, namesOf } from './names.js';
import { Ordered } from './ordered.js';

/** A menu: when it is served, and what is on it. */
export function MenuForm(props: FormProps) {
  const { present, draft } = props;
  const categories = useSignal(idsIn(present, 'category_external_ids'));
  const read = (data: FormData, before: Entity | undefined) => ({
    // Hours that read as before stay as they were written.
    availability: readWeek(data, hoursOf(before)) ?? hoursOf(before),
    category_external_ids: categories.value,
  });
  return (
    <EntityForm {...props} read={read}>
      {() => (
        <>
          <WeekFields hours={hoursOf(present)} hint={t('such_as_11_30_14_00')} />
          <Ordered
            label={t('categories')}
            add={t('add_a_category')}
            ids={categories.value}
            all={namesOf(draft.menu, 'category')}
            onChange={(ids) => (categories.value = ids)}
          />
        </>
      )}
    </EntityForm>
  );
}

function hoursOf(entity: Entity | undefined): readonly Availability[] {
  return (entity?.['availability'] as readonly Availability[] | undefined) ?? [];
}
