import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { OUTCOMES } from '../orders/sales/sales.js';
import type { Queryable } from '../postgres/database.js';
import { readFactSales, readStatuses, type DayRange } from './sales.sql.js';
import type { Sales, SalesRow } from './shapes.js';
import { add, addAll, itemSums, noSums, shownSums, type Sums } from './sums.js';

/** Sources are what senders call them; what has sold less is counted with the orders that name none. */
const MOST_NAMES = 10_000;

/** By what orders say of themselves. Orders that say nothing are the last row; by method there is no such row. */
export async function addUpNames(
  db: Queryable,
  stores: readonly RequestedStore[],
  range: DayRange,
  by: 'service' | 'source' | 'method',
  limit: number,
): Promise<Pick<Sales, 'rows' | 'total'>> {
  const total = noSums();
  const unnamed = noSums();
  const groups = new Map<string, Sums>();
  for (const { storeKey } of stores) {
    const facts = { names: `^${by}:`, areByDay: false, most: MOST_NAMES };
    for (const { name, ...row } of await readFactSales(db, storeKey, range, facts)) {
      const value = name.slice(by.length + 1);
      const sums = groups.get(value) ?? noSums();
      addAll(sums, itemSums(row));
      addAll(unnamed, itemSums(row), -1);
      groups.set(value, sums);
    }
    if (by === 'method') continue;
    for (const { status, orders, price, tax } of await readStatuses(db, storeKey, range))
      for (const to of [total, unnamed]) add(to[OUTCOMES[status]], { count: orders, price, tax });
  }
  const named = [...groups]
    .filter(([, sums]) => hasOrders(sums))
    .sort(([one, { sold }], [other, { sold: next }]) => next.price - sold.price || (one < other ? -1 : 1));
  const rows = named
    .slice(0, limit)
    .map(([value, sums]): SalesRow => ({ [by]: value, ...shownSums(sums, 'orders') }));
  if (named.length > limit) {
    const rest = noSums();
    for (const [, sums] of named.slice(limit)) addAll(rest, sums);
    rows.push({ rest: named.length - limit, ...shownSums(rest, 'orders') });
  }
  if (by === 'method') for (const [, sums] of named) addAll(total, sums);
  else if (hasOrders(unnamed)) rows.push(shownSums(unnamed, 'orders'));
  return { rows, total: shownSums(total, 'orders') };
}

const hasOrders = ({ sold, cancelled, rejected }: Sums) =>
  sold.count !== 0 || cancelled.count !== 0 || rejected.count !== 0;

/** Charges, discounts and tips of what was sold, of each day. */
export interface Part {
  readonly name: string;
  readonly day: number;
  readonly price: number;
  readonly tax: number;
}

/** A row for each day and each of the three, of all stores. */
const PARTS = '^(charges|discounts|tip)$';
const MOST_PARTS = 1_200;

export async function addUpParts(
  db: Queryable,
  stores: readonly RequestedStore[],
  range: DayRange,
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const { storeKey } of stores)
    for (const row of await readFactSales(db, storeKey, range, {
      names: PARTS,
      areByDay: true,
      most: MOST_PARTS,
    }))
      parts.push({ name: row.name, day: row.day ?? 0, price: row.sold_price, tax: row.sold_tax });
  return parts;
}

/** What they come to on some days; what there was none of is left out. */
export function partsOn(
  parts: readonly Part[],
  isMeant: (day: number) => boolean,
): Pick<SalesRow, 'charges' | 'discounts' | 'tip'> {
  const of = (name: string) => {
    const found = parts.filter((part) => part.name === name && isMeant(part.day));
    const sum = (member: 'price' | 'tax') => found.reduce((total, part) => total + part[member], 0);
    return { price: sum('price'), tax: sum('tax') };
  };
  const [charges, discounts, tip] = [of('charges'), of('discounts'), of('tip')];
  const isSome = ({ price, tax }: typeof tip) => price !== 0 || tax !== 0;
  return {
    ...(isSome(charges) ? { charges } : {}),
    ...(isSome(discounts) ? { discounts } : {}),
    ...(isSome(tip) ? { tip: tip.price } : {}),
  };
}
