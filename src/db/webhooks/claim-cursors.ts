import type { Trouble } from '../../domain/webhook/retries.js';
import type { Endpoint } from '../../domain/webhook/endpoint.js';
import type { Queryable } from '../database.js';
import { ENDPOINT_COLUMNS, toEndpoint, type EndpointRow } from './endpoints.js';

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
  /** The last events of stores where there was something new, by store key: wakes the cursors that rest before them. */
  readonly lastSequences: ReadonlyMap<number, number>;
  /** The box that opens the secrets of the endpoints asked for. */
  readonly sealedWith: string;
  /** Endpoints and merchants that have as many requests under way as they may. */
  readonly busyEndpoints: readonly string[];
  readonly busyMerchants: readonly string[];
  readonly perEndpoint: number;
  readonly perMerchant: number;
  readonly limit: number;
}

type DueRow = EndpointRow & {
  readonly failing_since: Date | null;
  readonly store_key: number;
  readonly store_id: string;
  readonly revision: number;
  readonly epoch: string;
};

/** So many are ranked at once; those that rank too low come in their turn. */
const RANKED = 2_000;

/** The longest due first, but none of an endpoint or a merchant more than their share. */
export async function findDue(db: Queryable, filter: DueFilter): Promise<DueCursor[]> {
  const rows = await db.query<DueRow>({
    name: 'webhooks_due',
    text: `
      WITH due AS (
        SELECT c.webhook_id, c.store_key, c.revision, c.next_attempt_at, d.merchant_id
        FROM webhooks d
        JOIN webhook_cursors c ON c.webhook_id = d.id
        LEFT JOIN unnest($7::integer[], $8::bigint[]) AS told (store_key, last) ON told.store_key = c.store_key
        WHERE d.status = 'active' AND d.sealed_with = $1
          AND d.id <> ALL ($2::uuid[]) AND d.merchant_id <> ALL ($3::uuid[])
          AND c.next_attempt_at <= clock_timestamp()
          AND (c.lease_until <= clock_timestamp() OR c.lease_until IS NULL AND c.sequence < told.last)
        ORDER BY c.next_attempt_at LIMIT ${RANKED}
      ), ranked AS (
        SELECT due.*,
          row_number() OVER (PARTITION BY due.webhook_id ORDER BY due.next_attempt_at) AS of_endpoint,
          row_number() OVER (PARTITION BY due.merchant_id ORDER BY due.next_attempt_at) AS of_merchant
        FROM due
      )
      SELECT r.store_key, r.revision, s.id AS store_id, (SELECT epoch FROM event_epoch) AS epoch, w.failing_since,
        ${ENDPOINT_COLUMNS}
      FROM ranked r JOIN webhooks w ON w.id = r.webhook_id JOIN stores s ON s.store_key = r.store_key
      WHERE r.of_endpoint <= $4 AND r.of_merchant <= $5
      ORDER BY r.next_attempt_at LIMIT $6`,
    values: [
      filter.sealedWith,
      filter.busyEndpoints,
      filter.busyMerchants,
      filter.perEndpoint,
      filter.perMerchant,
      filter.limit,
      [...filter.lastSequences.keys()],
      [...filter.lastSequences.values()],
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

/** What a claimed cursor stands at. */
export interface Claim {
  readonly leaseId: string;
  readonly sequence: number;
  readonly trouble: Trouble;
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

/** Takes the leases that are still to be had, for so long; undefined in the place of the others. */
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
  return { leaseId: lease_id, sequence, trouble: { attempts, refusals, firstRefusedAt } };
}
