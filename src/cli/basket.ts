import type { MenuItemTree, MenuTree, ModifierGroupTree, OrderRequest } from '#sdk';
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

/** The first `charge_after` units of a group are free, as in domain/quote; a modifier that is free in part makes two entries. */
function chooseRequired(group: ModifierGroupTree): Modifier[] {
  const chosen: Modifier[] = [];
  let missing = group.group_min;
  let free = group.charge_after;
  for (const modifier of group.modifier_items) {
    let quantity = Math.min(modifier.max_quantity, Math.max(missing, modifier.min_quantity));
    while (missing > 0 && quantity > 0) {
      const units = free > 0 ? Math.min(free, quantity) : quantity;
      const charge = (change: number) => (free > 0 ? Math.min(change, 0) : change);
      chosen.push({
        group_external_id: group.external_id,
        external_id: modifier.external_id,
        name: nameOf(modifier),
        quantity: units,
        price_change: charge(modifier.price_change),
        tax_change: charge(modifier.tax_change),
      });
      missing -= units;
      free -= units;
      quantity -= units;
    }
  }
  return chosen;
}
