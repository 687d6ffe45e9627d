import type { Queryable, SharedDatabase } from '../postgres/database.js';
import { findEndpoint } from './endpoints.sql.js';

/* An endpoint has a cursor in each store that it covers: after which event it goes on, and whose lease it is. */

/** The stores that an endpoint covers: those named, or all of the merchant. */
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

/** Also removes the dead letters of other stores: keys that see the endpoint from now on may not see those stores. */
export async function removeOtherCursors(db: Queryable, covered: CoveredStores): Promise<void> {
  if (covered.storeIds === undefined) return;
  // In a statement of its own: on Citus a deletion that looks into `stores` goes to every node, and the table is on one.
  const kept = await db.read<{ store_key: number }>({
    name: 'stores_covered',
    text: 'SELECT s.store_key FROM stores s WHERE s.merchant_id = $1 AND s.id = ANY ($2::uuid[])',
    values: [covered.merchantId, covered.storeIds],
  });
  for (const table of ['webhook_cursors', 'webhook_parked'])
    await db.query({
      name: `${table}_remove_others`,
      text: `DELETE FROM ${table} c WHERE c.webhook_id = $1 AND c.store_key <> ALL ($2::integer[])`,
      values: [covered.webhookId, kept.map(({ store_key: storeKey }) => storeKey)],
    });
}

/**
 * Ends the leases of the endpoint, or only that in one store, after their current request, and makes the next attempt due at once:
 * where it stopped, or after another event of the one store. False when there is no such cursor.
 */
export async function restartCursors(
  db: Queryable,
  webhookId: string,
  at: { readonly storeKey?: number; readonly sequence?: number } = {},
): Promise<boolean> {
  const rows = await db.query({
    name: 'webhook_cursors_restart',
    text: `UPDATE webhook_cursors c SET sequence = coalesce($3, c.sequence), revision = c.revision + 1, attempts = 0,
             refusals = 0, first_refused_at = NULL, next_attempt_at = now(), lease_until = coalesce(c.lease_until, now())
           WHERE c.webhook_id = $1 AND ($2::integer IS NULL OR c.store_key = $2)
           RETURNING 1`,
    values: [webhookId, at.storeKey, at.sequence],
  });
  return rows.length > 0;
}

/** An event hardly waits longer than this for its number, which is nearly in the order of the times. */
const MOST_WAITED = "interval '10 seconds'";

/** The event after which the first of a moment comes, or one a little earlier; undefined if all kept ones are before it. */
export async function findLastBefore(
  db: Queryable,
  storeKey: number,
  moment: Date,
): Promise<number | undefined> {
  const [row] = await db.query<{ last: number | null }>({
    name: 'webhook_replay_from',
    text: `SELECT min(e.sequence) - 1 AS last FROM events e
           WHERE e.store_key = $1 AND e.at >= $2::timestamptz - ${MOST_WAITED}`,
    values: [storeKey, moment],
  });
  return row?.last ?? undefined;
}

/** Where to look for stores that an endpoint lacks: in one endpoint, or everywhere. */
type Uncovered = { readonly webhookId: string } | { readonly storeKeys: readonly number[] } | 'all';

/**
 * An endpoint without store_ids covers every store of its merchant. Only stores that were made after it can lack a cursor:
 * they get one before their first event. The lock prevents concurrent changes of the endpoint.
 */
export async function coverNewStores(db: SharedDatabase, among: Uncovered): Promise<void> {
  for (const webhookId of await findUncovering(db, among))
    await db.transaction(async (tx) => {
      const endpoint = await findEndpoint(tx, webhookId, true);
      if (endpoint === undefined || endpoint.store_ids !== undefined) return;
      await addCursors(tx, { webhookId, merchantId: endpoint.merchant_id, storeIds: undefined }, 'start');
    });
}

