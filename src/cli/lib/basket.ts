import type {
  MenuConfigurationFlat,
  MenuItemTree,
  MenuTree,
  ModifierGroupTree,
  ModifierItemTree,
  OrderRequest,
} from '#sdk';
import { changeOfFreeUnit, countFreeUnits, DEEPEST_MODIFIERS } from '../../menus/modifier-groups.js';
import { totalsOf } from '../../orders/lines.js';
import { nameOf } from './arguments.js';

export interface Choice {
  readonly item: MenuItemTree;
  readonly quantity: number;
}

export type Basket = Pick<OrderRequest, 'items' | 'price' | 'tax'>;

/** Every item of a tree, once each. */
export function itemsOf(menus: readonly MenuTree[]): Map<string, MenuItemTree> {
  const items = menus.flatMap(({ categories }) => categories.flatMap((category) => category.items));
  return new Map(items.map((item) => [item.external_id, item]));
}

type Choosable = Pick<MenuItemTree, 'modifier_groups'>;

/** Every item of a menu by its external_id, also those that are sold only within others and stand in no category. */
export function componentsOf(flat: MenuConfigurationFlat): Map<string, Choosable> {
  const { items = [], modifier_groups: groups = [], modifier_items: modifiers = [] } = flat;
  const soldOut = new Set(items.flatMap((item) => (item.in_stock === false ? item.external_id : [])));
  const modifierById = new Map(
    modifiers.map((modifier): [string, ModifierItemTree] => {
      const { external_id: id, in_stock: own = true, menu_item_external_id: behind = '' } = modifier;
      return [id, { ...modifier, in_stock: own && !soldOut.has(behind) }];
    }),
  );
  const groupById = new Map(
    groups.map((group): [string, ModifierGroupTree] => {
      const { external_id: id, modifier_item_external_ids: ids = [] } = group;
      return [id, { ...group, modifier_items: ids.flatMap((one) => modifierById.get(one) ?? []) }];
    }),
  );
  return new Map(
    items.map(({ external_id: id, modifier_external_ids: ids = [] }) => [
      id,
      { modifier_groups: ids.flatMap((one) => groupById.get(one) ?? []) },
    ]),
  );
}

/**
 * The lines of an order and their totals. Required modifiers are filled with the first available ones, also those of the
 * `known` items that a modifier stands for.
 */
export function toBasket(choices: readonly Choice[], known: ReadonlyMap<string, Choosable>): Basket {
  const lines = choices.map(({ item, quantity }) => {
    const modifiers = chooseRequired(item, known, 1);
    const { external_id, price, tax } = item;
    return { external_id, name: nameOf(item), quantity, price, tax, modifiers };
  });
  return { items: lines, ...totalsOf(lines) };
}

function chooseRequired(item: Choosable, known: ReadonlyMap<string, Choosable>, depth: number): object[] {
  if (depth > DEEPEST_MODIFIERS) return [];
  return item.modifier_groups.flatMap((group) =>
    fillGroup(group, ({ menu_item_external_id: id = '' }) => {
      const behind = known.get(id);
      return behind === undefined ? [] : chooseRequired(behind, known, depth + 1);
    }),
  );
}

/** The first modifiers that fill the group. One with both free and charged units becomes two entries. */
function fillGroup(
  group: ModifierGroupTree,
  chooseNested: (modifier: ModifierItemTree) => readonly object[],
): object[] {
  const chosen: object[] = [];
  const choose = (modifier: ModifierItemTree, quantity: number, charge: (change: number) => number) => {
    if (quantity === 0) return;
    const nested = chooseNested(modifier);
    chosen.push({
      group_external_id: group.external_id,
      external_id: modifier.external_id,
      name: nameOf(modifier),
      quantity,
      price_change: charge(modifier.price_change),
      tax_change: charge(modifier.tax_change),
      ...(nested.length === 0 ? {} : { modifiers: nested }),
    });
  };
  let selected = 0;
  for (const modifier of group.modifier_items.filter(({ in_stock }) => in_stock)) {
    const missing = group.group_min - selected;
    if (missing <= 0) break;
    const quantity = Math.min(modifier.max_quantity, Math.max(missing, modifier.min_quantity));
    const free = countFreeUnits(group.charge_after, selected, quantity);
    choose(modifier, free, changeOfFreeUnit);
    choose(modifier, quantity - free, (change) => change);
    selected += quantity;
  }
  return chosen;
}
