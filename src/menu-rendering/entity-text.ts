import type { Category, Item, Menu, Modifier, ModifierGroup } from '../domain/menu/shapes.js';

const NAMELESS = { translations: {} };

/** The fields before the nested list, the name of that list, and the fields after it. */
type Parts = readonly [before: object, list: string, after: object];

export function wrap(
  [before, list, after]: Parts,
  nested: readonly number[],
): [string, readonly number[], string] {
  const rest = JSON.stringify(after);
  const head = `${JSON.stringify(before).slice(0, -1)},"${list}":[`;
  return [head, nested, rest === '{}' ? ']}' : `],${rest.slice(1)}`];
}

export function menuParts({ external_id, name = NAMELESS, availability }: Menu, id: number): Parts {
  return [{ id, external_id, name }, 'categories', { availability }];
}

export function categoryParts({ external_id, name, description }: Category, id: number): Parts {
  return [{ id, external_id, name }, 'items', { description }];
}

export function itemParts(item: Item, id: number, in_stock: boolean, prep_type: string | undefined): Parts {
  const { external_id, name, price, tax, sell_separately } = item;
  const { description, ingredients, allergens, dietary_labels, prep_time, alcohol_by_volume } = item;
  return [
    { id, external_id, name, price, tax, in_stock, sell_separately },
    'modifier_groups',
    { description, ingredients, allergens, dietary_labels, prep_time, alcohol_by_volume, prep_type },
  ];
}

export function groupParts(group: ModifierGroup, id: number): Parts {
  const { external_id, type, name, group_max, group_min, charge_after, description } = group;
  const before = { id, external_id, type, name, group_max, group_min, charge_after };
  return [before, 'modifier_items', { description }];
}

export function modifierTree(modifier: Modifier, id: number, in_stock: boolean): object {
  const { external_id, name, price_change, tax_change, ...rest } = modifier;
  const { min_quantity, max_quantity, default_quantity, menu_item_external_id, description } = rest;
  const quantities = { min_quantity, max_quantity, default_quantity };
  return {
    id,
    external_id,
    name,
    price_change,
    tax_change,
    in_stock,
    ...quantities,
    menu_item_external_id,
    description,
  };
}
