import type { Permission, Principal } from '../domain/key/principal.js';
import { createBatch } from './batch.js';
import type { Database } from './database.js';

/** A store as every request that names one finds it: who owns it, and how fresh its menu is. */
export interface StoreAccess {
  readonly id: string;
  readonly storeKey: number;
  readonly merchantId: string;
  readonly menuVersion: number;
  readonly stockRevision: number;
  readonly timezone: string | undefined;
  readonly currency: string | undefined;
}

export interface Access {
  readonly principal: Principal | undefined;
  readonly store: StoreAccess | undefined;
  /** The stored time of last use is old enough to be worth a write. */
  readonly isUseNews: boolean;
}

export interface AccessQuestion {
  readonly secretHash: Buffer;
  readonly storeId: string | undefined;
}

/** Asks key and store fresh for every request: a revoked key or a new menu shows from the very next one. */
export function createAccessCheck(db: Database): (question: AccessQuestion) => Promise<Access> {
  return createBatch((questions) => readAccess(db, questions));
}

async function readAccess(db: Database, questions: readonly AccessQuestion[]): Promise<Access[]> {
  const places = new Map<string, number>();
  const distinct: AccessQuestion[] = [];
  const placeOf = questions.map((question) => {
    const identity = `${question.secretHash.toString('latin1')}${question.storeId ?? ''}`;
    const known = places.get(identity);
    if (known !== undefined) return known;
    places.set(identity, distinct.length);
    return distinct.push(question) - 1;
  });
  const rows = await db.query<AccessRow>({
    name: 'access',
    text: ACCESS,
    values: [distinct.map(({ secretHash }) => secretHash), distinct.map(({ storeId }) => storeId)],
    repeatable: true,
  });
  const answers = rows.map(toAccess);
  return placeOf.map((place) => answers[place] ?? NOTHING);
}

const NOTHING: Access = { principal: undefined, store: undefined, isUseNews: false };

// LATERAL with LIMIT keeps the plan at one index lookup per question, however many stores there are. The arrays come
// from a sub-select so that the planner cannot count their elements: with a count it finds a plan of its own cheaper
// than the prepared one each time, and plans anew for every request.
const ACCESS = `
  SELECT k.id AS key_id, k.merchant_id AS key_merchant_id, k.store_ids, k.permissions, k.is_use_news,
         s.id AS store_id, s.store_key, s.merchant_id, s.menu_version, s.stock_revision, s.timezone, s.currency
  FROM unnest((SELECT $1::bytea[]), (SELECT $2::uuid[])) WITH ORDINALITY AS asked (secret_hash, store_id, place)
  LEFT JOIN LATERAL (
    SELECT api_keys.id, api_keys.merchant_id, api_keys.store_ids::text[], api_keys.permissions,
           coalesce(api_keys.last_used_at < clock_timestamp() - interval '1 minute', true) AS is_use_news
    FROM api_keys
    WHERE api_keys.secret_hash = asked.secret_hash
      AND api_keys.revoked_at IS NULL
      AND (api_keys.expires_at IS NULL OR api_keys.expires_at > clock_timestamp())
    LIMIT 1
  ) AS k ON true
  LEFT JOIN LATERAL (
    SELECT stores.id, stores.store_key, stores.merchant_id, stores.menu_version, stores.stock_revision,
           stores.timezone, stores.currency
    FROM stores
    WHERE stores.id = asked.store_id
    LIMIT 1
  ) AS s ON true
  ORDER BY asked.place`;

interface AccessRow {
  key_id: string | null;
  key_merchant_id: string | null;
  store_ids: string[] | null;
  permissions: Permission[];
  is_use_news: boolean;
  store_id: string | null;
  store_key: number;
  merchant_id: string;
  menu_version: number;
  stock_revision: number;
  timezone: string | null;
  currency: string | null;
}

function toAccess(row: AccessRow): Access {
  return { principal: toPrincipal(row), store: toStore(row), isUseNews: row.is_use_news };
}

function toPrincipal(row: AccessRow): Principal | undefined {
  if (row.key_id === null) return undefined;
  if (row.key_merchant_id === null) return { kind: 'operator', id: row.key_id };
  return {
    kind: 'merchant',
    id: row.key_id,
    merchantId: row.key_merchant_id,
    storeIds: row.store_ids ?? undefined,
    permissions: row.permissions,
  };
}

function toStore(row: AccessRow): StoreAccess | undefined {
  if (row.store_id === null) return undefined;
  return {
    id: row.store_id,
    storeKey: row.store_key,
    merchantId: row.merchant_id,
    menuVersion: row.menu_version,
    stockRevision: row.stock_revision,
    timezone: row.timezone ?? undefined,
    currency: row.currency ?? undefined,
  };
}
