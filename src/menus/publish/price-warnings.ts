import { lowestChanges } from '../modifier-groups.js';
import type { MenuConfiguration } from '../shapes.js';
import type { Warn } from './prepared-menu.js';

/** A price that becomes more than this many times what it was, or less than that part of it, is probably a slip. */
const ODD_FACTOR = 3;
/** So is one of this many times the median of its category. */
const MEDIAN_FACTOR = 10;
/** Prices looked at in all: an item may be listed in very many categories. */
const MOST_PRICES = 200_000;

/** Prices that grow or fall by more than a factor of three. What costs nothing, before or after, is told of elsewhere. */
export function warnOfPriceJumps(current: MenuConfiguration, next: MenuConfiguration, warn: Warn): void {
  warnOfJumps('items', 'price', current.items, next.items, warn);
  warnOfJumps('modifier_items', 'price_change', current.modifier_items, next.modifier_items, warn);
}

function warnOfJumps<Field extends 'price' | 'price_change'>(
  list: 'items' | 'modifier_items',
  field: Field,
  current: readonly Priced<Field>[] = [],
  next: readonly Priced<Field>[] = [],
  warn: Warn,
): void {
  const known = new Map(current.map((entity) => [entity.external_id, entity[field]]));
  next.forEach(({ external_id, [field]: after }, index) => {
    const before = known.get(external_id) ?? 0;
    if (before === 0 || after === 0 || !isOdd(before, after)) return;
    warn('price_jump', [list, index, field], () => ({
      msg: `The ${field} of '${external_id}' goes from ${before} to ${after}, which is more than a factor of ${ODD_FACTOR}`,
      ctx: { external_id, before, after },
    }));
  });
}

type Priced<Field extends string> = { readonly external_id: string } & Readonly<Record<Field, number>>;

function isOdd(before: number, after: number): boolean {
  const ratio = after / before;
  return ratio > ODD_FACTOR || ratio * ODD_FACTOR < 1;
}

/** Items that cost ten times as much as is usual in their category; each is told once. */
export function warnOfPriceOutliers({ items, categories = [] }: MenuConfiguration, warn: Warn): void {
  const indexes = new Map(items.map(({ external_id }, index) => [external_id, index]));
  const told = new Set<number>();
  let left = MOST_PRICES;
  for (const { external_id: category, item_external_ids: listed = [] } of categories) {
    left -= listed.length;
    if (left < 0) return;
    const positions = [...new Set(listed)].flatMap((item) => indexes.get(item) ?? []);
    const priceAt = (index: number) => items[index]?.price ?? 0;
    const median = medianOf(positions.map(priceAt).filter((price) => price > 0));
    if (median === undefined) continue;
    for (const index of positions) {
      const price = priceAt(index);
      if (price < median * MEDIAN_FACTOR || told.has(index)) continue;
      told.add(index);
      const external_id = items[index]?.external_id ?? '';
      warn('price_outlier', ['items', index, 'price'], () => ({
        msg: `The item '${external_id}' costs ${price}; the median of the category '${category}' is ${median}`,
        ctx: { external_id, category_external_id: category, price, median },
      }));
    }
  }
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** Items that cost nothing, and items from which modifiers can take off more than they cost. */
export function warnOfPrices(configuration: MenuConfiguration, warn: Warn): void {
  const { items, modifier_groups: groups = [], modifier_items: modifiers = [] } = configuration;
  const known = new Map(modifiers.map((modifier) => [modifier.external_id, modifier]));
  const lowest = new Map(groups.map((group) => [group.external_id, lowestChanges(group, known)]));
  items.forEach(({ external_id, price, tax, sell_separately, modifier_external_ids = [] }, index) => {
    if (!sell_separately) return;
    if (price === 0)
      warn('price_zero', ['items', index, 'price'], () => ({
        msg: `The item '${external_id}' costs nothing`,
        ctx: { external_id },
      }));
    const least = { price, tax };
    for (const group of new Set(modifier_external_ids)) {
      least.price += lowest.get(group)?.price ?? 0;
      least.tax += lowest.get(group)?.tax ?? 0;
    }
    if (least.price >= 0 && least.tax >= 0) return;
    const [what, sum] = least.price < 0 ? ['price', least.price] : ['tax', least.tax];
    warn('negative_line', ['items', index], () => ({
      msg: `The ${what} of '${external_id}' can fall to ${sum}: its modifiers can subtract more than it has`,
      ctx: { external_id, [`least_${what}`]: sum },
    }));
  });
}
