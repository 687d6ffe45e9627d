import { memberOf } from '../../menus/kinds.js';
import { DEEPEST_MODIFIERS } from '../../menus/modifier-groups.js';
import { wallSecond } from '../../calendar/wall-clock.js';
import { hourOf } from '../list/counts.sql.js';
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
const MOST_UNITS = 1_000_000;

/**
 * Adds up the lines of an order by item. A line counts for its item, with the price changes of its modifiers; the parts of a
 * combo are not counted separately. An unchecked order can have items of any form: a quantity that cannot be read counts as
 * 1, an amount as 0.
 */
export function soldLines(items: readonly unknown[]): SoldLine[] {
  const sold = new Map<string, SoldLine>();
  for (const line of items) {
    const units = quantityOf(line);
    const named = externalIdOf(line);
    const externalId = sold.has(named) || sold.size < MOST_ITEMS ? named : UNNAMED;
    const before = sold.get(externalId);
    const amount = (name: 'price' | 'tax') =>
      bounded((before?.[name] ?? 0) + units * (amountOf(line, name) + changesOf(line, `${name}_change`, 1)));
    sold.set(externalId, {
      external_id: externalId,
      units: (before?.units ?? 0) + units,
      price: amount('price'),
      tax: amount('tax'),
    });
  }
  return [...sold.values()];
}

/** Adds up the lines in a JSON text; a restored archive may hold any text. */
export function soldIn(text: string): SoldLine[] {
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) ? soldLines(items) : [];
  } catch {
    return [];
  }
}

/** The changes of a part's modifiers, per unit of the part. A free unit waives what would be charged for it. */
function changesOf(part: unknown, name: 'price_change' | 'tax_change', depth: number): number {
  const modifiers = memberOf(part, 'modifiers');
  if (!Array.isArray(modifiers) || depth > DEEPEST_MODIFIERS) return 0;
  return (modifiers as unknown[]).reduce<number>((sum, modifier) => {
    const quantity = quantityOf(modifier);
    const change = amountOf(modifier, name);
    const free = change > 0 ? Math.min(Math.max(amountOf(modifier, 'free_quantity'), 0), quantity) : 0;
    return bounded(sum + change * (quantity - free) + quantity * changesOf(modifier, name, depth + 1));
  }, 0);
}

function externalIdOf(line: unknown): string {
  const externalId = memberOf(line, 'external_id');
  return typeof externalId === 'string' && externalId.length <= LONGEST_ID ? externalId : UNNAMED;
}

function quantityOf(part: unknown): number {
  const quantity = amountOf(part, 'quantity');
  return quantity > 0 ? Math.min(quantity, MOST_UNITS) : 1;
}

function amountOf(part: unknown, name: string): number {
  const value = memberOf(part, name);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

function bounded(value: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
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
