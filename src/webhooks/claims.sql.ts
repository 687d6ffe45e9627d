import { BOUNDS } from '../support/bounds.js';
import type { Queryable } from '../postgres/database.js';
import type { LastSequences } from './cursors.sql.js';
import { ENDPOINT_COLUMNS, toEndpoint } from './endpoints.sql.js';
import type { RetryState } from './retries.js';
import type { Endpoint, SendOutcome } from './shapes.js';

/** A cursor with events to send whose time has come, and that nobody holds a lease on. */
export interface DueCursor {
  readonly endpoint: Endpoint;
  readonly storeKey: number;
  readonly storeId: string;
  readonly revision: number;
  readonly epoch: string;
}

const { size: MOST, perEndpoint: MOST_PER_ENDPOINT } = BOUNDS.deliveries;

/**
 * The longest due first, of endpoints that `sealedWith` signs for and that are not among the `busy` ones. Idle cursors before
 * the last events of their stores are due, too.
 */
export async function findDue(
  db: Queryable,
  sealedWith: string,
  lastSequences: LastSequences,
  busy: readonly string[],
): Promise<DueCursor[]> {
  const rows = await db.read<Omit<DueCursor, 'endpoint'>>({
    name: 'webhooks_due',
    text: `
      SELECT due.store_key AS "storeKey", due.revision, s.id AS "storeId", (SELECT epoch FROM event_epoch) AS epoch,
        ${ENDPOINT_COLUMNS}
      FROM webhooks w CROSS JOIN LATERAL (
        SELECT c.store_key, c.revision, c.next_attempt_at FROM webhook_cursors c
        LEFT JOIN unnest($2::integer[], $3::bigint[]) AS latest (store_key, last) ON latest.store_key = c.store_key
        WHERE c.webhook_id = w.id AND c.next_attempt_at <= clock_timestamp()
          AND (c.lease_until <= clock_timestamp() OR c.lease_until IS NULL AND c.sequence < latest.last)
        ORDER BY c.next_attempt_at LIMIT ${MOST_PER_ENDPOINT}
      ) AS due JOIN stores s ON s.store_key = due.store_key
      WHERE w.status = 'active' AND w.moving IS NULL AND w.sealed_with = $1 AND w.id <> ALL ($4::uuid[])
      ORDER BY due.next_attempt_at LIMIT ${MOST}`,
    values: [sealedWith, [...lastSequences.keys()], [...lastSequences.values()], busy],
  });
  return rows.map(({ storeKey, revision, storeId, epoch, ...endpoint }) => ({
    endpoint: toEndpoint(endpoint),
    storeKey,
    storeId,
    revision,
    epoch,
  }));
}

/** The events of one store on their way to one endpoint: one request at a time, while the lease holds. */
export interface Delivery {
  readonly due: DueCursor;
  readonly leaseId: string;
  /** The last event that is done with. */
  position: number;
  retryState: RetryState;
  waitMs: number;
  /** Whether all events that there were are done with. */
  isDone: boolean;
  /** False once someone else has the lease, or the endpoint was changed. */
  holdsLease: boolean;
  /** On the clock of this process, and never later than on that of the database. */
  leaseEnds: number;
}

type ClaimRow = RetryState & {
  readonly webhookId: string;
  readonly storeKey: number;
  readonly leaseId: string;
  readonly sequence: number;
};

/** Takes the leases that are still free; undefined in the place of the others. */
export async function claimCursors(
  db: Queryable,
  due: readonly DueCursor[],
  leaseMs: number,
): Promise<(Delivery | undefined)[]> {
  const leaseEnds = performance.now() + leaseMs;
  const rows = await db.query<ClaimRow>({
    name: 'webhook_cursors_claim',
    text: `
      UPDATE webhook_cursors c
      SET lease_id = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => $4)
      FROM (
        SELECT k.webhook_id, k.store_key
        FROM webhook_cursors k
        JOIN unnest($1::uuid[], $2::integer[], $3::integer[]) AS a (webhook_id, store_key, revision)
          ON a.webhook_id = k.webhook_id AND a.store_key = k.store_key AND a.revision = k.revision
        WHERE k.next_attempt_at <= clock_timestamp()
          AND (k.lease_until IS NULL OR k.lease_until <= clock_timestamp())
        FOR UPDATE OF k SKIP LOCKED
      ) AS free
      WHERE c.webhook_id = free.webhook_id AND c.store_key = free.store_key
      RETURNING c.webhook_id AS "webhookId", c.store_key AS "storeKey", c.lease_id AS "leaseId", c.sequence, c.attempts,
        c.refusals, extract(epoch FROM c.first_refused_at)::float8 * 1000 AS "firstRefusedAt"`,
    values: [
      due.map(({ endpoint }) => endpoint.id),
      due.map(({ storeKey }) => storeKey),
      due.map(({ revision }) => revision),
      leaseMs / 1_000,
    ],
  });
  return due.map((one) => {
    const row = rows.find(
      ({ webhookId, storeKey }) => webhookId === one.endpoint.id && storeKey === one.storeKey,
    );
    if (row === undefined) return undefined;
    const { leaseId, sequence: position, attempts, refusals, firstRefusedAt } = row;
    const retryState = { attempts, refusals, firstRefusedAt: firstRefusedAt ?? undefined };
    const state = { waitMs: 0, isDone: false, holdsLease: true };
    return { due: one, leaseId, position, retryState, leaseEnds, ...state };
  });
}

