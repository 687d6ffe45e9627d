import { hourOf } from '../../domain/order/buckets.js';
import type { Queryable } from '../database.js';
import { insertCountsFrom } from './insert-orders.js';

/** Counts the orders of every store; there must be no counts yet. */
export async function recountOrders(db: Queryable): Promise<void> {
  const stores = await db.query<{ store_key: number }>({
    name: 'orders-recount-stores',
    text: 'SELECT stores.store_key FROM stores ORDER BY stores.store_key',
  });
  for (const { store_key: storeKey } of stores) {
    await db.query({ name: 'orders-recount', text: RECOUNT, values: [storeKey, SLOT] });
  }
}

const SLOT = 0;
const RECOUNT = insertCountsFrom(`(
  SELECT o.status, (${hourOf(0)} + floor(extract(epoch FROM o.created_at) / 3600))::integer AS hour
  FROM orders o WHERE o.store_key = $1)`);
