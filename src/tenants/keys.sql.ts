import type { Key } from './shapes.js';
import type { Permission } from '../access/permissions.js';
import type { Page } from '../support/shape/common-shapes.js';
import { IS_LIVE, readClock } from '../access/api-key-lookup.sql.js';
import type { Queryable } from '../postgres/database.js';
import { withoutNulls } from '../postgres/without-nulls.js';

interface KeyRow {
  id: string;
  merchant_id: string | null;
  store_ids: string[] | null;
  permissions: Permission[];
  label: string | null;
  last_four: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  rotated_from: string | null;
  issued_by: string | null;
}

const COLUMNS = `api_keys.id, api_keys.merchant_id, api_keys.store_ids::text[], api_keys.permissions, api_keys.label,
  api_keys.last_four, api_keys.created_at, api_keys.expires_at, api_keys.revoked_at, api_keys.last_used_at,
  api_keys.rotated_from, api_keys.issued_by`;

export interface NewKey {
  readonly id: string;
  readonly secretHash: Buffer;
  readonly lastFour: string;
  /** Absent: an operator key. */
  readonly merchantId?: string | undefined;
  readonly storeIds?: readonly string[] | undefined;
  readonly permissions: readonly string[];
  readonly label: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly rotatedFrom?: string;
  readonly issuedBy?: string;
}

export async function insertKey(db: Queryable, key: NewKey): Promise<Key> {
  const [row] = await db.query<KeyRow>({
    name: 'key_insert',
    text: `INSERT INTO api_keys (id, secret_hash, last_four, merchant_id, store_ids, permissions, label, expires_at,
                                 rotated_from, issued_by, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, date_trunc('milliseconds', clock_timestamp())) RETURNING ${COLUMNS}`,
    values: [
      key.id,
      key.secretHash,
      key.lastFour,
      key.merchantId,
      key.storeIds,
      key.permissions,
      key.label,
      key.expiresAt,
      key.rotatedFrom,
      key.issuedBy,
    ],
  });
  return toKey(row as KeyRow);
}

export async function listKeys(db: Queryable, merchantId: string | undefined, page: Page): Promise<Key[]> {
  const rows = await db.read<KeyRow>({
    name: 'keys',
    text: `SELECT ${COLUMNS} FROM api_keys WHERE $1::uuid IS NULL OR api_keys.merchant_id = $1
           ORDER BY api_keys.created_at, api_keys.id OFFSET $2 LIMIT $3`,
    values: [merchantId, page.skip, page.limit],
  });
  return rows.map(toKey);
}

interface KeyName {
  readonly id: string;
  readonly label: string | null;
  readonly last_four: string;
  readonly is_operator: boolean;
}

const MOST_NAMES = 5_000;

/** What the latest keys are called: those of a merchant and the operator's, or all of them. */
export function listKeyNames(db: Queryable, merchantId: string | undefined): Promise<KeyName[]> {
  return db.read<KeyName>({
    name: 'key_names',
    text: `SELECT api_keys.id, api_keys.label, api_keys.last_four, api_keys.merchant_id IS NULL AS is_operator FROM api_keys
           WHERE $1::uuid IS NULL OR api_keys.merchant_id = $1 OR api_keys.merchant_id IS NULL
           ORDER BY api_keys.created_at DESC, api_keys.id LIMIT ${MOST_NAMES}`,
    values: [merchantId],
  });
}

export async function getKey(db: Queryable, id: string): Promise<Key | undefined> {
  const [row] = await db.read<KeyRow>({
    name: 'key',
    text: `SELECT ${COLUMNS} FROM api_keys WHERE api_keys.id = $1`,
    values: [id],
  });
  return row && toKey(row);
}

export async function updateKey(
  db: Queryable,
  { id, label, permissions, storeIds }: Pick<NewKey, 'id' | 'label' | 'permissions' | 'storeIds'>,
): Promise<Key> {
  const [row] = await db.query<KeyRow>({
    name: 'key_update',
    text: `UPDATE api_keys SET label = $2, permissions = $3, store_ids = $4 WHERE api_keys.id = $1 RETURNING ${COLUMNS}`,
    values: [id, label, permissions, storeIds],
  });
  return toKey(row as KeyRow);
}

export interface LockedKey extends Key {
  readonly isLive: boolean;
  readonly hash: Buffer;
}

/** The key as it is, held until the transaction ends; undefined when there is none. */
export async function lockKey(db: Queryable, id: string): Promise<LockedKey | undefined> {
  const [row] = await db.query<KeyRow & Pick<LockedKey, 'isLive' | 'hash'>>({
    name: 'key_lock',
    text: `SELECT ${COLUMNS}, ${IS_LIVE} AS "isLive", api_keys.secret_hash AS hash
           FROM api_keys WHERE api_keys.id = $1 FOR UPDATE`,
    values: [id],
  });
  if (row === undefined) return undefined;
  const { isLive, hash, ...key } = row;
  return { ...toKey(key), isLive, hash };
}