/** One attempt that was made; what came of it is kept without what is only for the log. */
export interface DeliveryRecord extends SendOutcome {
  readonly webhookId: string;
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly storeKey?: number;
  readonly sequence?: number;
  readonly attempt: number;
  readonly at: Date;
  /** The receiver has refused it so often that sending went on with the next event. */
  readonly isDeadLettered?: boolean;
}

/**
 * Writes how far deliveries have come and what came of attempts, and answers which leases still hold. Who has lost its lease, or
 * began before the endpoint was changed, moves nothing: its attempts are recorded, its progress is not.
 */
export async function recordProgress(
  db: Queryable,
  keepsLease: ReadonlyMap<Delivery, boolean>,
  attempts: readonly DeliveryRecord[],
  leaseMs: number,
): Promise<Set<string>> {
  const moves = [...keepsLease].map(([{ due, retryState, ...delivery }, keeps]) => ({
    webhookId: due.endpoint.id,
    storeKey: due.storeKey,
    leaseId: delivery.leaseId,
    revision: due.revision,
    sequence: delivery.position,
    ...retryState,
    waitMs: delivery.waitMs,
    keepsLease: keeps,
    isIdle: !keeps && delivery.isDone,
  }));
  const rows = await db.query<{ leaseId: string }>({
    name: 'webhook_progress',
    text: PROGRESS,
    values: [JSON.stringify(moves), JSON.stringify(attempts), leaseMs / 1_000],
  });
  return new Set(rows.map(({ leaseId }) => leaseId));
}

// A success is noted once a minute and a failure once, so that the row of a busy endpoint is not written all the time.
const PROGRESS = `
  WITH moves AS (
    SELECT * FROM json_to_recordset($1::json) AS m ("webhookId" uuid, "storeKey" integer, "leaseId" uuid,
      revision integer, sequence bigint, attempts integer, refusals integer, "firstRefusedAt" float8,
      "waitMs" float8, "keepsLease" boolean, "isIdle" boolean)
  ), attempts AS (
    SELECT * FROM json_to_recordset($2::json) AS a ("webhookId" uuid, id uuid, "eventId" uuid, type text,
      "storeKey" integer, sequence bigint, attempt integer, at timestamptz, status integer, error text,
      "latencyMs" integer, response text, "isDeadLettered" boolean)
  ), moved AS (
    UPDATE webhook_cursors c SET
      sequence = CASE WHEN c.revision = m.revision THEN m.sequence ELSE c.sequence END,
      attempts = CASE WHEN c.revision = m.revision THEN m.attempts ELSE c.attempts END,
      refusals = CASE WHEN c.revision = m.revision THEN m.refusals ELSE c.refusals END,
      first_refused_at = CASE WHEN c.revision = m.revision
        THEN to_timestamp(m."firstRefusedAt" / 1000) ELSE c.first_refused_at END,
      next_attempt_at = CASE WHEN c.revision = m.revision
        THEN clock_timestamp() + m."waitMs" * interval '1 millisecond' ELSE c.next_attempt_at END,
      lease_id = CASE WHEN m."keepsLease" THEN c.lease_id END,
      lease_until = CASE
        WHEN m."keepsLease" THEN clock_timestamp() + make_interval(secs => $3)
        WHEN NOT m."isIdle" OR c.revision <> m.revision THEN clock_timestamp()
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
    WHERE a."isDeadLettered"
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
