import { weekHours } from '../../src/calendar/hours.js';
import { openAt } from '../../src/calendar/open-hours.js';
import type { MenuConfiguration } from '../../src/menus/shapes.js';

/** The rules of a quote once more, in the plainest words: unit by unit, with big integers, looking everything up anew. */

export interface Order {
  readonly items: readonly Line[];
  readonly price?: number;
  readonly tax?: number;
}

export interface Line {
  readonly external_id: string;
  readonly quantity: number;
  readonly price?: number;
  readonly tax?: number;
  readonly modifiers?: readonly Entry[];
}

export interface Entry {
  readonly group_external_id: string;
  readonly external_id: string;
  readonly quantity?: number;
  readonly price_change?: number;
  readonly tax_change?: number;
  readonly modifiers?: readonly Entry[];
}

export interface Shop {
  readonly menu: MenuConfiguration;
  readonly soldOutItems: ReadonlySet<string>;
  readonly soldOutModifiers: ReadonlySet<string>;
  readonly at: Date;
  readonly timezone: string;
}

type ErrorPosition = [type: string, loc: (string | number)[], group?: string];

export type Verdict = { readonly quote: unknown } | { readonly errors: ErrorPosition[] };

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

export function judge(shop: Shop, order: Order): Verdict {
  const errors: ErrorPosition[] = [];
  const mismatches: ErrorPosition[] = [];
  const lines = order.items.map((line, i) => judgeLine(shop, line, ['body', 'items', i], errors, mismatches));
  if (errors.length > 0) return { errors: [...errors, ...mismatches] };
  const price = lines.reduce((sum, line) => sum + (line?.price ?? 0n), 0n);
  const tax = lines.reduce((sum, line) => sum + (line?.tax ?? 0n), 0n);
  if (price > LARGEST || tax > LARGEST)
    return { errors: [['total_too_large', ['body', 'items']], ...mismatches] };
  if (order.price !== undefined && BigInt(order.price) !== price)
    mismatches.push(['price_mismatch', ['body', 'price']]);
  if (order.tax !== undefined && BigInt(order.tax) !== tax)
    mismatches.push(['tax_mismatch', ['body', 'tax']]);
  if (mismatches.length > 0) return { errors: mismatches };
  return { quote: { items: lines.map((line) => line?.shown), price: Number(price), tax: Number(tax) } };
}

interface Notes {
  readonly errors: ErrorPosition[];
  readonly mismatches: ErrorPosition[];
}

function judgeLine(
  shop: Shop,
  line: Line,
  loc: (string | number)[],
  errors: ErrorPosition[],
  mismatches: ErrorPosition[],
): { price: bigint; tax: bigint; shown: unknown } | undefined {
  const { menu, soldOutItems, at, timezone } = shop;
  const item = menu.items.find(({ external_id }) => external_id === line.external_id);
  if (item === undefined) {
    errors.push(['unknown_item', [...loc, 'external_id']]);
    return undefined;
  }
  const categories = (menu.categories ?? []).filter((one) =>
    one.item_external_ids?.includes(item.external_id),
  );
  const showing = (menu.menus ?? []).filter((one) =>
    categories.some(({ external_id }) => one.category_external_ids?.includes(external_id)),
  );
  const isOpen = openAt({ at: at.getTime(), timezone });
  if (!item.sell_separately) errors.push(['not_sold_separately', [...loc, 'external_id']]);
  if (soldOutItems.has(item.external_id)) errors.push(['sold_out', [...loc, 'external_id']]);
  if (showing.length > 0 && !showing.some(({ availability }) => isOpen(weekHours(availability))))
    errors.push(['outside_hours', [...loc, 'external_id']]);
  if (line.price !== undefined && line.price !== item.price)
    mismatches.push(['price_mismatch', [...loc, 'price']]);
  if (line.tax !== undefined && line.tax !== item.tax) mismatches.push(['tax_mismatch', [...loc, 'tax']]);

  const selected = judgeModifiers(
    shop,
    item.modifier_external_ids ?? [],
    { entries: line.modifiers ?? [], loc: [...loc, 'modifiers'], level: 1 },
    { errors, mismatches },
  );
  if (soldOutItems.has(item.external_id)) return undefined;
  let price = BigInt(item.price) + selected.price;
  let tax = BigInt(item.tax) + selected.tax;
  if (price < 0n || tax < 0n) {
    errors.push(['negative_line', loc]);
    return undefined;
  }
  price *= BigInt(line.quantity);
  tax *= BigInt(line.quantity);
  if (price > LARGEST || tax > LARGEST) {
    errors.push(['total_too_large', loc]);
    return undefined;
  }
  const sums = { total_price: Number(price), total_tax: Number(tax) };
  const { external_id, name, price: each, tax: eachTax } = item;
  const { quantity } = line;
  return {
    price,
    tax,
    shown: { external_id, name, quantity, price: each, tax: eachTax, modifiers: selected.shown, ...sums },
  };
}

