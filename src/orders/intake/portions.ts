import { MOST_UNITS, type Line } from '../lines.js';

export interface Portion {
  readonly entity_id: number;
  readonly units: number;
}

/** Which items are counted, and which of them a modifier stands for. */
export interface CountedItems {
  readonly items: { get(externalId: string): { readonly id: number } | undefined };
  readonly modifiers: { get(externalId: string): { readonly menuItem?: string | undefined } | undefined };
  readonly counts: { has(id: number): boolean };
}

/** Counts the counted items of an order, in its lines and in modifiers that stand for an item. */
export function portionsOf(
  lines: readonly Line[],
  { items, modifiers: known, counts }: CountedItems,
): Portion[] {
  const portions = new Map<number, number>();
  const count = (externalId: string | undefined, units: number) => {
    const item = externalId === undefined ? undefined : items.get(externalId);
    if (item !== undefined && counts.has(item.id))
      portions.set(item.id, Math.min((portions.get(item.id) ?? 0) + units, MOST_UNITS));
  };
  for (const { externalId, quantity, modifiers } of lines) {
    count(externalId, quantity);
    for (const { externalId: id = '', units } of modifiers) count(known.get(id)?.menuItem, quantity * units);
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
