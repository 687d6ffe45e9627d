import type { Queryable } from '../database.js';

/** How far the holder of a lease on a cursor has come. */
export interface CursorProgress {
  readonly webhookId: string;
  readonly storeKey: number;
  readonly leaseId: string;
  readonly revision: number;
  readonly sequence: number;
  readonly attempts: number;
  readonly refusals: number;
  /** RFC 3339. */
  readonly firstRefusedAt: string | undefined;
  readonly waitMs: number;
  /** Otherwise it is given back. */
  readonly keepsLease: boolean;
  /** Given back with nothing left to send. */
  readonly rests: boolean;
}

/** One attempt that was made. */
export interface DeliveryRecord {
  readonly webhookId: string;
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly storeKey: number | undefined;
  readonly sequence: number | undefined;
  readonly attempt: number;
  /** RFC 3339. */
  readonly at: string;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly latencyMs: number;
  readonly response: string | undefined;
  /** The receiver has refused it so often that sending went on with the next event. */
  readonly isParked: boolean;
}

/**
 * Writes what came of attempts, and answers which leases still hold. Who has lost its lease, or began before the
 * endpoint was changed, moves nothing: its attempts are recorded, its progress is not.
 */
export async function recordProgress(
  db: Queryable,
  progress: readonly CursorProgress[],
  attempts: readonly DeliveryRecord[],
  leaseMs: number,
): Promise<Set<string>> {
  const rows = await db.query<{ leaseId: string }>({
    name: 'webhook_progress',
    text: PROGRESS,
    values: [JSON.stringify(progress), JSON.stringify(attempts), leaseMs / 1_000],
  });
  return new Set(rows.map(({ leaseId }) => leaseId));
}

// A success is noted once a minute and a failure once, so that the row of a busy endpoint is not written all the time.
const PROGRESS = `
  WITH moves AS (
    SELECT * FROM json_to_recordset($1::json) AS m ("webhookId" uuid, "storeKey" integer, "leaseId" uuid,
      revision integer, sequence bigint, attempts integer, refusals integer, "firstRefusedAt" timestamptz,
      "waitMs" float8, "keepsLease" boolean, rests boolean)
  ), attempts AS (
    SELECT * FROM json_to_recordset($2::json) AS a ("webhookId" uuid, id uuid, "eventId" uuid, type text,
      "storeKey" integer, sequence bigint, attempt integer, at timestamptz, status integer, error text,
      "latencyMs" integer, response text, "isParked" boolean)
  ), moved AS (
    UPDATE webhook_cursors c SET
      sequence = CASE WHEN c.revision = m.revision THEN m.sequence ELSE c.sequence END,
      attempts = CASE WHEN c.revision = m.revision THEN m.attempts ELSE c.attempts END,
      refusals = CASE WHEN c.revision = m.revision THEN m.refusals ELSE c.refusals END,
      first_refused_at = CASE WHEN c.revision = m.revision THEN m."firstRefusedAt" ELSE c.first_refused_at END,
      next_attempt_at = CASE WHEN c.revision = m.revision
        THEN clock_timestamp() + m."waitMs" * interval '1 millisecond' ELSE c.next_attempt_at END,
      lease_id = CASE WHEN m."keepsLease" THEN c.lease_id END,
      lease_until = CASE
        WHEN m."keepsLease" THEN clock_timestamp() + make_interval(secs => $3)
        WHEN NOT m.rests OR c.revision <> m.revision THEN clock_timestamp()
      END
    FROM moves m
    WHERE c.webhook_id = m."webhookId" AND c.store_key = m."storeKey" AND c.lease_id = m."leaseId"
    RETURNING m."leaseId", m."keepsLease" AND c.revision = m.revision AS holds
  ), kept AS (
    INSERT INTO webhook_deliveries (webhook_id, id, event_id, type, store_key, sequence, attempt, at, status, error,
      latency_ms, response)
    SELECT a."webhookId", a.id, a."eventId", a.type, a."storeKey", a.sequence, a.attempt, a.at, a.status, a.error,
      a."latencyMs", a.response
    FROM attempts a
    ON CONFLICT DO NOTHING
  ), parked AS (
    INSERT INTO webhook_parked (webhook_id, store_key, sequence, event_id, type, parked_at, status)
    SELECT a."webhookId", a."storeKey", a.sequence, a."eventId", a.type, a.at, a.status
    FROM attempts a JOIN webhook_cursors c ON c.webhook_id = a."webhookId" AND c.store_key = a."storeKey"
    WHERE a."isParked"
    ON CONFLICT (webhook_id, store_key, sequence) DO UPDATE
      SET parked_at = excluded.parked_at, status = excluded.status
  ), taken_after_all AS (
    DELETE FROM webhook_parked p USING attempts a
    WHERE a.error IS NULL AND p.webhook_id = a."webhookId" AND p.store_key = a."storeKey" AND p.sequence = a.sequence
  ), succeeded AS (
    UPDATE webhooks w SET failing_since = NULL, last_success_at = date_trunc('milliseconds', clock_timestamp())
    WHERE w.id IN (SELECT a."webhookId" FROM attempts a WHERE a.error IS NULL)
      AND (w.failing_since IS NOT NULL OR w.last_success_at IS NULL
        OR w.last_success_at < clock_timestamp() - interval '1 minute')
  ), failed AS (
    UPDATE webhooks w SET failing_since = clock_timestamp()
    WHERE w.failing_since IS NULL
      AND w.id IN (SELECT a."webhookId" FROM attempts a WHERE a.error IS NOT NULL AND a."storeKey" IS NOT NULL)
      AND w.id NOT IN (SELECT a."webhookId" FROM attempts a WHERE a.error IS NULL)
  )
  SELECT moved."leaseId" FROM moved WHERE moved.holds`;
