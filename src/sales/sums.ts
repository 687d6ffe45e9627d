import type { Outcome } from '../orders/sales/sales.js';
import type { ItemRow } from './sales.sql.js';

type Counted = 'orders' | 'units';
export interface Amounts {
  count: number;
  price: number;
  tax: number;
}
export type Sums = Readonly<Record<Outcome, Amounts>>;

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

/** Written out: a year has a row for each of its days, and spreading them took most of the time. */
export function shown({ count, price, tax }: Amounts, counted: Counted) {
  return counted === 'orders' ? { orders: count, price, tax } : { units: count, price, tax };
}

export function shownSums(sums: Sums, counted: Counted) {
  const { count, price, tax } = sums.sold;
  const cancelled = shown(sums.cancelled, counted);
  const rejected = shown(sums.rejected, counted);
  return counted === 'orders'
    ? { orders: count, price, tax, cancelled, rejected }
    : { units: count, price, tax, cancelled, rejected };
}

type Money = Readonly<Record<`${Outcome}_${'price' | 'tax'}`, number>>;

export function sumsOf(countOf: (outcome: Outcome) => number, row: Money): Sums {
  const of = (outcome: Outcome): Amounts => ({
    count: countOf(outcome),
    price: row[`${outcome}_price`],
    tax: row[`${outcome}_tax`],
  });
  return { sold: of('sold'), cancelled: of('cancelled'), rejected: of('rejected') };
}

export const itemSums = (row: Omit<ItemRow, 'external_id' | 'items'>) =>
  sumsOf((outcome) => row[`${outcome}_units`], row);
