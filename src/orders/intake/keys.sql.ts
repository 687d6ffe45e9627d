import type { Queryable } from '../../postgres/database.js';
import { DAY_MS } from '../../support/datetime.js';

/*
 * The Idempotency-Keys of orders, valid for 24 hours. They are rows of the order's store, because the statement that writes the
 * order must find them on the same node, and name the order instead of keeping a response.
 */

/** The order that an Idempotency-Key stands for, and what the first request under it was answered. */
export interface OrderKey {
  readonly id: string;
  readonly fingerprint: string;
  readonly status: 200 | 201;
}

/** `now` in milliseconds: a key older than 24 hours then is none. */
export async function findOrderKey(
  db: Queryable,
  storeKey: number,
  clientKey: string,
  now: number,
): Promise<OrderKey | undefined> {
  const [row] = await db.read<OrderKey>({
    name: 'idempotency-find-order',
    text: `SELECT k.order_id AS id, encode(k.fingerprint, 'hex') AS fingerprint, k.status
           FROM order_intake_keys k WHERE k.store_key = $1 AND k.client_key = $2
             AND k.taken_at + interval '24 hours' > $3`,
    values: [storeKey, clientKey, new Date(now)],
  });
  return row;
}

/** Keeps the key for an order that exists already; false if it is taken, for whatever order. New orders bring their own. */
export async function keepOrderKey(
  db: Queryable,
  storeKey: number,
  clientKey: string,
  { id, fingerprint, status }: OrderKey,
): Promise<boolean> {
  const kept = await db.query({
    name: 'idempotency-keep-order',
    text: `INSERT INTO order_intake_keys AS k (store_key, client_key, order_id, fingerprint, status, taken_at)
           VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6)
           ON CONFLICT (store_key, client_key) DO UPDATE
             SET order_id = excluded.order_id, fingerprint = excluded.fingerprint, status = excluded.status,
               taken_at = excluded.taken_at
             WHERE excluded.taken_at - k.taken_at >= interval '24 hours'
           RETURNING 1`,
    values: [storeKey, clientKey, id, fingerprint, status, new Date()],
    repeatable: true,
  });
  return kept.length > 0;
}

/** How many rows one statement removes: few enough that nothing has to wait for it. */
const FORGOTTEN_AT_ONCE = 1_000;
const STORES_AT_ONCE = 100;

/**
 * Removes expired keys of orders; true when there may be more. They are kept by store, so every store with an event counter is
 * checked.
 */
export async function purgeOldIntakeKeys(db: Queryable): Promise<boolean> {
  const oldest = new Date(Date.now() - DAY_MS);
  const stores = await db.read<{ store_key: number }>({
    name: 'idempotent_stores_with_old_keys',
    text: `SELECT c.store_key FROM event_counters c
           WHERE EXISTS (
             SELECT FROM order_intake_keys k WHERE k.store_key = c.store_key AND k.taken_at < $1)
           LIMIT ${STORES_AT_ONCE}`,
    values: [oldest],
  });
  let removed = 0;
  for (const { store_key: storeKey } of stores) {
    const forgotten = await db.query({
      name: 'idempotent_forget_intake_keys',
      text: `DELETE FROM order_intake_keys
             WHERE order_intake_keys.store_key = $1 AND order_intake_keys.ctid = ANY (ARRAY (
               SELECT k.ctid FROM order_intake_keys k
               WHERE k.store_key = $1 AND k.taken_at < $2 LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED))
             RETURNING 1`,
      values: [storeKey, oldest],
      repeatable: true,
    });
    removed += forgotten.length;
  }
  return removed > 0;
}
