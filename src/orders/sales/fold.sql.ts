import type { Queryable } from '../../postgres/database.js';
import { DAY_MS } from '../../support/datetime.js';
import { hourOf } from '../list/counts.sql.js';

/** Sales by the hour are kept for so many days; by the day, for ever. */
export const HOUR_DAYS = 400;

/** Days that most orders no longer change, on any clock. */
const SETTLED_DAYS = 2;
/** A stretch of 32 days, and some days in which nobody folded. */
const FOLDED_DAYS = 40;
const STORES_AT_ONCE = 500;

/**
 * Makes the sales of past days smaller, once a day: adds up the shards of their counters, drops counters that came to nothing,
 * and removes hours that are too old.
 */
export async function foldSales(db: Queryable, now = Date.now()): Promise<void> {
  const today = Math.floor(hourOf(now) / 24);
  const oldest = Math.floor(hourOf(now - (HOUR_DAYS + 1) * DAY_MS) / 24);
  for (let after = -1; ;) {
    const stores = await db.read<{ store_key: number }>({
      name: 'sales-fold-stores',
      text: `SELECT c.store_key FROM event_counters c WHERE c.store_key > $1 ORDER BY c.store_key LIMIT ${STORES_AT_ONCE}`,
      values: [after],
    });
    for (const { store_key: storeKey } of stores) await foldStore(db, storeKey, today, oldest);
    const last = stores.at(-1);
    if (last === undefined) return;
    after = last.store_key;
  }
}

async function foldStore(db: Queryable, storeKey: number, today: number, oldest: number): Promise<void> {
  let isMore = true;
  while (isMore) {
    const [row] = await db.query<{ is_more: boolean }>({
      name: 'sales-fold',
      text: 'SELECT fold_sales($1, $2, $3) AS is_more',
      values: [storeKey, today - FOLDED_DAYS, today - SETTLED_DAYS],
    });
    isMore = row?.is_more === true;
  }
  await db.query({
    name: 'sales-drop-hours',
    text: `DELETE FROM order_sales
           WHERE order_sales.store_key = $1
             AND (order_sales.level = 0 AND order_sales.bucket < $2 OR order_sales.level = 2 AND order_sales.bucket < $3)`,
    values: [storeKey, oldest * 24, Math.ceil(oldest / 32) * 24],
  });
}
