import { BOUNDS } from '../support/bounds.js';
import type { RetryState } from './retries.js';
import type { Endpoint } from './shapes.js';
import type { Queryable } from '../postgres/database.js';
import type { LastSequences } from './cursors.sql.js';
import { ENDPOINT_COLUMNS, toEndpoint, type EndpointRow } from './endpoints.sql.js';

/** A cursor with events to send whose time has come, and that nobody holds a lease on. */
export interface DueCursor {
  readonly endpoint: Endpoint;
  readonly failingSince: Date | undefined;
  readonly storeKey: number;
  readonly storeId: string;
  readonly revision: number;
  readonly epoch: string;
}

/** Which of the due cursors to look for. */
export interface DueFilter {
  /** The last events of stores with new events: idle cursors before them are due, too. */
  readonly lastSequences: LastSequences;
  /** The box that opens the secrets of the endpoints asked for. */
  readonly sealedWith: string;
  /** The endpoint and the merchant of each delivery under way. */
  readonly endpoints: readonly string[];
  readonly merchants: readonly string[];
}

type DueRow = EndpointRow & {
  readonly failing_since: Date | null;
  readonly store_key: number;
  readonly store_id: string;
  readonly revision: number;
  readonly epoch: string;
};

/** How many due cursors one statement ranks; the others come in their turn. */
const MAX_RANKED = 2_000;

const { size: MOST, perOwner: MOST_PER_MERCHANT, perEndpoint: MOST_PER_ENDPOINT } = BOUNDS.deliveries;

/** The longest due first; with those under way, no more than there may be in all, of a merchant and of an endpoint. */
export async function findDue(db: Queryable, filter: DueFilter): Promise<DueCursor[]> {
  const { endpoints, merchants } = filter;
  const rows = await db.query<DueRow>({
    name: 'webhooks_due',
    text: `
      WITH due AS (
        SELECT c.webhook_id, c.store_key, c.revision, c.next_attempt_at, d.merchant_id
        FROM webhooks d
        JOIN webhook_cursors c ON c.webhook_id = d.id
        LEFT JOIN unnest($6::integer[], $7::bigint[]) AS latest (store_key, last) ON latest.store_key = c.store_key
        WHERE d.status = 'active' AND d.moving IS NULL AND d.sealed_with = $1
          AND d.id <> ALL ($8::uuid[]) AND d.merchant_id <> ALL ($9::uuid[])
          AND c.next_attempt_at <= clock_timestamp()
          AND (c.lease_until <= clock_timestamp() OR c.lease_until IS NULL AND c.sequence < latest.last)
        ORDER BY c.next_attempt_at LIMIT ${MAX_RANKED}
      ), ranked AS (
        SELECT due.*,
          row_number() OVER (PARTITION BY due.webhook_id ORDER BY due.next_attempt_at)
            + (SELECT count(*) FROM unnest($2::uuid[]) AS w (id) WHERE w.id = due.webhook_id) AS of_endpoint,
          row_number() OVER (PARTITION BY due.merchant_id ORDER BY due.next_attempt_at)
            + (SELECT count(*) FROM unnest($3::uuid[]) AS m (id) WHERE m.id = due.merchant_id) AS of_merchant
        FROM due
      )
      SELECT r.store_key, r.revision, s.id AS store_id, (SELECT epoch FROM event_epoch) AS epoch, w.failing_since,
        ${ENDPOINT_COLUMNS}
      FROM ranked r JOIN webhooks w ON w.id = r.webhook_id JOIN stores s ON s.store_key = r.store_key
      WHERE r.of_endpoint <= $4 AND r.of_merchant <= $5
      ORDER BY r.next_attempt_at LIMIT ${MOST} - cardinality($2::uuid[])`,
    values: [
      filter.sealedWith,
      endpoints,
      merchants,
      MOST_PER_ENDPOINT,
      MOST_PER_MERCHANT,
      [...filter.lastSequences.keys()],
      [...filter.lastSequences.values()],
      namedOften(endpoints, MOST_PER_ENDPOINT),
      namedOften(merchants, MOST_PER_MERCHANT),
    ],
    repeatable: true,
  });
  return rows.map((row) => ({
    endpoint: toEndpoint(row),
    failingSince: row.failing_since ?? undefined,
    storeKey: row.store_key,
    storeId: row.store_id,
    revision: row.revision,
    epoch: row.epoch,
  }));
}

function namedOften(ids: readonly string[], times: number): string[] {
  return [...new Set(ids)].filter((id) => ids.filter((one) => one === id).length >= times);
}

/** A claimed cursor and its position. */
export interface Claim {
  readonly leaseId: string;
  readonly sequence: number;
  readonly retryState: RetryState;
}

interface ClaimRow {
  readonly webhook_id: string;
  readonly store_key: number;
  readonly lease_id: string;
  readonly sequence: number;
  readonly attempts: number;
  readonly refusals: number;
  readonly first_refused_at: Date | null;
}

/** Takes the leases that are still free; undefined in the place of the others. */
export async function claimCursors(
  db: Queryable,
  due: readonly DueCursor[],
  leaseMs: number,
): Promise<(Claim | undefined)[]> {
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
      RETURNING c.webhook_id, c.store_key, c.lease_id, c.sequence, c.attempts, c.refusals, c.first_refused_at`,
    values: [
      due.map(({ endpoint }) => endpoint.id),
      due.map(({ storeKey }) => storeKey),
      due.map(({ revision }) => revision),
      leaseMs / 1_000,
    ],
  });
  return due.map(({ endpoint, storeKey }) => {
    const row = rows.find((one) => one.webhook_id === endpoint.id && one.store_key === storeKey);
    return row && toClaim(row);
  });
}

function toClaim({ lease_id, sequence, attempts, refusals, first_refused_at }: ClaimRow): Claim {
  const firstRefusedAt = first_refused_at?.getTime();
  return { leaseId: lease_id, sequence, retryState: { attempts, refusals, firstRefusedAt } };
}

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
  /** Otherwise it is released. */
  readonly keepsLease: boolean;
  /** Released with nothing left to send. */
  readonly isIdle: boolean;
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
  readonly isDeadLettered: boolean;
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
      first_refused_at = CASE WHEN c.revision = m.revision THEN m."firstRefusedAt" ELSE c.first_refused_at END,
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
