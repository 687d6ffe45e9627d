import type { StoreScope } from '../access/principal.js';
import type { Page } from '../support/shape/common-shapes.js';
import { lockMerchant } from '../tenants/merchants.sql.js';
import type { DisabledReason, Endpoint } from './shapes.js';
import type { Queryable } from '../postgres/database.js';
import { withoutNulls } from '../postgres/without-nulls.js';

/** Columns of the table with the alias `w`. */
export const ENDPOINT_COLUMNS = `w.id, w.merchant_id, w.store_ids::text[], w.url, w.types, w.label, w.include_order, w.skip_own,
  w.key_id, w.status, w.disabled_reason, w.created_at, w.last_success_at, w.failing_since, w.sealed_with, w.secret,
  CASE WHEN w.old_secret_until > now() THEN w.old_secret END AS old_secret`;

export const toEndpoint = (row: object) => withoutNulls(row) as Endpoint;

/** In a scope of some stores, only the endpoints that are of no others; with keys, only those that were made with one of them. */
export async function listEndpoints(
  db: Queryable,
  scope: StoreScope,
  page: Page,
  keyIds?: readonly string[],
): Promise<Endpoint[]> {
  const rows = await db.read<object>({
    name: scope.merchantId === undefined ? 'webhooks' : 'webhooks_of_merchant',
    text: `SELECT ${ENDPOINT_COLUMNS} FROM webhooks w
           WHERE ${scope.merchantId === undefined ? '$1::uuid IS NULL' : 'w.merchant_id = $1'}
             AND w.status <> 'removed' AND ($2::uuid[] IS NULL OR w.store_ids <@ $2)
             AND ($5::text[] IS NULL OR w.key_id = ANY ($5))
           ORDER BY w.created_at, w.id OFFSET $3 LIMIT $4`,
    values: [scope.merchantId, scope.storeIds, page.skip, page.limit, keyIds],
  });
  return rows.map(toEndpoint);
}

/** `lock`: until the end of the transaction nobody else changes it. */
export async function findEndpoint(db: Queryable, id: string, lock = false): Promise<Endpoint | undefined> {
  const [row] = await db.query<object>({
    name: lock ? 'webhook_lock' : 'webhook',
    text: `SELECT ${ENDPOINT_COLUMNS} FROM webhooks w WHERE w.id = $1 AND w.status <> 'removed'${lock ? ' FOR UPDATE' : ''}`,
    values: [id],
    repeatable: !lock,
  });
  return row && toEndpoint(row);
}

/**
 * Locks the merchant, so that no store is added until the transaction ends. Returns the number of its endpoints; undefined if
 * there is no such merchant.
 */
export async function lockEndpointsOfMerchant(
  db: Queryable,
  merchantId: string,
): Promise<number | undefined> {
  if (!(await lockMerchant(db, merchantId))) return undefined;
  const [row] = await db.query<{ count: number }>({
    name: 'webhooks_count',
    text: `SELECT count(*) FROM webhooks w WHERE w.merchant_id = $1 AND w.status <> 'removed'`,
    values: [merchantId],
  });
  return row?.count ?? 0;
}

export async function insertEndpoint(
  db: Queryable,
  endpoint: Omit<Endpoint, 'status' | 'created_at'>,
): Promise<Endpoint> {
  const [row] = await db.query<object>({
    name: 'webhook_insert',
    text: `INSERT INTO webhooks AS w (id, store_ids, url, types, label, include_order, skip_own, merchant_id, key_id,
                                      sealed_with, secret, status, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active',
                   date_trunc('milliseconds', clock_timestamp()))
           RETURNING ${ENDPOINT_COLUMNS}`,
    values: [
      ...changeableValues(endpoint),
      endpoint.merchant_id,
      endpoint.key_id,
      endpoint.sealed_with,
      endpoint.secret,
    ],
  });
  return toEndpoint(row as object);
}

function changeableValues(endpoint: Omit<Endpoint, 'status' | 'created_at'>): unknown[] {
  const { id, url, types, label } = endpoint;
  return [id, endpoint.store_ids, url, types, label, endpoint.include_order, endpoint.skip_own];
}

