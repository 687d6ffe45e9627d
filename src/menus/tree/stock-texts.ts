import type { Counts, StockedKind } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';
import { isInStock, type KeptMarks } from '../stock/marks.js';
import { valueAt } from './fragments.js';

/** What an entity's text has after its id, by its number: its stock and prep_type, where it has them. */
export type StockText = (number: number) => string;

/** Tells by its position in its list whether an entity is in stock. */
type InStock = (kind: StockedKind, index: number) => boolean;

export function stockTexts(
  { menus, categories, items, modifier_groups: groups }: Counts,
  inStock: InStock,
  prepTypeOf: (index: number) => string | undefined = () => undefined,
): StockText {
  const firstItem = menus + categories;
  const firstGroup = firstItem + items;
  const firstModifier = firstGroup + groups;
  return (number) => {
    if (number >= firstModifier) return stockText(inStock('modifier_item', number - firstModifier));
    if (number < firstItem || number >= firstGroup) return '';
    const index = number - firstItem;
    const prepType = prepTypeOf(index);
    const stock = stockText(inStock('item', index));
    return prepType === undefined ? stock : `${stock},"prep_type":${JSON.stringify(prepType)}`;
  };
}

function stockText(inStock: boolean): string {
  return inStock ? ',"in_stock":true' : ',"in_stock":false';
}

/** What decides about the stock of a menu's entities, by their numbers, before the store has marked any. */
export interface PostedStock {
  readonly counts: Counts;
  readonly statedOutOfStock: Uint32Array;
  /** Modifier items that stand for an item: the position of the one in its list, then of the other. */
  readonly standsFor: Uint32Array;
}

/** A modifier item that stands for an item is in stock only if both are. */
export function stockOfPosted(
  { counts, statedOutOfStock, standsFor }: PostedStock,
  ids: readonly number[] = [],
  marks: KeptMarks = new Map(),
): StockText {
  const item = counts.menus + counts.categories;
  const first = { item, modifier_item: item + counts.items + counts.modifier_groups };
  const statedOut = new Set(statedOutOfStock);
  const markOf = (number: number) => marks.get(ids[number] ?? 0);
  const isOwnInStock: InStock = (kind, index) =>
    isInStock(markOf(first[kind] + index), !statedOut.has(first[kind] + index));
  const soldOut = new Set<number>();
  for (let i = 0; i < standsFor.length; i += 2)
    if (!isOwnInStock('item', valueAt(standsFor, i + 1))) soldOut.add(valueAt(standsFor, i));
  return stockTexts(
    counts,
    (kind, index) => isOwnInStock(kind, index) && (kind === 'item' || !soldOut.has(index)),
    (index) => markOf(first.item + index)?.prepType,
  );
}

/** The positions of modifier items and of the items that they stand for, in pairs. */
export function standsForOf({ items, modifier_items: modifiers = [] }: MenuConfiguration): Uint32Array {
  if (modifiers.every(({ menu_item_external_id: item }) => item === undefined)) return new Uint32Array();
  const positions = new Map(items.map(({ external_id }, index) => [external_id, index]));
  return Uint32Array.from(
    modifiers.flatMap(({ menu_item_external_id: item }, index) => {
      const position = item === undefined ? undefined : positions.get(item);
      return position === undefined ? [] : [index, position];
    }),
  );
}
