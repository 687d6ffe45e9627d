import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Menus } from '../menus/rendering/menus.js';
import type { Outcome } from '../orders/sales/sales.js';
import type { Queryable } from '../postgres/database.js';
import type { DayRange, SumRow } from './sales.sql.js';
import type { Sales, SalesRow } from './shapes.js';

export type Counted = 'orders' | 'units';
export interface Amounts {
  count: number;
  price: number;
  tax: number;
}
export type Sums = Readonly<Record<Outcome, Amounts>>;

export interface SalesContext {
  readonly db: Queryable;
  readonly prices: Menus['prices'];
  readonly now: number;
}

/** Adds up the sales of stores, in all and row by row. */
export type AddUp = (
  context: SalesContext,
  stores: readonly RequestedStore[],
  range: DayRange,
  mostRows: number,
) => Promise<Pick<Sales, 'rows' | 'total'>>;

export const noAmounts = (): Amounts => ({ count: 0, price: 0, tax: 0 });
export const noSums = (): Sums => ({ sold: noAmounts(), cancelled: noAmounts(), rejected: noAmounts() });

export function add(to: Amounts, { count, price, tax }: Amounts, sign = 1): void {
  to.count += sign * count;
  to.price += sign * price;
  to.tax += sign * tax;
}

export function addAll(to: Sums, sums: Sums, sign = 1): void {
  for (const outcome of ['sold', 'cancelled', 'rejected'] as const) add(to[outcome], sums[outcome], sign);
}

export function difference(from: Sums, taken: readonly Sums[]): Sums {
  const left = noSums();
  addAll(left, from);
  for (const sums of taken) addAll(left, sums, -1);
  return left;
}

export function sumsOf(row: SumRow): Sums {
  const of = (outcome: Outcome): Amounts => ({
    count: row[`${outcome}_count`],
    price: row[`${outcome}_price`],
    tax: row[`${outcome}_tax`],
  });
  return { sold: of('sold'), cancelled: of('cancelled'), rejected: of('rejected') };
}

export function shown({ count, price, tax }: Amounts, counted: Counted) {
  return counted === 'orders' ? { orders: count, price, tax } : { units: count, price, tax };
}

export function shownSums({ sold, cancelled, rejected }: Sums, counted: Counted) {
  return {
    ...shown(sold, counted),
    cancelled: shown(cancelled, counted),
    rejected: shown(rejected, counted),
  };
}

/** Sums under a name, which is what their row has beside them. */
export interface Named {
  readonly name: Pick<SalesRow, 'external_id' | 'name' | 'service' | 'source' | 'method'>;
  readonly sums: Sums;
}

/** The best ones row by row, and the rest of `total` as one row; `count` is how many there are in all. */
export function rowsWithRest(
  best: readonly Named[],
  { total, count, counted }: { readonly total: Sums; readonly count: number; readonly counted: Counted },
): SalesRow[] {
  const rows = best.map(({ name, sums }): SalesRow => ({ ...name, ...shownSums(sums, counted) }));
  if (count <= best.length) return rows;
  const rest = difference(
    total,
    best.map(({ sums }) => sums),
  );
  return [...rows, { rest: count - best.length, ...shownSums(rest, counted) }];
}
