import { itemBehind, type PricedItem, type PriceList } from '../../menus/price-list.js';
import { MOST_UNITS, type Line } from '../lines.js';

export interface Portion {
  readonly entity_id: number;
  readonly units: number;
}

/** Counts the counted items of an order, in its lines and in modifiers that stand for an item. */
export function portionsOf(lines: readonly Line[], list: PriceList): Portion[] {
  const portions = new Map<number, number>();
  const count = (item: PricedItem | undefined, units: number) => {
    if (item !== undefined && list.counts.has(item.id))
      portions.set(item.id, Math.min((portions.get(item.id) ?? 0) + units, MOST_UNITS));
  };
  for (const { externalId = '', quantity, modifiers } of lines) {
    count(list.items.get(externalId), quantity);
    for (const { externalId: id = '', units } of modifiers) {
      const modifier = list.modifiers.get(id);
      if (modifier !== undefined) count(itemBehind(list, modifier), quantity * units);
    }
  }
  return [...portions].map(([entity_id, units]) => ({ entity_id, units }));
}

/** The most that a capacity can be: past it, how many more does not matter. */
const MOST_MINUTES = 100_000;

/** The part of a menu that says how long its items take. */
export interface PrepTimes {
  readonly items: ReadonlyMap<string, { readonly prepTime: number }>;
}

/** How long the lines take that are on the menu. */
export function prepMinutesOf(lines: readonly Line[], list: PrepTimes): number {
  const minutes = lines.reduce(
    (sum, { externalId = '', quantity }) => sum + quantity * (list.items.get(externalId)?.prepTime ?? 0),
    0,
  );
  return Math.min(minutes, MOST_MINUTES);
}
