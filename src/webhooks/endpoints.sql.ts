import type { EventType } from '../feed/shapes.js';
import type { StoreScope } from '../access/principal.js';
import type { Page } from '../support/shape/common-shapes.js';
import type { DisabledReason, Endpoint } from './shapes.js';
import type { Queryable } from '../postgres/database.js';

export interface EndpointRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly store_ids: string[] | null;
  readonly url: string;
  readonly types: EventType[] | null;
  readonly label: string | null;
  readonly include_order: boolean;
  readonly skip_own: boolean;
  readonly key_id: string;
  readonly status: 'active' | 'disabled';
  readonly disabled_reason: DisabledReason | null;
  readonly created_at: Date;
  readonly last_success_at: Date | null;
  readonly sealed_with: string;
  readonly secret: Buffer;
  readonly old_secret: Buffer | null;
}

/** Columns of the table with the alias `w`. */
export const ENDPOINT_COLUMNS = `w.id, w.merchant_id, w.store_ids::text[], w.url, w.types, w.label, w.include_order, w.skip_own, w.key_id,
  w.status, w.disabled_reason, w.created_at, w.last_success_at, w.sealed_with, w.secret,
  CASE WHEN w.old_secret_until > now() THEN w.old_secret END AS old_secret`;

/** In a scope of some stores, only the endpoints that are of no others; with keys, only those that were made with one of them. */
export async function listEndpoints(
  db: Queryable,
  scope: StoreScope,
  page: Page,
  keyIds?: readonly string[],
): Promise<Endpoint[]> {
  const rows = await db.query<EndpointRow>({
    name: scope.merchantId === undefined ? 'webhooks' : 'webhooks_of_merchant',
    text: `SELECT ${ENDPOINT_COLUMNS} FROM webhooks w
           WHERE ${scope.merchantId === undefined ? '$1::uuid IS NULL' : 'w.merchant_id = $1'}
             AND w.status <> 'removed' AND ($2::uuid[] IS NULL OR w.store_ids <@ $2)
             AND ($5::text[] IS NULL OR w.key_id = ANY ($5))
           ORDER BY w.created_at, w.id OFFSET $3 LIMIT $4`,
    values: [scope.merchantId, scope.storeIds, page.skip, page.limit, keyIds],
    repeatable: true,
  });
  return rows.map(toEndpoint);
}

export async function findEndpoint(db: Queryable, id: string): Promise<Endpoint | undefined> {
  const [row] = await db.query<EndpointRow>({
    name: 'webhook',
    text: `SELECT ${ENDPOINT_COLUMNS} FROM webhooks w WHERE w.id = $1 AND w.status <> 'removed'`,
    values: [id],
    repeatable: true,
  });
  return row && toEndpoint(row);
}

