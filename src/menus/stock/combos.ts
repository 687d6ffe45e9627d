import type { StockedKind } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';

/** What can be had of a configuration, by the positions in its lists. */
export interface StockView {
  isItemInStock(index: number): boolean;
  isModifierInStock(index: number): boolean;
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
  isOwnInStock: (kind: StockedKind, index: number) => boolean,
): StockView {
  let soldOut: ReadonlySet<string> | undefined;
  // Found once, and only where a modifier item stands for an item.
  const isItemInStock = (externalId: string) => {
    soldOut ??= new Set(
      items.flatMap(({ external_id }, index) => (isOwnInStock('item', index) ? [] : [external_id])),
    );
    return !soldOut.has(externalId);
  };
  const soldOutItemOf = (index: number) =>
    findSoldOutItem(modifiers[index]?.menu_item_external_id, isItemInStock);
  return {
    isItemInStock: (index) => isOwnInStock('item', index),
    isModifierInStock: (index) => isOwnInStock('modifier_item', index) && soldOutItemOf(index) === undefined,
    findSoldOutItem: soldOutItemOf,
  };
}
