import type { MenuItemTree, MenuTree, ModifierGroupTree, ModifierItemTree, OrderRequest } from '#sdk';
import { changeOfFreeUnit, countFreeUnits } from '../domain/menu/modifier-groups.js';
import { nameOf } from './store-argument.js';

/** So many of an item. */
export interface Choice {
  readonly item: MenuItemTree;
  readonly quantity: number;
}

type Basket = Pick<OrderRequest, 'items' | 'price' | 'tax'>;

interface Modifier {
  readonly group_external_id: string;
  readonly external_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly price_change: number;
  readonly tax_change: number;
}

/** Every item that a tree lists, once. */
export function itemsOf(menus: readonly MenuTree[]): Map<string, MenuItemTree> {
  const items = menus.flatMap(({ categories }) => categories.flatMap((category) => category.items));
  return new Map(items.map((item) => [item.external_id, item]));
}

/** An order's lines and what they come to. What an item cannot be had without is chosen, the first that will do. */
export function toBasket(choices: readonly Choice[]): Basket {
  const lines = choices.map(({ item, quantity }) => {
    const modifiers = item.modifier_groups.flatMap(chooseRequired);
    const { external_id, price, tax } = item;
    return { external_id, name: nameOf(item), quantity, price, tax, modifiers };
  });
  const sum = (field: 'price' | 'tax') =>
    lines.reduce((total, line) => {
      const changes = line.modifiers.reduce((all, one) => all + one.quantity * one[`${field}_change`], 0);
      return total + line.quantity * (line[field] + changes);
    }, 0);
  return { items: lines, price: sum('price'), tax: sum('tax') };
}

/** The first modifiers that fill the group; one of which some units are free and others not makes two entries. */
function chooseRequired(group: ModifierGroupTree): Modifier[] {
  const chosen: Modifier[] = [];
  const choose = (modifier: ModifierItemTree, quantity: number, charge: (change: number) => number) => {
    if (quantity === 0) return;
    chosen.push({
      group_external_id: group.external_id,
      external_id: modifier.external_id,
      name: nameOf(modifier),
      quantity,
      price_change: charge(modifier.price_change),
      tax_change: charge(modifier.tax_change),
    });
  };
  let selected = 0;
  for (const modifier of group.modifier_items) {
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
