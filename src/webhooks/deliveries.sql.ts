import { KEPT_ATTEMPTS } from '../support/bounds.js';
import type { Queryable } from '../postgres/database.js';
import { withoutNulls } from '../postgres/without-nulls.js';
import { uuidTime } from '../support/uuid.js';

/** The newest first, as the response shows them; of stores that the endpoint still covers, and tests. */
export async function listDeliveries(db: Queryable, webhookId: string, limit: number): Promise<object[]> {
  const rows = await db.read<object>({
    name: 'webhook_deliveries',
    text: `SELECT 'evt_' || d.event_id AS event_id, d.type, s.id AS store_id, d.sequence, d.attempt, d.at, d.status, d.error,
             d.latency_ms, d.response
           FROM webhook_deliveries d LEFT JOIN stores s ON s.store_key = d.store_key
           WHERE d.webhook_id = $1 AND (d.store_key IS NULL OR EXISTS (
             SELECT FROM webhook_cursors c WHERE c.webhook_id = $1 AND c.store_key = d.store_key))
           ORDER BY d.id DESC LIMIT $2`,
    values: [webhookId, limit],
  });
  return rows.map(withoutNulls);
}

/** Events that the receiver refused for good, as the response shows them; the oldest first. */
export function listDeadLetters(db: Queryable, webhookId: string, limit: number): Promise<object[]> {
  return db.read({
    name: 'webhook_parked',
    text: `SELECT 'evt_' || p.event_id AS event_id, p.type, s.id AS store_id, p.sequence, p.parked_at, p.status
           FROM webhook_parked p JOIN stores s ON s.store_key = p.store_key
           WHERE p.webhook_id = $1 ORDER BY p.store_key, p.sequence LIMIT $2`,
    values: [webhookId, limit],
  });
}

/** Which event of which store an endpoint has refused for good. */
export async function findDeadLetter(
  db: Queryable,
  webhookId: string,
  eventId: string,
): Promise<{ readonly storeKey: number; readonly storeId: string; readonly sequence: number } | undefined> {
  const [row] = await db.read<{ storeKey: number; storeId: string; sequence: number }>({
    name: 'webhook_parked_one',
    text: `SELECT p.store_key AS "storeKey", s.id AS "storeId", p.sequence
           FROM webhook_parked p JOIN stores s ON s.store_key = p.store_key
           WHERE p.webhook_id = $1 AND p.event_id = $2`,
    values: [webhookId, eventId],
  });
  return row;
}

/**
 * Clears the responses of receivers to events of these orders, since they may contain the order. If the event is no longer
 * kept, its order is unknown, so its response is cleared, too.
 */
export async function clearResponses(
  db: Queryable,
  storeKey: number,
  orderIds: readonly string[],
): Promise<void> {
  const answered = await db.read<{ sequence: number }>({
    name: 'webhook_responses',
    text: `SELECT DISTINCT d.sequence FROM webhook_deliveries d WHERE d.store_key = $1 AND d.response IS NOT NULL`,
    values: [storeKey],
  });
  if (answered.length === 0) return;
  const sequences = answered.map(({ sequence }) => sequence);
  const others = await db.read<{ sequence: number }>({
    name: 'webhook_responses_of_others',
    text: `SELECT e.sequence FROM events e
           WHERE e.store_key = $1 AND e.sequence = ANY ($2::bigint[])
             AND NOT (e.type LIKE 'order.%' AND e.data::json ->> 'order_id' = ANY ($3::text[]))`,
    values: [storeKey, sequences, orderIds],
  });
  const kept = new Set(others.map(({ sequence }) => sequence));
  await db.query({
    name: 'webhook_responses_clear',
    text: `UPDATE webhook_deliveries SET response = NULL
           WHERE webhook_deliveries.store_key = $1 AND webhook_deliveries.sequence = ANY ($2::bigint[])`,
    values: [storeKey, sequences.filter((sequence) => !kept.has(sequence))],
    repeatable: true,
  });
}

const KEPT_MS = 30 * 86_400_000;

/** Before this id are the attempts of over 30 days ago. */
const oldestKept = () => `${uuidTime(Date.now() - KEPT_MS)}-0000-0000-000000000000`;
/** Of an endpoint `w` that was removed, no attempt is kept. */
const FIRST_KEPT = `CASE WHEN w.status = 'removed' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' ELSE $1::uuid END`;

/** Forgets the attempts of an endpoint beyond those that are kept, and counts them. */
async function trimDeliveries(db: Queryable, webhookId: string): Promise<void> {
  await db.query({
    name: 'webhook_deliveries_trim',
    text: `WITH own AS (
             SELECT w.id, ${FIRST_KEPT} AS first_kept FROM webhooks w WHERE w.id = $2 FOR UPDATE
           ), forgotten AS (
             DELETE FROM webhook_deliveries d USING own
             WHERE d.webhook_id = $2 AND (d.id < own.first_kept OR d.id <= (
               SELECT k.id FROM webhook_deliveries k WHERE k.webhook_id = $2
               ORDER BY k.id DESC OFFSET ${KEPT_ATTEMPTS} LIMIT 1))
             RETURNING d.error
           ), counted AS (
             SELECT count(*) AS total, count(f.error) AS failed FROM forgotten f
           )
           UPDATE webhooks w SET older_delivered = coalesce(w.older_delivered, 0) + c.total - c.failed,
             older_failed = coalesce(w.older_failed, 0) + c.failed
           FROM counted c WHERE w.id = $2 AND c.total > 0`,
    values: [oldestKept(), webhookId],
  });
}

const TRIMMED_ENDPOINTS = 100;

/** Trims endpoints with attempts that are not kept; true when there may be more of them. */
export async function trimAllDeliveries(db: Queryable): Promise<boolean> {
  const rows = await db.read<{ id: string }>({
    name: 'webhooks_to_trim',
    text: `SELECT w.id FROM webhooks w
           WHERE EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.id < ${FIRST_KEPT})
             OR EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id OFFSET ${KEPT_ATTEMPTS})
           LIMIT ${TRIMMED_ENDPOINTS}`,
    values: [oldestKept()],
  });
  for (const { id } of rows) await trimDeliveries(db, id);
  return rows.length === TRIMMED_ENDPOINTS;
}

/** Attempts that are counted, but no longer kept one by one, as the response shows them. */
export async function readOlderAttempts(db: Queryable, webhookId: string): Promise<object | undefined> {
  const [row] = await db.read<object>({
    name: 'webhook_older_attempts',
    text: `SELECT w.older_delivered AS delivered, w.older_failed AS failed FROM webhooks w
           WHERE w.id = $1 AND w.older_delivered IS NOT NULL`,
    values: [webhookId],
  });
  return row;
}

/** Forgets endpoints that were removed over a day ago, and dead letters whose events are no longer kept. */
export async function purgeRemovedEndpoints(db: Queryable): Promise<void> {
  await db.query({
    name: 'webhooks_forget',
    text: `WITH parked AS (
             DELETE FROM webhook_parked p USING event_counters e
             WHERE e.store_key = p.store_key AND p.sequence < e.first_sequence)
           DELETE FROM webhooks w
           WHERE w.status = 'removed' AND w.removed_at < now() - interval '1 day'
             AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id)`,
    repeatable: true,
  });
}