/** The endpoint as it is, held until the transaction ends. */
export async function lockEndpoint(db: Queryable, id: string): Promise<Endpoint | undefined> {
  const [row] = await db.query<EndpointRow>({
    name: 'webhook_lock',
    text: `SELECT ${ENDPOINT_COLUMNS} FROM webhooks w WHERE w.id = $1 AND w.status <> 'removed' FOR UPDATE`,
    values: [id],
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
  const found = await db.query({
    name: 'webhooks_turn',
    text: 'SELECT 1 FROM merchants WHERE merchants.id = $1 FOR UPDATE',
    values: [merchantId],
  });
  if (found.length === 0) return undefined;
  const [row] = await db.query<{ count: number }>({
    name: 'webhooks_count',
    text: `SELECT count(*) FROM webhooks w WHERE w.merchant_id = $1 AND w.status <> 'removed'`,
    values: [merchantId],
  });
  return row?.count ?? 0;
}

export type NewEndpoint = Pick<
  Endpoint,
  'id' | 'merchantId' | 'storeIds' | 'url' | 'types' | 'label' | 'includeOrder' | 'skipOwn' | 'keyId'
> & { readonly sealedWith: string; readonly secret: Buffer };

export async function insertEndpoint(db: Queryable, endpoint: NewEndpoint): Promise<Endpoint> {
  const [row] = await db.query<EndpointRow>({
    name: 'webhook_insert',
    text: `INSERT INTO webhooks AS w (id, merchant_id, store_ids, url, types, label, include_order, skip_own, key_id,
                                      sealed_with, secret, status, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active',
                   date_trunc('milliseconds', clock_timestamp()))
           RETURNING ${ENDPOINT_COLUMNS}`,
    values: [
      endpoint.id,
      endpoint.merchantId,
      ...changeableValues(endpoint),
      endpoint.keyId,
      endpoint.sealedWith,
      endpoint.secret,
    ],
  });
  return toEndpoint(row as EndpointRow);
}

/** store_ids, url, types, label, include_order and skip_own. */
function changeableValues({
  storeIds,
  url,
  types,
  label,
  includeOrder,
  skipOwn,
}: Pick<Endpoint, 'storeIds' | 'url' | 'types' | 'label' | 'includeOrder' | 'skipOwn'>): unknown[] {
  return [storeIds, url, types, label, includeOrder, skipOwn];
}

/** Updates every field that can change, and resets the time since which it fails. */
export async function updateEndpoint(db: Queryable, endpoint: Endpoint): Promise<void> {
  await db.query({
    name: 'webhook_update',
    text: `UPDATE webhooks SET store_ids = $2, url = $3, types = $4, label = $5, include_order = $6, skip_own = $7,
             status = $8, disabled_reason = $9, failing_since = NULL
           WHERE webhooks.id = $1`,
    values: [endpoint.id, ...changeableValues(endpoint), endpoint.status, endpoint.disabledReason],
  });
}

/** The old secret, if any, signs along for `overlapSeconds`. */
export async function replaceSecret(
  db: Queryable,
  id: string,
  secrets: { readonly sealedWith: string; readonly secret: Buffer; readonly oldSecret: Buffer | undefined },
  overlapSeconds: number,
): Promise<void> {
  await db.query({
    name: 'webhook_rotate',
    text: `UPDATE webhooks SET sealed_with = $2, secret = $3, old_secret = $4,
             old_secret_until = now() + make_interval(secs => $5)
           WHERE webhooks.id = $1`,
    values: [id, secrets.sealedWith, secrets.secret, secrets.oldSecret, overlapSeconds],
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
  const [row] = await db.query<{ count: number }>({
    name: 'webhooks_of_key_count',
    text: `SELECT count(*) FROM webhooks w WHERE w.key_id = ANY ($1::text[]) AND w.status = 'active'`,
    values: [keyIds],
    repeatable: true,
  });
  return row?.count ?? 0;
}

/** At its owner's wish. Answers which were active until now. */
export async function disableActiveEndpoints(db: Queryable, keyIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'webhooks_of_key_disable',
    text: `UPDATE webhooks SET status = 'disabled', disabled_reason = 'requested'
           WHERE webhooks.key_id = ANY ($1::text[]) AND webhooks.status = 'active' RETURNING webhooks.id`,
    values: [keyIds],
  });
  return rows.map(({ id }) => id);
}

/** Gone for everybody; their deliveries are removed bit by bit, and then the rows. */
async function removeEndpoints(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query({
    name: 'webhooks_remove',
    text: `WITH cursors AS (DELETE FROM webhook_cursors WHERE webhook_cursors.webhook_id = ANY ($1::uuid[])),
                parked AS (DELETE FROM webhook_parked WHERE webhook_parked.webhook_id = ANY ($1::uuid[]))
           UPDATE webhooks SET status = 'removed', removed_at = now(), secret = '', old_secret = NULL
           WHERE webhooks.id = ANY ($1::uuid[])`,
    values: [ids],
  });
}

export function removeEndpoint(db: Queryable, id: string): Promise<void> {
  return removeEndpoints(db, [id]);
}

export async function removeEndpointsOfMerchant(db: Queryable, merchantId: string): Promise<void> {
  const rows = await db.query<{ id: string }>({
    name: 'webhooks_of_merchant_lock',
    text: `SELECT w.id FROM webhooks w WHERE w.merchant_id = $1 AND w.status <> 'removed' ORDER BY w.id FOR UPDATE`,
    values: [merchantId],
  });
  await removeEndpoints(
    db,
    rows.map(({ id }) => id),
  );
}

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    storeIds: row.store_ids ?? undefined,
    url: row.url,
    types: row.types ?? undefined,
    label: row.label ?? undefined,
    includeOrder: row.include_order,
    skipOwn: row.skip_own,
    keyId: row.key_id,
    status: row.status,
    disabledReason: row.disabled_reason ?? undefined,
    createdAt: row.created_at.toISOString(),
    lastSuccessAt: row.last_success_at?.toISOString(),
    secrets: { sealedWith: row.sealed_with, secret: row.secret, oldSecret: row.old_secret ?? undefined },
  };
}
