import { memberOf } from '../../menus/kinds.js';
import { DEEPEST_MODIFIERS } from '../../menus/modifier-groups.js';
import { itemBehind, type PricedItem, type PriceList } from '../../menus/price-list.js';

/** So many units of a counted item. */
export interface Portion {
  readonly entity_id: number;
  readonly units: number;
}

/** More than can ever be left: past it, how many more does not matter. */
const ENOUGH = 1_000_000;

/**
 * Counts the counted items of an order, in its lines and in modifiers that stand for an item. An unchecked order can have
 * items of any form; those that cannot be read count as none.
 */
export function portionsOf(items: readonly unknown[], list: PriceList): Portion[] {
  const units = new Map<number, number>();
  const count = (item: PricedItem | undefined, times: number) => {
    if (item !== undefined && times > 0 && list.counts.has(item.id))
      units.set(item.id, Math.min((units.get(item.id) ?? 0) + times, ENOUGH));
  };
  const countModifiers = (part: unknown, times: number, depth: number) => {
    const modifiers = memberOf(part, 'modifiers');
    if (!Array.isArray(modifiers) || depth > DEEPEST_MODIFIERS) return;
    for (const entry of modifiers as unknown[]) {
      const modifier = list.modifiers.get(externalIdOf(entry));
      const total = times * quantityOf(entry);
      if (modifier !== undefined) count(itemBehind(list, modifier), total);
      countModifiers(entry, total, depth + 1);
    }
  };
  for (const line of items) {
    const quantity = quantityOf(line);
    count(list.items.get(externalIdOf(line)), quantity);
    countModifiers(line, quantity, 1);
  }
  return [...units].map(([entity_id, total]) => ({ entity_id, units: total }));
}

/** The most that a capacity can be: past it, how many more does not matter. */
const MOST_MINUTES = 100_000;

/** The part of a menu that says how long its items take. */
export interface PrepTimes {
  readonly items: ReadonlyMap<string, { readonly prepTime: number }>;
}

/** How long the lines take that are on the menu. */
export function prepMinutesOf(items: readonly unknown[], list: PrepTimes): number {
  const minutes = items.reduce<number>(
    (sum, line) => sum + quantityOf(line) * (list.items.get(externalIdOf(line))?.prepTime ?? 0),
    0,
  );
  return Math.min(minutes, MOST_MINUTES);
}

function externalIdOf(part: unknown): string {
  const externalId = memberOf(part, 'external_id');
  return typeof externalId === 'string' ? externalId : '';
}

function quantityOf(part: unknown): number {
  const quantity = memberOf(part, 'quantity') ?? 1;
  return typeof quantity === 'number' && Number.isSafeInteger(quantity) && quantity > 0
    ? Math.min(quantity, ENOUGH)
    : 0;
}
