import type { Queryable } from '../postgres/database.js';
import { lockMerchant } from '../tenants/merchants.sql.js';

/** The number of a store, locked until the transaction ends; undefined where there is no such store. */
export async function lockStoreToDelete(tx: Queryable, id: string): Promise<number | undefined> {
  const [row] = await tx.query<{ store_key: number }>({
    name: 'deletion_lock_store',
    text: 'SELECT stores.store_key FROM stores WHERE stores.id = $1 FOR UPDATE',
    values: [id],
  });
  return row?.store_key;
}

/** The numbers of all stores of a merchant, locked with it until the transaction ends; undefined where there is no such merchant. */
export async function lockMerchantAndStores(tx: Queryable, id: string): Promise<number[] | undefined> {
  if (!(await lockMerchant(tx, id))) return undefined;
  const rows = await tx.query<{ store_key: number }>({
    name: 'deletion_lock_stores',
    text: `SELECT stores.store_key FROM stores WHERE stores.merchant_id = $1
           ORDER BY stores.store_key FOR UPDATE`,
    values: [id],
  });
  return rows.map((row) => row.store_key);
}

/** Every writer takes the counter of events last: one that is under way has committed once this returns, a later one fails. */
export async function closeStores(tx: Queryable, storeKeys: readonly number[]): Promise<void> {
  await tx.query({
    name: 'deletion_close',
    text: `INSERT INTO event_counters (store_key, first_sequence, last_sequence, is_closed)
           SELECT given.store_key, 1, 0, true FROM unnest($1::integer[]) AS given (store_key) ORDER BY 1
           ON CONFLICT (store_key) DO UPDATE SET is_closed = true`,
    values: [storeKeys],
  });
}

export async function hasOrders(tx: Queryable, storeKeys: readonly number[]): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>({
    name: 'deletion_has_orders',
    text: 'SELECT EXISTS (SELECT 1 FROM orders o WHERE o.store_key = ANY ($1::integer[])) AS found',
    values: [storeKeys],
  });
  return row?.found === true;
}

export async function removeStores(
  tx: Queryable,
  storeKeys: readonly number[],
  keyId: string,
): Promise<void> {
  // Apart from the removal: a sharded database does not take a change of its own tables within another statement.
  await tx.query({
    name: 'deletion_note_stores',
    text: `INSERT INTO deleted_stores (store_key, id, merchant_id, deleted_at, key_id)
           SELECT stores.store_key, stores.id, stores.merchant_id, clock_timestamp(), $2
           FROM stores WHERE stores.store_key = ANY ($1::integer[])`,
    values: [storeKeys, keyId],
  });
  for (const table of ['places', 'printers', 'stores'])
    await tx.query({
      name: `deletion_${table}`,
      text: `DELETE FROM ${table} WHERE ${table}.store_key = ANY ($1::integer[])`,
      values: [storeKeys],
    });
}

/** With its keys, which open nothing from here on, and its publications. Its stores must be gone. */
export async function removeMerchant(tx: Queryable, id: string, keyId: string): Promise<void> {
  for (const table of ['api_keys', 'menu_publications'])
    await tx.query({
      name: `deletion_${table}`,
      text: `DELETE FROM ${table} WHERE ${table}.merchant_id = $1`,
      values: [id],
    });
  await tx.query({
    name: 'deletion_note_merchant',
    text: 'INSERT INTO deleted_merchants (id, deleted_at, key_id) VALUES ($1, clock_timestamp(), $2)',
    values: [id, keyId],
  });
  await tx.query({
    name: 'deletion_merchant',
    text: 'DELETE FROM merchants WHERE merchants.id = $1',
    values: [id],
  });
}

/** Whether the merchant or any of the stores was here once and has been deleted. */
export async function wasDeleted(
  db: Queryable,
  merchantId: string,
  storeIds: readonly string[],
): Promise<boolean> {
  const [row] = await db.read<{ found: boolean }>({
    name: 'deletion_known',
    text: `SELECT EXISTS (SELECT FROM deleted_merchants m WHERE m.id = $1)
               OR EXISTS (SELECT FROM deleted_stores s WHERE s.id = ANY ($2::uuid[])) AS found`,
    values: [merchantId, storeIds],
  });
  return row?.found === true;
}

