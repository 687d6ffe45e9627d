import { useSignal } from '@preact/signals';
import { t } from '../../../text/t.js';
import type { Entity } from './draft.js';
import { EntityForm, type FormProps } from './entity-form.js';
import { Ordered, PriceFields } from './form-parts.js';
import { idsIn, nameOf, namesOf, newId } from './names.js';
import { priceIn, usualRate } from './price.js';
import type { Draft } from './use-draft.js';

/** An item put together from others: of each part a guest takes one dish. Groups and choices are made and named by themselves. */
export function ComboForm(props: FormProps) {
  const { draft, currency } = props;
  const parts = useSignal<readonly (readonly string[])[]>([]);
  const read = (data: FormData) => {
    const price = priceIn(data, undefined, currency);
    const filled = parts.value.filter((dishes) => dishes.length > 0);
    if (filled.length === 0) throw new Error(t('choose_the_dishes_of_the_combo'));
    return { ...price, sell_separately: true, modifier_external_ids: putParts(draft, filled) };
  };
  return (
    <EntityForm {...props} title={t('new_combo')} read={read}>
      <PriceFields
        label={currency === undefined ? t('price_with_tax') : t('price_with_tax_currency', { currency })}
        gross=""
        rate={usualRate(draft.menu.item.values())}
      />
      {[...parts.value, []].map((dishes, i) => (
        <Ordered
          key={i}
          label={
            dishes.length === 0 ? t('part_number', { number: i + 1 }) : nameOf(titleOf(draft, dishes), '')
          }
          add={t('add_a_dish')}
          ids={dishes}
          all={namesOf(draft.menu, 'item')}
          onChange={(ids) => (parts.value = parts.value.toSpliced(i, 1, ids))}
        />
      ))}
    </EntityForm>
  );
}

/** What a part is called: as its only dish, else as the category of the first. */
function titleOf({ menu }: Draft, dishes: readonly string[]): Entity | undefined {
  const [first = ''] = dishes;
  const category = [...menu.category.values()].find((one) => idsIn(one, 'item_external_ids').includes(first));
  return dishes.length === 1 ? menu.item.get(first) : (category ?? menu.item.get(first));
}

/** Puts a group for each part, and in it a choice for each dish, into the draft; the ids of the groups. */
function putParts(draft: Draft, parts: readonly (readonly string[])[]): string[] {
  const made = { modifier_group: new Map<string, Entity>(), modifier_item: new Map<string, Entity>() };
  const add = (kind: keyof typeof made, named: Entity | undefined, fields: object) => {
    const taken = [draft.menu[kind], draft.published.menu[kind], made[kind]];
    const id = newId(nameOf(named, ''), kind, taken);
    made[kind].set(id, { name: named?.['name'], ...fields, external_id: id });
    return id;
  };
  for (const dishes of parts) {
    const choices = dishes.map((dish) =>
      add('modifier_item', draft.menu.item.get(dish), {
        price_change: 0,
        tax_change: 0,
        min_quantity: 0,
        max_quantity: 1,
        default_quantity: dishes.length === 1 ? 1 : 0,
        menu_item_external_id: dish,
      }),
    );
    add('modifier_group', titleOf(draft, dishes), {
      type: 'choice',
      group_min: 1,
      group_max: 1,
      charge_after: 0,
      modifier_item_external_ids: choices,
    });
  }
  for (const kind of ['modifier_item', 'modifier_group'] as const)
    draft.put(...[...made[kind].values()].map((entity) => [kind, undefined, entity] as const));
  return [...made.modifier_group.keys()];
}