async function findUncovering(db: Queryable, among: Uncovered): Promise<string[]> {
  const { name, where, values } = whereAmong(among);
  const rows = await db.read<{ id: string }>({
    name: `webhooks_uncovering_${name}`,
    text: `SELECT DISTINCT w.id FROM webhooks w JOIN stores s ON s.merchant_id = w.merchant_id
           WHERE w.store_ids IS NULL AND w.status <> 'removed' AND ${where} AND NOT EXISTS (
             SELECT FROM webhook_cursors c WHERE c.webhook_id = w.id AND c.store_key = s.store_key)
           LIMIT 1000`,
    values,
  });
  return rows.map(({ id }) => id);
}

function whereAmong(among: Uncovered): { name: string; where: string; values: unknown[] } {
  if (among === 'all') return { name: 'all', where: 'true', values: [] };
  if ('webhookId' in among) return { name: 'one', where: 'w.id = $1', values: [among.webhookId] };
  return { name: 'stores', where: 's.store_key = ANY ($1::integer[])', values: [among.storeKeys] };
}

/** Stops sending events of deleted stores, including earlier ones. */
export async function removeStoresFromEndpoints(db: Queryable, storeKeys: readonly number[]): Promise<void> {
  await db.query({
    name: 'webhook_cursors_remove_stores',
    text: `WITH parked AS (DELETE FROM webhook_parked WHERE webhook_parked.store_key = ANY ($1::integer[]))
           DELETE FROM webhook_cursors WHERE webhook_cursors.store_key = ANY ($1::integer[])`,
    values: [storeKeys],
  });
}

/** The last events of stores, by store key. */
export type LastSequences = ReadonlyMap<number, number>;

/*
 * A cursor whose known events are all sent is idle: its `lease_until` is null. The writer of an event marks idle cursors before
 * it as ready, so that no process has to poll every store. A `lease_until` in the past means that there may be something to
 * send, and that any process may claim the cursor.
 */

/** Marks idle cursors ready that are before the last event of their store. */
export async function markReady(db: Queryable, lastSequences: LastSequences): Promise<void> {
  if (lastSequences.size === 0) return;
  await db.query({
    name: 'webhook_cursors_ready',
    text: `UPDATE webhook_cursors c SET lease_until = clock_timestamp()
           FROM unnest($1::integer[], $2::bigint[]) AS latest (store_key, last)
           WHERE c.store_key = latest.store_key AND c.lease_until IS NULL AND c.sequence < latest.last`,
    values: [[...lastSequences.keys()], [...lastSequences.values()]],
    repeatable: true,
  });
}

/** Finds stores with an idle cursor before their last event: the writer ended before it woke the cursor. */
export async function findMissedEvents(db: Queryable): Promise<LastSequences> {
  const rows = await db.read<{ store_key: number; last_sequence: number }>({
    name: 'webhook_cursors_missed_events',
    text: `SELECT e.store_key, e.last_sequence
           FROM event_counters e JOIN (
             SELECT c.store_key, min(c.sequence) AS sequence
             FROM webhooks w JOIN webhook_cursors c ON c.webhook_id = w.id
             WHERE w.status = 'active' AND c.lease_until IS NULL
             GROUP BY c.store_key
           ) AS idle ON idle.store_key = e.store_key
           WHERE e.last_sequence > idle.sequence
           LIMIT 10000`,
  });
  return new Map(rows.map((row) => [row.store_key, row.last_sequence]));
}

/** The stores that some active endpoint covers, and how many endpoints cannot be signed for with this box. */
export async function readWatchedStores(
  db: Queryable,
  sealedWith: string | undefined,
): Promise<{ storeKeys: Set<number>; unreadable: number }> {
  const [row] = await db.read<{ storeKeys: number[] | null; unreadable: number }>({
    name: 'webhooks_watched',
    text: `SELECT (
             SELECT array_agg(DISTINCT c.store_key)
             FROM webhooks w JOIN webhook_cursors c ON c.webhook_id = w.id
             WHERE w.status = 'active') AS "storeKeys", (
             SELECT count(*) FROM webhooks w
             WHERE w.status = 'active' AND w.sealed_with IS DISTINCT FROM $1) AS unreadable`,
    values: [sealedWith],
  });
  return { storeKeys: new Set(row?.storeKeys ?? []), unreadable: row?.unreadable ?? 0 };
}
