import { uuidTime } from '../../domain/uuid.js';
import type { Queryable } from '../database.js';

export interface DeliveryAttempt {
  readonly eventId: string;
  readonly type: string;
  readonly storeId: string | null;
  readonly sequence: number | null;
  readonly attempt: number;
  readonly at: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly latencyMs: number;
  readonly response: string | null;
}

/** The newest first; of stores that the endpoint is still told of, and tests. */
export function listDeliveries(db: Queryable, webhookId: string, limit: number): Promise<DeliveryAttempt[]> {
  return db.query<DeliveryAttempt>({
    name: 'webhook_deliveries',
    text: `SELECT d.event_id AS "eventId", d.type, s.id AS "storeId", d.sequence, d.attempt, d.at, d.status, d.error,
             d.latency_ms AS "latencyMs", d.response
           FROM webhook_deliveries d LEFT JOIN stores s ON s.store_key = d.store_key
           WHERE d.webhook_id = $1 AND (d.store_key IS NULL OR EXISTS (
             SELECT FROM webhook_cursors c WHERE c.webhook_id = $1 AND c.store_key = d.store_key))
           ORDER BY d.id DESC LIMIT $2`,
    values: [webhookId, limit],
    repeatable: true,
  });
}

export interface ParkedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly storeId: string;
  readonly storeKey: number;
  readonly sequence: number;
  readonly parkedAt: Date;
  readonly status: number;
}

const PARKED_COLUMNS = `p.event_id AS "eventId", p.type, s.id AS "storeId", p.store_key AS "storeKey", p.sequence,
  p.parked_at AS "parkedAt", p.status`;

/** The oldest events first. */
export function listParked(db: Queryable, webhookId: string, limit: number): Promise<ParkedEvent[]> {
  return db.query<ParkedEvent>({
    name: 'webhook_parked',
    text: `SELECT ${PARKED_COLUMNS} FROM webhook_parked p JOIN stores s ON s.store_key = p.store_key
           WHERE p.webhook_id = $1 ORDER BY p.store_key, p.sequence LIMIT $2`,
    values: [webhookId, limit],
    repeatable: true,
  });
}

export async function findParked(
  db: Queryable,
  webhookId: string,
  eventId: string,
): Promise<ParkedEvent | undefined> {
  const [row] = await db.query<ParkedEvent>({
    name: 'webhook_parked_one',
    text: `SELECT ${PARKED_COLUMNS} FROM webhook_parked p JOIN stores s ON s.store_key = p.store_key
           WHERE p.webhook_id = $1 AND p.event_id = $2`,
    values: [webhookId, eventId],
    repeatable: true,
  });
  return row;
}

/** How many rows one statement removes: few enough that nothing has to wait for it. */
const FORGOTTEN_AT_ONCE = 1_000;

const KEPT_MS = 30 * 86_400_000;

/** Forgets some deliveries of over 30 days ago and of endpoints that were removed; true when there may be more. */
export async function forgetOldDeliveries(db: Queryable): Promise<boolean> {
  const forgotten = await db.query({
    name: 'webhook_deliveries_forget',
    text: `DELETE FROM webhook_deliveries
           WHERE (webhook_id, id) IN (
             SELECT old.webhook_id, old.id
             FROM webhooks w CROSS JOIN LATERAL (
               SELECT d.webhook_id, d.id FROM webhook_deliveries d
               WHERE d.webhook_id = w.id
                 AND d.id < CASE WHEN w.status = 'removed' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' ELSE $1::uuid END
               ORDER BY d.id LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED
             ) AS old
             LIMIT ${FORGOTTEN_AT_ONCE})
           RETURNING 1`,
    values: [`${uuidTime(Date.now() - KEPT_MS)}-0000-0000-000000000000`],
    repeatable: true,
  });
  return forgotten.length === FORGOTTEN_AT_ONCE;
}

/** Forgets endpoints that were removed over a day ago, and parked events that are no longer kept. */
export async function forgetRemovedEndpoints(db: Queryable): Promise<boolean> {
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
  return false;
}
