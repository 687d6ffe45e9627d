import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { OUTCOMES } from '../orders/sales/sales.js';
import { ORDER_STATUSES, type OrderStatus } from '../orders/status.js';
import type { Queryable } from '../postgres/database.js';
import { readFactSales, readStatuses, type DayRange } from './sales.sql.js';
import type { SalesRow } from './shapes.js';
import {
  add,
  addAll,
  difference,
  noAmounts,
  noSums,
  rowsWithRest,
  shown,
  shownSums,
  sumsOf,
  type AddUp,
  type Amounts,
  type Sums,
} from './sums.js';

/** Sources are what senders call them; what has sold less is counted with the orders that name none. */
const MOST_NAMES = 10_000;

/** By what orders say of themselves. Orders that say nothing are the last row; by method there is no such row. */
export const addUpNames =
  (by: 'service' | 'source' | 'method'): AddUp =>
  async ({ db }, stores, range, limit) => {
    const named = noSums();
    const groups = new Map<string, Sums>();
    for (const { storeKey } of stores) {
      const facts = { names: `^${by}:`, areByDay: false, most: MOST_NAMES };
      for (const row of await readFactSales(db, storeKey, range, facts)) {
        const value = row.name.slice(by.length + 1);
        const sums = groups.get(value) ?? noSums();
        for (const to of [sums, named]) addAll(to, sumsOf(row));
        groups.set(value, sums);
      }
    }
    const best = [...groups]
      .map(([value, sums]) => ({ value, name: { [by]: value }, sums }))
      .filter(({ sums }) => hasOrders(sums))
      .sort(
        (one, other) => other.sums.sold.price - one.sums.sold.price || (one.value < other.value ? -1 : 1),
      );
    const rows = rowsWithRest(best.slice(0, limit), { total: named, count: best.length, counted: 'orders' });
    if (by === 'method') return { rows, total: shownSums(named, 'orders') };
    const { total } = await readOutcomes(db, stores, range);
    const unnamed = difference(total, [named]);
    if (hasOrders(unnamed)) rows.push(shownSums(unnamed, 'orders'));
    return { rows, total: shownSums(total, 'orders') };
  };

const hasOrders = ({ sold, cancelled, rejected }: Sums) =>
  sold.count !== 0 || cancelled.count !== 0 || rejected.count !== 0;

export const addUpStatuses: AddUp = async ({ db }, stores, range) => {
  const { statuses, total } = await readOutcomes(db, stores, range);
  const rows = [...statuses].map(([status, amounts]): SalesRow => ({ status, ...shown(amounts, 'orders') }));
  return { rows, total: shownSums(total, 'orders') };
};

async function readOutcomes(db: Queryable, stores: readonly RequestedStore[], range: DayRange) {
  const total = noSums();
  const statuses = new Map<OrderStatus, Amounts>(ORDER_STATUSES.map((status) => [status, noAmounts()]));
  for (const { storeKey } of stores)
    for (const { status, ...amounts } of await readStatuses(db, storeKey, range))
      for (const to of [statuses.get(status), total[OUTCOMES[status]]])
        if (to !== undefined) add(to, amounts);
  return { statuses, total };
}

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
  const facts = { names: PARTS, areByDay: true, most: MOST_PARTS };
  for (const { storeKey } of stores)
    for (const { name, day, sold_price: price, sold_tax: tax } of await readFactSales(
      db,
      storeKey,
      range,
      facts,
    ))
      parts.push({ name, day: day ?? 0, price, tax });
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