/** What is selected for one item, level by level; below the sixth nothing is looked at. */
function judgeModifiers(
  shop: Shop,
  groupIds: readonly string[],
  { entries, loc, level }: { entries: readonly Entry[]; loc: (string | number)[]; level: number },
  notes: Notes,
): { price: bigint; tax: bigint; shown: unknown[] } {
  const { menu, soldOutItems, soldOutModifiers } = shop;
  const { errors, mismatches } = notes;
  const shown: unknown[] = [];
  const unitsOf = new Map<string, string[]>();
  const lastEntryOf = new Map<string, number>();
  let price = 0n;
  let tax = 0n;
  if (level > 6) return { price, tax, shown };
  entries.forEach((entry, position) => {
    const place = [...loc, position];
    const isOfItem = groupIds.includes(entry.group_external_id);
    const group = menu.modifier_groups?.find(({ external_id }) => external_id === entry.group_external_id);
    if (group === undefined || !isOfItem) {
      errors.push(['unknown_group', [...place, 'group_external_id']]);
      return;
    }
    const isOfGroup = group.modifier_item_external_ids?.includes(entry.external_id) ?? false;
    const modifier = menu.modifier_items?.find(({ external_id }) => external_id === entry.external_id);
    if (modifier === undefined || !isOfGroup) {
      errors.push(['unknown_modifier', [...place, 'external_id']]);
      return;
    }
    if (entry.price_change !== undefined && entry.price_change !== modifier.price_change)
      mismatches.push(['price_mismatch', [...place, 'price_change']]);
    if (entry.tax_change !== undefined && entry.tax_change !== modifier.tax_change)
      mismatches.push(['tax_mismatch', [...place, 'tax_change']]);
    const behind = menu.items.find(({ external_id }) => external_id === modifier.menu_item_external_id);
    const nested = judgeModifiers(
      shop,
      behind?.modifier_external_ids ?? [],
      { entries: entry.modifiers ?? [], loc: [...place, 'modifiers'], level: level + 1 },
      notes,
    );
    if (soldOutModifiers.has(modifier.external_id) || soldOutItems.has(behind?.external_id ?? '')) {
      errors.push(['sold_out', [...place, 'external_id']]);
      return;
    }
    lastEntryOf.set(modifier.external_id, position);
    let free = 0;
    for (let unit = 0; unit < (entry.quantity ?? 1); unit += 1) {
      const before = unitsOf.get(group.external_id) ?? [];
      const isFree = before.length < group.charge_after;
      if (isFree) free += 1;
      if (!isFree || modifier.price_change < 0) price += BigInt(modifier.price_change);
      if (!isFree || modifier.tax_change < 0) tax += BigInt(modifier.tax_change);
      price += nested.price;
      tax += nested.tax;
      before.push(modifier.external_id);
      unitsOf.set(group.external_id, before);
    }
    shown.push({
      group_external_id: group.external_id,
      external_id: modifier.external_id,
      name: modifier.name,
      quantity: entry.quantity ?? 1,
      free_quantity: free,
      price_change: modifier.price_change,
      tax_change: modifier.tax_change,
      ...(nested.shown.length === 0 ? {} : { modifiers: nested.shown }),
    });
  });

  const allUnits = [...unitsOf.values()].flat();
  for (const modifier of menu.modifier_items ?? []) {
    const units = allUnits.filter((one) => one === modifier.external_id).length;
    if (units > 0 && (units < modifier.min_quantity || units > modifier.max_quantity))
      errors.push(['modifier_quantity', [...loc, lastEntryOf.get(modifier.external_id) ?? -1, 'quantity']]);
  }
  for (const group of menu.modifier_groups ?? []) {
    if (!groupIds.includes(group.external_id)) continue;
    const units = (unitsOf.get(group.external_id) ?? []).length;
    if (units < group.group_min) errors.push(['group_min', loc, group.external_id]);
    if (group.group_max > 0 && units > group.group_max) errors.push(['group_max', loc, group.external_id]);
  }
  return { price, tax, shown };
}
