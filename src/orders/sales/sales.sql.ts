import type { Database, Queryable, Transaction } from '../../postgres/database.js';
import { localHourOf, newSale, soldIn, type Sale } from './sales.js';
import type { OrderStatus } from '../status.js';

/** An order whose sale is to be counted, in its hour by the clock of the store. */
interface CountedSale {
  readonly hour: number;
  readonly sale: Sale;
}

export interface ImportedSale extends CountedSale {
  readonly storeKey: number;
  readonly id: string;
}

/** Counts those that were made, store by store in the order of their numbers, so that no two imports block each other. */
export async function countImported(
  tx: Transaction,
  counterShard: number,
  sales: readonly ImportedSale[],
  made: readonly { readonly store_key: number; readonly id: string }[],
): Promise<void> {
  const ids = new Set(made.map(({ id }) => id));
  const ofStores = new Map<number, CountedSale[]>();
  for (const sale of sales) {
    if (!ids.has(sale.id)) continue;
    const ofStore = ofStores.get(sale.storeKey);
    if (ofStore === undefined) ofStores.set(sale.storeKey, [sale]);
    else ofStore.push(sale);
  }
  for (const [storeKey, ofStore] of [...ofStores].sort(([one], [other]) => one - other))
    await countSales(tx, storeKey, counterShard, ofStore);
}

async function countSales(
  db: Queryable,
  storeKey: number,
  counterShard: number,
  sales: readonly CountedSale[],
): Promise<void> {
  await db.query({
    name: 'orders-count-sales',
    text: 'SELECT count_sales($1, $2::smallint, $3::integer[], $4::json[])',
    values: [
      storeKey,
      counterShard,
      sales.map(({ hour }) => hour),
      sales.map(({ sale }) => JSON.stringify(sale)),
    ],
  });
}

const ORDERS_AT_ONCE = 500;

/** Counts the orders that are not counted yet, in small pieces. Any number of processes may do so at once. */
export async function countUncounted(db: Database, counterShard: number): Promise<void> {
  for (;;) {
    const [found] = await db.query<{ store_key: number }>({
      name: 'orders-uncounted-store',
      text: 'SELECT o.store_key FROM orders o WHERE o.local_hour IS NULL LIMIT 1',
      repeatable: true,
    });
    if (found === undefined) return;
    const counted = await db.transaction((tx) => countPiece(tx, found.store_key, counterShard));
    // Another process has the rest.
    if (counted === 0) return;
  }
}

interface UncountedRow {
  readonly id: string;
  readonly created_at: Date;
  readonly status: OrderStatus;
  readonly price: number;
  readonly tax: number;
  readonly items: string;
}

/** Locked by id, as whoever changes them does. */
async function countPiece(tx: Transaction, storeKey: number, counterShard: number): Promise<number> {
  const [store] = await tx.query<{ timezone: string | null }>({
    name: 'orders-uncounted-timezone',
    text: 'SELECT s.timezone FROM stores s WHERE s.store_key = $1',
    values: [storeKey],
  });
  const orders = await tx.query<UncountedRow>({
    name: 'orders-uncounted',
    text: `SELECT o.id, o.created_at, o.status, o.price, o.tax, o.items FROM orders o
           WHERE o.store_key = $1 AND o.local_hour IS NULL ORDER BY o.id LIMIT ${ORDERS_AT_ONCE} FOR UPDATE SKIP LOCKED`,
    values: [storeKey],
  });
  const sales = orders.map((order) => ({
    hour: localHourOf(order.created_at.getTime(), store?.timezone ?? 'UTC'),
    sale: newSale({ ...order, sold: soldIn(order.items) }),
  }));
  await tx.query({
    name: 'orders-set-local-hours',
    text: `UPDATE orders o SET local_hour = h.hour FROM unnest($2::uuid[], $3::integer[]) AS h (id, hour)
           WHERE o.store_key = $1 AND o.id = h.id`,
    values: [storeKey, orders.map(({ id }) => id), sales.map(({ hour }) => hour)],
  });
  await countSales(tx, storeKey, counterShard, sales);
  return orders.length;
}
