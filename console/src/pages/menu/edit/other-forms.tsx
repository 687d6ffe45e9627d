import { useSignal } from '@preact/signals';
import type { Availability } from '#sdk';
import { t } from '../../../text/t.js';
import { EntityForm, type FormProps } from './entity-form.js';
import { idsIn, namesOf } from './names.js';
import { Ordered, PriceFields } from './form-parts.js';
import { readWeek, WeekFields } from '../../../ui/weekly-hours-fields.js';
import type { Entity } from './draft.js';
import { InputField, NumberField, SelectField, formNumber, formText } from '../../../ui/field.js';
import { priceIn, priceOf, toPriceTexts, usualRate } from './price.js';

/** A category, and the items in it. */
export function CategoryForm(props: FormProps) {
  const { present, draft } = props;
  const items = useSignal(idsIn(present, 'item_external_ids'));
  return (
    <EntityForm {...props} read={() => ({ item_external_ids: items.value })}>
      <Ordered
        label={t('items')}
        add={t('add_an_item')}
        ids={items.value}
        all={namesOf(draft.menu, 'item')}
        onChange={(ids) => (items.value = ids)}
      />
    </EntityForm>
  );
}

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
      <WeekFields hours={hoursOf(present)} hint={t('such_as_11_30_14_00')} />
      <Ordered
        label={t('categories')}
        add={t('add_a_category')}
        ids={categories.value}
        all={namesOf(draft.menu, 'category')}
        onChange={(ids) => (categories.value = ids)}
      />
    </EntityForm>
  );
}

function hoursOf(entity: Entity | undefined): readonly Availability[] {
  return (entity?.['availability'] as readonly Availability[] | undefined) ?? [];
}

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
    </EntityForm>
  );
}

/** One choice: what it adds to the price, how many may be taken, and the item that it stands for. */
export function OptionForm(props: FormProps) {
  const { present, draft, currency } = props;
  const read = (data: FormData, before: Entity | undefined) => {
    const change = priceIn(data, before && priceOf('modifier_item', before), currency);
    return {
      price_change: change.price,
      tax_change: change.tax,
      min_quantity: formNumber(data, 'min_quantity') ?? 0,
      max_quantity: formNumber(data, 'max_quantity') ?? 1,
      default_quantity: formNumber(data, 'default_quantity') ?? 0,
      menu_item_external_id: formText(data, 'menu_item_external_id') || undefined,
    };
  };
  const change = present && priceOf('modifier_item', present);
  const stands = (present?.['menu_item_external_id'] as string | undefined) ?? '';
  return (
    <EntityForm {...props} read={read}>
      <PriceFields
        label={t('adds_to_the_price_with_tax')}
        {...(change === undefined || change.price === 0
          ? {
              gross: toPriceTexts({ price: 0, tax: 0 }, currency).gross,
              rate: usualRate(draft.menu.item.values()),
            }
          : toPriceTexts(change, currency))}
      />
      <div class="pair">
        <NumberField name="min_quantity" label={t('least_quantity')} value={present?.['min_quantity'] ?? 0} />
        <NumberField
          name="max_quantity"
          label={t('largest_quantity')}
          value={present?.['max_quantity'] ?? 1}
        />
        <NumberField
          name="default_quantity"
          label={t('usual_quantity')}
          value={present?.['default_quantity'] ?? 0}
        />
        <SelectField
          label={t('stands_for_item')}
          hint={t('in_a_combo_sold_out_together')}
          name="menu_item_external_id"
          options={[['', t('none')], ...namesOf(draft.menu, 'item')]}
          chosen={stands}
        />
      </div>
    </EntityForm>
  );
}
