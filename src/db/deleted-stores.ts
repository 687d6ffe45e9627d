import type { Queryable } from './database.js';

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
  { table: 'order_counts', rows: 1_000 },
  { table: 'events', rows: 1_000 },
  { table: 'webhook_deliveries', rows: 1_000 },
  { table: 'webhook_cursors', rows: 1_000 },
  { table: 'webhook_parked', rows: 1_000 },
  // A row may hold a menu of many megabytes.
  { table: 'menu_versions', rows: 5 },
  { table: 'menu_marks', rows: 1_000 },
  { table: 'menu_entities', rows: 1_000 },
  { table: 'menu_states', rows: 1 },
];

/** A deleted store that still has rows. */
export interface DeletedStore {
  readonly storeKey: number;
  readonly id: string;
}

const CLAIM = `interval '2 minutes'`;

/** Claims one that nobody else is emptying; the claim ends by itself unless it is kept up. */
export async function claimDeletedStore(db: Queryable): Promise<DeletedStore | undefined> {
  const [row] = await db.query<DeletedStore>({
    name: 'deleted_store_claim',
    text: `UPDATE deleted_stores SET claimed_until = clock_timestamp() + ${CLAIM}
           WHERE deleted_stores.store_key = (
             SELECT d.store_key FROM deleted_stores d
             WHERE d.emptied_at IS NULL AND (d.claimed_until IS NULL OR d.claimed_until < clock_timestamp())
             ORDER BY d.deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED)
           RETURNING deleted_stores.store_key AS "storeKey", deleted_stores.id`,
  });
  return row;
}

export async function keepClaim(db: Queryable, { storeKey }: DeletedStore): Promise<void> {
  await db.query({
    name: 'deleted_store_keep_claim',
    text: `UPDATE deleted_stores SET claimed_until = clock_timestamp() + ${CLAIM} WHERE deleted_stores.store_key = $1`,
    values: [storeKey],
    repeatable: true,
  });
}

export async function markEmptied(db: Queryable, { storeKey }: DeletedStore): Promise<void> {
  await db.query({
    name: 'deleted_store_emptied',
    text: `UPDATE deleted_stores SET emptied_at = clock_timestamp(), claimed_until = NULL
           WHERE deleted_stores.store_key = $1`,
    values: [storeKey],
    repeatable: true,
  });
}

/** Removes some rows of the store; false when there are no more. */
export async function removeRows(
  db: Queryable,
  { storeKey }: DeletedStore,
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
 * No index of order_search leads to a store, so the table is read through, a stretch of blocks at a time. Where the server
 * does not tell the size, as a sharded one does not, it is all one stretch.
 */
export async function countSearchStretches(db: Queryable): Promise<number> {
  const [row] = await db.query<{ blocks: number }>({
    name: 'deleted_store_search_size',
    text: `SELECT pg_relation_size('order_search') / current_setting('block_size')::bigint AS blocks`,
    repeatable: true,
  });
  return Math.max(1, Math.ceil((row?.blocks ?? 0) / SEARCH_BLOCKS));
}

export async function removeSearchStretch(
  db: Queryable,
  { storeKey }: DeletedStore,
  stretch: number,
  stretches: number,
): Promise<void> {
  const from = stretch * SEARCH_BLOCKS;
  const to = stretch === stretches - 1 ? END_OF_TABLE : from + SEARCH_BLOCKS;
  await db.query({
    name: 'deleted_store_search',
    text: `DELETE FROM order_search s
           WHERE s.store_key = $1 AND s.ctid >= $2::tid AND s.ctid < $3::tid`,
    values: [storeKey, `(${from},0)`, `(${to},0)`],
    repeatable: true,
  });
}
