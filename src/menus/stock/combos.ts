import type { StockedKind } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';

/** What can be had of a configuration, by the positions in its lists. */
export interface StockView {
  isItemInStock(at: number): boolean;
  isModifierInStock(at: number): boolean;
  /** The item that the modifier item stands for, where that item is sold out. */
  findSoldOutItem(modifierAt: number): string | undefined;
}

/** A modifier item that stands for an item is in stock only if both are: answers the item where it is sold out. */
export function findSoldOutItem(
  menuItem: string | undefined,
  isItemInStock: (externalId: string) => boolean,
): string | undefined {
  return menuItem === undefined || isItemInStock(menuItem) ? undefined : menuItem;
}

/** `isOwnInStock` tells of an entity alone, whatever it stands for. */
export function viewStock(
  { items, modifier_items: modifiers = [] }: MenuConfiguration,
  isOwnInStock: (kind: StockedKind, at: number) => boolean,
): StockView {
  let soldOut: ReadonlySet<string> | undefined;
  // Found once, and only where a modifier item stands for an item.
  const isItemInStock = (externalId: string) => {
    soldOut ??= new Set(
      items.flatMap(({ external_id }, at) => (isOwnInStock('item', at) ? [] : [external_id])),
    );
    return !soldOut.has(externalId);
  };
  const soldOutItemOf = (at: number) => findSoldOutItem(modifiers[at]?.menu_item_external_id, isItemInStock);
  return {
    isItemInStock: (at) => isOwnInStock('item', at),
    isModifierInStock: (at) => isOwnInStock('modifier_item', at) && soldOutItemOf(at) === undefined,
    findSoldOutItem: soldOutItemOf,
  };
}
