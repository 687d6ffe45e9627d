import type { Queryable } from '../database.js';

/* An endpoint has a cursor in each store that it is told of: after which event it goes on, and whose lease it is. */

/** The stores that an endpoint is told of: those named, or all of the merchant. */
export interface CoveredStores {
  readonly webhookId: string;
  readonly merchantId: string;
  readonly storeIds: readonly string[] | undefined;
}

/** Adds the cursors that the endpoint lacks: after the last event of each store, or before the oldest kept. */
export async function addCursors(
  db: Queryable,
  { webhookId, merchantId, storeIds }: CoveredStores,
  from: 'now' | 'start',
): Promise<void> {
  await db.query({
    name: 'webhook_cursors_add',
    text: `INSERT INTO webhook_cursors (webhook_id, store_key, sequence, next_attempt_at, lease_until)
           SELECT $1, s.store_key, coalesce(CASE WHEN $4 THEN e.last_sequence ELSE e.first_sequence - 1 END, 0),
             now(), now()
           FROM stores s LEFT JOIN event_counters e ON e.store_key = s.store_key
           WHERE s.merchant_id = $2 AND ($3::uuid[] IS NULL OR s.id = ANY ($3))
           ON CONFLICT DO NOTHING`,
    values: [webhookId, merchantId, storeIds, from === 'now'],
  });
}

/** With the events that are parked there: whoever may see the endpoint from now on may not see those stores. */
export async function removeOtherCursors(db: Queryable, covered: CoveredStores): Promise<void> {
  if (covered.storeIds === undefined) return;
  const values = [covered.webhookId, covered.merchantId, covered.storeIds];
  await db.query({
    name: 'webhook_cursors_remove_others',
    text: `DELETE FROM webhook_cursors
           WHERE webhook_cursors.webhook_id = $1 AND webhook_cursors.store_key NOT IN (${COVERED})`,
    values,
  });
  await db.query({
    name: 'webhook_parked_remove_others',
    text: `DELETE FROM webhook_parked
           WHERE webhook_parked.webhook_id = $1 AND webhook_parked.store_key NOT IN (${COVERED})`,
    values,
  });
}

const COVERED = 'SELECT s.store_key FROM stores s WHERE s.merchant_id = $2 AND s.id = ANY ($3::uuid[])';

/** Whoever is sending to the endpoint ends after the request under way; the next attempt is due at once. */
export async function restartCursors(db: Queryable, webhookId: string): Promise<void> {
  await db.query({
    name: 'webhook_cursors_restart',
    text: `UPDATE webhook_cursors SET revision = webhook_cursors.revision + 1, attempts = 0, refusals = 0,
             first_refused_at = NULL, next_attempt_at = now(),
             lease_until = coalesce(webhook_cursors.lease_until, now())
           WHERE webhook_cursors.webhook_id = $1`,
    values: [webhookId],
  });
}

/** Goes on after this event of the store; false when the endpoint is not told of the store. */
export async function moveCursor(
  db: Queryable,
  webhookId: string,
  storeKey: number,
  sequence: number,
): Promise<boolean> {
  const rows = await db.query({
    name: 'webhook_cursor_move',
    text: `UPDATE webhook_cursors SET sequence = $3, revision = webhook_cursors.revision + 1, attempts = 0, refusals = 0,
             first_refused_at = NULL, next_attempt_at = now(),
             lease_until = coalesce(webhook_cursors.lease_until, now())
           WHERE webhook_cursors.webhook_id = $1 AND webhook_cursors.store_key = $2
           RETURNING 1`,
    values: [webhookId, storeKey, sequence],
  });
  return rows.length > 0;
}

/** A new store is one of every endpoint that is told of all stores of its merchant, from its first event on. */
export async function addStoreToEndpoints(
  db: Queryable,
  merchantId: string,
  storeKey: number,
): Promise<void> {
  await db.query({
    name: 'webhook_cursors_add_store',
    text: `INSERT INTO webhook_cursors (webhook_id, store_key, sequence, next_attempt_at, lease_until)
           SELECT w.id, $2, 0, now(), now() FROM webhooks w
           WHERE w.merchant_id = $1 AND w.store_ids IS NULL AND w.status <> 'removed'
           ON CONFLICT DO NOTHING`,
    values: [merchantId, storeKey],
  });
}

/** Nobody is told of stores that are no more, not even of what happened before. */
export async function removeStoresFromEndpoints(db: Queryable, storeKeys: readonly number[]): Promise<void> {
  await db.query({
    name: 'webhook_cursors_remove_stores',
    text: `WITH parked AS (DELETE FROM webhook_parked WHERE webhook_parked.store_key = ANY ($1::integer[]))
           DELETE FROM webhook_cursors WHERE webhook_cursors.store_key = ANY ($1::integer[])`,
    values: [storeKeys],
  });
}
