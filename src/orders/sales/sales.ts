import { wallSecond } from '../../calendar/wall-clock.js';
import { hourOf } from '../list/counts.sql.js';
import { bounded, priceOf, readLines, taxOf, type Line } from '../lines.js';
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
    const isKept = named.length <= LONGEST_ID && (sold.has(named) || sold.size < MOST_ITEMS);
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

/** The argument of count_sales for an order that is new or has changed its status. */
export interface Sale {
  readonly after: OrderStatus;
  readonly before?: OrderStatus;
  readonly price: number;
  readonly tax: number;
  readonly outcome?: Outcome;
  readonly former_outcome?: Outcome;
  readonly sold?: readonly SoldLine[];
}

interface SoldOrder {
  readonly status: OrderStatus;
  readonly price: number;
  readonly tax: number;
  readonly sold: readonly SoldLine[];
}

export function newSale({ status, price, tax, sold }: SoldOrder): Sale {
  return { after: status, price, tax, outcome: OUTCOMES[status], sold };
}

interface MovedOrder {
  readonly status: OrderStatus;
  readonly price: number;
  readonly tax: number;
  /** JSON text. */
  readonly items: string;
}

/** undefined where the status stays: nothing moves. */
export function movedSale({ status, price, tax, items }: MovedOrder, to: OrderStatus): Sale | undefined {
  if (status === to) return undefined;
  const [former, outcome] = [OUTCOMES[status], OUTCOMES[to]];
  const lines = former === outcome ? {} : { former_outcome: former, outcome, sold: soldIn(items) };
  return { before: status, after: to, price, tax, ...lines };
}
