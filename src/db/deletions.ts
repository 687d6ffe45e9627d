import type { Queryable } from './database.js';

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
export async function lockMerchantToDelete(tx: Queryable, id: string): Promise<number[] | undefined> {
  const found = await tx.query({
    name: 'deletion_lock_merchant',
    text: 'SELECT 1 FROM merchants WHERE merchants.id = $1 FOR UPDATE',
    values: [id],
  });
  if (found.length === 0) return undefined;
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
    text: 'SELECT EXISTS (SELECT FROM orders o WHERE o.store_key = ANY ($1::integer[])) AS found',
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
  await tx.query({
    name: 'deletion_stores',
    text: 'DELETE FROM stores WHERE stores.store_key = ANY ($1::integer[])',
    values: [storeKeys],
  });
}

/** With its keys, which open nothing from here on. Its stores must be gone. */
export async function removeMerchant(tx: Queryable, id: string, keyId: string): Promise<void> {
  await tx.query({
    name: 'deletion_keys',
    text: 'DELETE FROM api_keys WHERE api_keys.merchant_id = $1',
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
  const [row] = await db.query<{ found: boolean }>({
    name: 'deletion_known',
    text: `SELECT EXISTS (SELECT FROM deleted_merchants m WHERE m.id = $1)
               OR EXISTS (SELECT FROM deleted_stores s WHERE s.id = ANY ($2::uuid[])) AS found`,
    values: [merchantId, storeIds],
    repeatable: true,
  });
  return row?.found === true;
}
