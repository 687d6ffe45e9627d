import type { Queryable } from '../postgres/database.js';
import { REMOVAL_SHARD } from './list/counts.sql.js';

/** How many orders one statement removes: few enough that nothing has to wait for it. */
const REMOVED_AT_ONCE = 500;

/**
 * Removes some final orders of a store that were completed before the time, with their history, search rows, keys and
 * counts; returns how many.
 */
export async function removeSomeOrders(db: Queryable, storeKey: number, before: Date): Promise<number> {
  const [row] = await db.query<{ removed: number }>({
    name: 'orders-remove',
    text: 'SELECT remove_orders($1, $2, $3, $4) AS removed',
    values: [storeKey, REMOVAL_SHARD, before, REMOVED_AT_ONCE],
    repeatable: true,
  });
  return row?.removed ?? 0;
}