/** Updates every field that can change, and resets the time since which it fails. */
export async function updateEndpoint(db: Queryable, endpoint: Endpoint): Promise<void> {
  await db.query({
    name: 'webhook_update',
    text: `UPDATE webhooks SET store_ids = $2, url = $3, types = $4, label = $5, include_order = $6, skip_own = $7,
             status = $8, disabled_reason = $9, failing_since = NULL
           WHERE webhooks.id = $1`,
    values: [...changeableValues(endpoint), endpoint.status, endpoint.disabled_reason],
  });
}

/** The old secret, if any, signs along for `overlapSeconds`. */
export async function replaceSecret(
  db: Queryable,
  { id, sealed_with: sealedWith, secret, old_secret: oldSecret }: Endpoint,
  overlapSeconds: number,
): Promise<void> {
  await db.query({
    name: 'webhook_rotate',
    text: `UPDATE webhooks SET sealed_with = $2, secret = $3, old_secret = $4,
             old_secret_until = now() + make_interval(secs => $5)
           WHERE webhooks.id = $1`,
    values: [id, sealedWith, secret, oldSecret, overlapSeconds],
  });
}

/**
 * Only at the URL that was tried, which its owner may have changed meanwhile; false when it was not active, or has had a
 * success since it began to fail then.
 */
export async function disableEndpoint(
  db: Queryable,
  { id, url }: Pick<Endpoint, 'id' | 'url'>,
  reason: DisabledReason,
  failingSince?: Date,
): Promise<boolean> {
  const rows = await db.query({
    name: 'webhook_disable',
    text: `UPDATE webhooks SET status = 'disabled', disabled_reason = $2
           WHERE webhooks.id = $1 AND webhooks.status = 'active' AND webhooks.url = $4
             AND ($3::timestamptz IS NULL OR date_trunc('milliseconds', webhooks.failing_since) = $3)
           RETURNING 1`,
    values: [id, reason, failingSince, url],
  });
  return rows.length > 0;
}

export async function countActiveEndpoints(db: Queryable, keyIds: readonly string[]): Promise<number> {
  const [row] = await db.read<{ count: number }>({
    name: 'webhooks_of_key_count',
    text: `SELECT count(*) FROM webhooks w WHERE w.key_id = ANY ($1::text[]) AND w.status = 'active'`,
    values: [keyIds],
  });
  return row?.count ?? 0;
}

/** At its owner's wish. Answers which were active until now. */
export function disableActiveEndpoints(
  db: Queryable,
  keyIds: readonly string[],
): Promise<Pick<Endpoint, 'id' | 'merchant_id'>[]> {
  return db.query({
    name: 'webhooks_of_key_disable',
    text: `UPDATE webhooks SET status = 'disabled', disabled_reason = 'requested'
           WHERE webhooks.key_id = ANY ($1::text[]) AND webhooks.status = 'active'
           RETURNING webhooks.id, webhooks.merchant_id`,
    values: [keyIds],
  });
}

/** From now on nobody sees it. Its deliveries, and then its row, are removed later. */
export async function removeEndpoint(db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'webhook_remove',
    text: `WITH cursors AS (DELETE FROM webhook_cursors WHERE webhook_cursors.webhook_id = $1),
                parked AS (DELETE FROM webhook_parked WHERE webhook_parked.webhook_id = $1)
           UPDATE webhooks SET status = 'removed', removed_at = now(), secret = '', old_secret = NULL
           WHERE webhooks.id = $1`,
    values: [id],
  });
}

export async function removeEndpointsOfMerchant(db: Queryable, merchantId: string): Promise<void> {
  const rows = await db.query<{ id: string }>({
    name: 'webhooks_of_merchant_lock',
    text: `SELECT w.id FROM webhooks w WHERE w.merchant_id = $1 AND w.status <> 'removed' ORDER BY w.id FOR UPDATE`,
    values: [merchantId],
  });
  for (const { id } of rows) await removeEndpoint(db, id);
}