/** The id of the key that replaces this one. */
export async function findSuccessor(
  db: Queryable,
  { id, merchant_id: merchantId }: Key,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>({
    name: 'key_successor',
    text: `SELECT api_keys.id FROM api_keys
           WHERE api_keys.rotated_from = $1 AND api_keys.merchant_id IS NOT DISTINCT FROM $2
           ORDER BY api_keys.created_at, api_keys.id LIMIT 1`,
    values: [id, merchantId],
  });
  return row?.id;
}

/** Ends the key after the given seconds, or at its own expiry if that is earlier. */
export async function endKeySoon(db: Queryable, id: string, seconds: number): Promise<void> {
  const end = new Date((await readClock(db)).getTime() + seconds * 1000);
  await db.query({
    name: 'key_end_soon',
    text: 'UPDATE api_keys SET expires_at = least(api_keys.expires_at, $2::timestamptz) WHERE api_keys.id = $1',
    values: [id, end],
  });
}

/** Revoking twice keeps the first time. */
export async function revokeKeys(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query({
    name: 'keys_revoke',
    text: `UPDATE api_keys SET revoked_at = coalesce(api_keys.revoked_at, $2::timestamptz)
           WHERE api_keys.id = ANY ($1::uuid[])`,
    values: [ids, await readClock(db)],
  });
}

/** The working keys that these issued, and those that were issued or replaced with them in turn; `withEnded`: also those that work no more. */
export async function listIssued(db: Queryable, ids: readonly string[], withEnded = false): Promise<Key[]> {
  const rows = await db.read<KeyRow>({
    name: 'keys_issued',
    text: `WITH RECURSIVE issued AS (
             SELECT api_keys.id FROM api_keys WHERE api_keys.issued_by = ANY ($1::text[])
             UNION
             SELECT api_keys.id FROM issued
             JOIN api_keys ON api_keys.issued_by = issued.id::text OR api_keys.rotated_from = issued.id
           )
           SELECT ${COLUMNS} FROM api_keys JOIN issued ON issued.id = api_keys.id
           WHERE ($2 OR ${IS_LIVE}) AND api_keys.id::text <> ALL ($1::text[])
           ORDER BY api_keys.id`,
    values: [ids, withEnded],
  });
  return rows.map(toKey);
}

/** The key with this secret, of the merchant or, without one, of the operator; undefined when there is none. */
export async function findKeyBySecret(
  db: Queryable,
  secretHash: Buffer,
  merchantId?: string,
): Promise<{ isLive: boolean } | undefined> {
  const [row] = await db.read<{ isLive: boolean }>({
    name: 'key_by_secret',
    text: `SELECT ${IS_LIVE} AS "isLive" FROM api_keys
           WHERE api_keys.secret_hash = $1 AND api_keys.merchant_id IS NOT DISTINCT FROM $2::uuid`,
    values: [secretHash, merchantId],
  });
  return row;
}

/** Serialises the creation of operator keys across replicas until the transaction ends. */
export async function lockKeys(tx: Queryable): Promise<void> {
  await tx.query({ name: 'api_keys_lock', text: 'LOCK TABLE api_keys IN SHARE ROW EXCLUSIVE MODE' });
}

export async function hasOperatorKey(db: Queryable): Promise<boolean> {
  const rows = await db.query({
    name: 'operator_key_exists',
    text: `SELECT 1 FROM api_keys WHERE api_keys.merchant_id IS NULL AND ${IS_LIVE} LIMIT 1`,
  });
  return rows.length > 0;
}

export async function revokeOperatorKeys(db: Queryable): Promise<void> {
  await db.query({
    name: 'operator_keys_revoke',
    text: 'UPDATE api_keys SET revoked_at = $1 WHERE api_keys.merchant_id IS NULL AND api_keys.revoked_at IS NULL',
    values: [await readClock(db)],
  });
}

function toKey({ created_at, expires_at, revoked_at, last_used_at, ...row }: KeyRow): Key {
  const { merchant_id } = row;
  return withoutNulls({
    ...row,
    kind: merchant_id === null ? ('operator' as const) : ('merchant' as const),
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
  });
}

/** The key and all that it has replaced, one after the other. */
export async function findKeyAndReplaced(db: Queryable, id: string): Promise<string[]> {
  const rows = await db.read<{ id: string }>({
    name: 'key_replaced',
    text: `WITH RECURSIVE own AS (
             SELECT api_keys.id, api_keys.rotated_from FROM api_keys WHERE api_keys.id = $1
             UNION
             SELECT api_keys.id, api_keys.rotated_from FROM own JOIN api_keys ON api_keys.id = own.rotated_from
           )
           SELECT own.id FROM own`,
    values: [id],
  });
  return rows.map((row) => row.id);
}

/** The key and its successors, in order. */
export async function findKeyAndSuccessors(
  db: Queryable,
  id: string,
  merchantId: string,
): Promise<Set<string>> {
  const rows = await db.read<{ id: string }>({
    name: 'key_successors',
    text: `WITH RECURSIVE own AS (
             SELECT $1::text AS id
             UNION
             SELECT api_keys.id::text FROM own
             JOIN api_keys ON (api_keys.merchant_id = $2 OR api_keys.merchant_id IS NULL)
               AND api_keys.rotated_from::text = own.id
           )
           SELECT own.id FROM own`,
    values: [id, merchantId],
  });
  return new Set(rows.map((row) => row.id));
}
