import { wallSecond } from '../../calendar/wall-clock.js';
import { hourOf } from '../list/counts.sql.js';
import { bounded, priceOf, readLines, taxOf, type Line } from '../lines.js';
import { parseFacts, type Facts } from '../facts.js';
import type { OrderStatus } from '../status.js';

/** How the lines of an order are counted: as sold, until it is cancelled or rejected. */
export type Outcome = 'sold' | 'cancelled' | 'rejected';

export const OUTCOMES: Readonly<Record<OrderStatus, Outcome>> = {
  PENDING: 'sold',
  ACCEPTED: 'sold',
  READY: 'sold',
  FULFILLED: 'sold',
  CUSTOMER_CANCELLED: 'cancelled',
  STORE_CANCELLED: 'cancelled',
  REJECTED: 'rejected',
};

/** The units of one item in an order, and their sums including modifiers. */
export interface SoldLine {
  readonly external_id: string;
  readonly units: number;
  readonly price: number;
  readonly tax: number;
}

/** The external_id of lines without one that can be read, and of those past MOST_ITEMS. */
const UNNAMED = '';
const LONGEST_ID = 255;
/** An order of hundreds of kilobytes must not write a row for each of its lines. */
const MOST_ITEMS = 1_000;

/**
 * Adds up the lines of an order by item. A line counts for its item, with the price changes of its modifiers; the parts of a
 * combo are not counted separately.
 */
export function soldLines(lines: readonly Line[]): SoldLine[] {
  const sold = new Map<string, SoldLine>();
  for (const line of lines) {
    const named = line.externalId ?? UNNAMED;
    const isKept =
      named.length <= LONGEST_ID && !isFact(named) && (sold.has(named) || sold.size < MOST_ITEMS);
    const externalId = isKept ? named : UNNAMED;
    const before = sold.get(externalId);
    sold.set(externalId, {
      external_id: externalId,
      units: (before?.units ?? 0) + line.quantity,
      price: bounded((before?.price ?? 0) + priceOf(line)),
      tax: bounded((before?.tax ?? 0) + taxOf(line)),
    });
  }
  return [...sold.values()];
}

/** Marks what is counted of an order beside its items: count_sales puts it on a level of its own, without the mark. */
const FACT = '\u0001';

export const isFact = (externalId: string) => externalId.startsWith(FACT);

/** What is counted of the facts of an order: what they are called in the table of items, and how often they occur. */
export function factLines(order: { price: number; tax: number }, facts: Facts): SoldLine[] {
  const { service, source, charges = [], discounts = [], tip = 0, payments = [] } = facts;
  const whole = { units: 1, price: order.price, tax: order.tax };
  const lines: SoldLine[] = [];
  if (service !== undefined) lines.push({ external_id: `${FACT}service:${service}`, ...whole });
  if (source !== undefined) lines.push({ external_id: `${FACT}source:${source.name}`, ...whole });
  const add = (name: string, list: readonly { price: number; tax: number }[]) => {
    if (list.length === 0) return;
    const sum = (member: 'price' | 'tax') => list.reduce((total, one) => bounded(total + one[member]), 0);
    lines.push({ external_id: FACT + name, units: list.length, price: sum('price'), tax: sum('tax') });
  };
  add('charges', charges);
  add('discounts', discounts);
  if (tip > 0) add('tip', [{ price: tip, tax: 0 }]);
  for (const method of new Set(payments.map((payment) => payment.method)))
    add(
      `method:${method}`,
      payments.flatMap((one) => (one.method === method ? { price: one.amount, tax: 0 } : [])),
    );
  return lines;
}

/** All that is counted of an order as it is kept. */
export function soldOf(order: {
  readonly items: string;
  readonly price: number;
  readonly tax: number;
  readonly facts?: string | null | undefined;
}): SoldLine[] {
  return [...soldIn(order.items), ...factsIn(order)];
}

export function factsIn({ facts, ...order }: Pick<Parameters<typeof soldOf>[0], 'price' | 'tax' | 'facts'>) {
  try {
    return factLines(order, parseFacts(facts ?? undefined));
  } catch {
    return [];
  }
}

/** Adds up the lines in a JSON text; a restored archive may hold any text. */
export function soldIn(text: string): SoldLine[] {
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) ? soldLines(readLines(items)) : [];
  } catch {
    return [];
  }
}

/** The number of an hour on the clock of a store, from the year 1 on. */
export function localHourOf(ms: number, timezone: string): number {
  return Math.max(0, hourOf(wallSecond(ms, timezone) * 1000));
}

/** What an order comes to, in its hour on the clock of the store. */
export interface Sale {
  readonly hour: number;
  readonly status: OrderStatus;
  readonly price: number;
  readonly tax: number;
  readonly sold: readonly SoldLine[];
  /** Items on no menu, which are counted as one. */
  readonly unlisted?: readonly string[] | undefined;
}

interface Sums {
  count: number;
  price: number;
  tax: number;
}

/**
 * Adds up sales by hour and status, and their lines by day, item and outcome: rows of the SQL types counted_orders and
 * counted_items.
 */
export function addUpSales(sales: Iterable<Sale>) {
  const orders = createRows();
  const items = createRows();
  for (const { hour, status, price, tax, sold, unlisted } of sales) {
    orders.add(`${hour},${status}`, 1, price, tax);
    const day = hour - (hour % 24);
    for (const line of sold) {
      const externalId = unlisted?.includes(line.external_id) === true ? UNNAMED : line.external_id;
      const key = `${day},"${externalId.replaceAll(/["\\]/g, '\\$&')}",${OUTCOMES[status]}`;
      items.add(key, line.units, line.price, line.tax);
    }
  }
  return { orders: orders.texts(), items: items.texts() };
}

function isExact(sums: Sums, count: number, price: number, tax: number): boolean {
  const { isSafeInteger } = Number;
  return (
    isSafeInteger(sums.count + count) && isSafeInteger(sums.price + price) && isSafeInteger(sums.tax + tax)
  );
}

/** Sums that a double cannot hold exactly go on in another row: the database adds them up in numeric. */
function createRows() {
  const rows: (readonly [string, Sums])[] = [];
  const open = new Map<string, Sums>();
  return {
    add(key: string, count: number, price: number, tax: number): void {
      const before = open.get(key);
      if (before !== undefined && isExact(before, count, price, tax)) {
        before.count += count;
        before.price += price;
        before.tax += tax;
        return;
      }
      const row = { count, price, tax };
      rows.push([key, row]);
      open.set(key, row);
    },
    texts: () => rows.map(([key, { count, price, tax }]) => `(${key},${count},${price},${tax})`),
  };
}