/** A table, and how many of its rows one statement removes: few enough that nothing has to wait for it. */
interface StoreTable {
  readonly table: string;
  readonly rows: number;
}

/**
 * Every table with rows of stores; those with customers' names and phones come first. order_search is emptied in its own
 * way, and event_counters never: a closed counter keeps late writers out.
 */
export const STORE_TABLES: readonly StoreTable[] = [
  { table: 'orders', rows: 200 },
  { table: 'order_history', rows: 1_000 },
  { table: 'order_intake_keys', rows: 1_000 },
  { table: 'order_numbers', rows: 1_000 },
  { table: 'printer_tickets', rows: 1_000 },
  { table: 'order_counts', rows: 1_000 },
  { table: 'order_sales', rows: 1_000 },
  { table: 'item_sales', rows: 1_000 },
  { table: 'sales_progress', rows: 1 },
  { table: 'events', rows: 1_000 },
  { table: 'webhook_deliveries', rows: 1_000 },
  { table: 'webhook_cursors', rows: 1_000 },
  { table: 'webhook_parked', rows: 1_000 },
  // A row may hold a menu of many megabytes.
  { table: 'menu_versions', rows: 5 },
  { table: 'menu_marks', rows: 1_000 },
  { table: 'menu_entities', rows: 1_000 },
  { table: 'menu_states', rows: 1 },
  // After the states: whoever sets a photo holds that row, and finds no store once it is gone. Their bytes go with the cleanup.
  { table: 'menu_photos', rows: 1_000 },
];

/** The number of the deleted store that still has rows and has waited longest. */
export async function findDeletedStore(db: Queryable): Promise<number | undefined> {
  const [row] = await db.read<{ store_key: number }>({
    name: 'deleted_store_next',
    text: `SELECT d.store_key FROM deleted_stores d
           WHERE d.emptied_at IS NULL ORDER BY d.deleted_at LIMIT 1`,
  });
  return row?.store_key;
}

export async function markEmptied(db: Queryable, storeKey: number): Promise<void> {
  await db.query({
    name: 'deleted_store_emptied',
    text: `UPDATE deleted_stores SET emptied_at = clock_timestamp()
           WHERE deleted_stores.store_key = $1`,
    values: [storeKey],
    repeatable: true,
  });
}

/** Removes some rows of the store; false when there are no more. */
export async function removeRows(
  db: Queryable,
  storeKey: number,
  { table, rows }: StoreTable,
): Promise<boolean> {
  const removed = await db.query({
    name: `deleted_store_${table}`,
    text: `DELETE FROM ${table} WHERE ${table}.store_key = $1 AND ${table}.ctid = ANY (ARRAY (
             SELECT t.ctid FROM ${table} t WHERE t.store_key = $1 LIMIT ${rows}))
           RETURNING 1`,
    values: [storeKey],
    repeatable: true,
  });
  return removed.length === rows;
}

/** In blocks; about 16 MB. */
const SEARCH_BLOCKS = 2_000;
const END_OF_TABLE = 0xffff_fffe;

/**
 * No index of order_search leads to a store, so the table is read through, a bucket of blocks at a time. Where the server
 * does not tell the size, as a sharded one does not, it is all one bucket.
 */
export async function countSearchBuckets(db: Queryable): Promise<number> {
  const [row] = await db.read<{ blocks: number }>({
    name: 'deleted_store_search_size',
    text: `SELECT pg_relation_size('order_search') / current_setting('block_size')::bigint AS blocks`,
  });
  return Math.max(1, Math.ceil((row?.blocks ?? 0) / SEARCH_BLOCKS));
}

export async function removeSearchBucket(
  db: Queryable,
  storeKey: number,
  bucket: number,
  buckets: number,
): Promise<void> {
  const from = bucket * SEARCH_BLOCKS;
  const to = bucket === buckets - 1 ? END_OF_TABLE : from + SEARCH_BLOCKS;
  await db.query({
    name: 'deleted_store_search',
    text: `DELETE FROM order_search s
           WHERE s.store_key = $1 AND s.ctid >= $2::tid AND s.ctid < $3::tid`,
    values: [storeKey, `(${from},0)`, `(${to},0)`],
    repeatable: true,
  });
}
