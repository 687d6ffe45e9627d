import type { Permission, Principal } from './principal.js';
import { hashSecret } from './secret.js';
import { createBatch } from '../postgres/batch.js';
import { SESSION_IDLE_HOURS } from './sessions.sql.js';
import type { Database, Queryable } from '../postgres/database.js';

/** What a request needs to know about its store: the owner, and the state of its menu. */
export interface RequestedStore {
  readonly id: string;
  readonly storeKey: number;
  readonly merchantId: string;
  /** State of the menu when the key was checked. */
  readonly menu: {
    readonly version: number;
    readonly stockRevision: number;
    /** Whether orders count down what is left of some item. */
    readonly isCounted: boolean;
  };
  readonly timezone: string | undefined;
  readonly currency: string | undefined;
  /** Whether every order is checked against the menu before it is accepted. */
  readonly ordersChecked: boolean;
  /** The revision of its pace settings and pause; 0 if nothing was ever changed. */
  readonly intakeRevision: number;
  readonly accept:
    | { readonly auto: boolean; readonly within_minutes?: number; readonly then: 'nothing' | 'reject' }
    | undefined;
  readonly inPosWithinMinutes: number | undefined;
}

/** The owner of the key and the store that was named; undefined if there is no such key or store. */
export interface FoundKey {
  readonly principal: Principal | undefined;
  readonly store: RequestedStore | undefined;
  /** Whether the last use is old enough to be worth a write. */
  readonly isLastUseOld: boolean;
}

/** How a request names a store: by its id, or by the number that an order's id carries. */
export type StoreReference = { readonly id: string } | { readonly storeKey: number };

export interface KeyQuestion {
  readonly secret: string;
  readonly store: StoreReference | undefined;
}

/** The key behind a session token. */
export interface FoundSession extends FoundKey {
  /** Hash of the key's secret, also for a key that is not in the database; undefined if there is no such session. */
  readonly keyHash: Buffer | undefined;
}

/** Whether a key is valid now. */
export const IS_LIVE = `(api_keys.revoked_at IS NULL
             AND (api_keys.expires_at IS NULL OR api_keys.expires_at > clock_timestamp()))`;

/**
 * The database time that decides whether keys are valid. Changes of keys take it as a parameter, because a sharded database
 * rejects statements in which each node would use its own clock.
 */
export async function readClock(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>({
    name: 'clock',
    text: `SELECT date_trunc('milliseconds', clock_timestamp()) AS now`,
    repeatable: true,
  });
  return row?.now ?? new Date();
}

export async function markKeysUsed(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query({
    name: 'keys_used',
    text: 'UPDATE api_keys SET last_used_at = $2 WHERE api_keys.id = ANY ($1::uuid[])',
    values: [ids, await readClock(db)],
    repeatable: true,
  });
}

/** Every request waits for such a query first, so a connection that stays silent longer is given up. */
export const PATIENCE_MS = 3_000;

/** Looks up every key in the database, batched with all lookups that arrived meanwhile. */
export function createApiKeyLookup(db: Database): (question: KeyQuestion) => Promise<FoundKey> {
  return createReader(db, 'callers', CALLERS, toFoundKey);
}

/** Looks up a session together with its key, because one is worthless without the other. */
export function createSessionLookup(db: Database): (question: KeyQuestion) => Promise<FoundSession> {
  return createReader(db, 'session_callers', SESSION_CALLERS, (row: SessionRow) => ({
    ...toFoundKey(row),
    keyHash: row.key_hash ?? undefined,
  }));
}

function createReader<Row, Found>(db: Database, name: string, text: string, toFound: (row: Row) => Found) {
  return createBatch<KeyQuestion, Found>({
    identityOf: identityOfQuestion,
    run: async (questions) => {
      const rows = await db.query<Row>({
        name,
        text,
        values: [
          `{${questions.map(({ secret }) => `"\\\\x${hashSecret(secret).toString('hex')}"`).join()}}`,
          `{${questions.map(({ store }) => (store !== undefined && 'id' in store ? store.id : 'NULL')).join()}}`,
          `{${questions.map(({ store }) => (store !== undefined && 'storeKey' in store ? store.storeKey : 'NULL')).join()}}`,
        ],
        repeatable: true,
        patienceMs: PATIENCE_MS,
      });
      return rows.map(toFound);
    },
  });
}

/** Unambiguous, because ids have no space and numbers no hyphen. */
function identityOfQuestion({ secret, store }: KeyQuestion): string {
  if (store === undefined) return ` ${secret}`;
  return `${'id' in store ? store.id : store.storeKey} ${secret}`;
}

function toFoundKey({ key, is_last_use_old, store }: KeyLookupRow): FoundKey {
  return {
    principal: key === null ? undefined : toPrincipal(key),
    store: store === null ? undefined : toStore(store),
    isLastUseOld: is_last_use_old ?? false,
  };
}

// LATERAL with LIMIT keeps the plan at one index lookup per question, however many stores there are. The arrays come
// from a sub-select so that the planner cannot count their elements: with a count it finds a plan of its own cheaper
// than the prepared one each time, and plans anew for every request. Key and store come as one text each.
const ASKED = `
  FROM unnest((SELECT $1::bytea[]), (SELECT $2::uuid[]), (SELECT $3::integer[]))
    WITH ORDINALITY AS asked (secret_hash, store_id, store_key, place)`;

const KEY_TEXT = `json_build_array(api_keys.id, api_keys.merchant_id, api_keys.store_ids, api_keys.permissions,
                          api_keys.label)::text`;

/** The text of a row of `stores` and `menu_states`, for toStore. */
export const STORE_TEXT = `json_build_array(stores.id, stores.store_key, stores.merchant_id, menu_states.menu_version,
                            menu_states.stock_revision, menu_states.is_counted, stores.timezone, stores.currency,
                            stores.orders_checked, stores.intake_revision, stores.accept,
                            stores.in_pos_within_minutes)::text`;

const AND_STORE = `
  LEFT JOIN LATERAL (
    SELECT ${STORE_TEXT}
    FROM (
      SELECT * FROM stores WHERE stores.id = asked.store_id
      UNION ALL SELECT * FROM stores WHERE stores.store_key = asked.store_key
      LIMIT 1
    ) stores JOIN menu_states ON menu_states.store_key = stores.store_key
  ) AS s (text) ON true
  ORDER BY asked.place`;

const CALLERS = `
  SELECT k.text AS key, k.is_last_use_old, s.text AS store ${ASKED}
  LEFT JOIN LATERAL (
    SELECT ${KEY_TEXT},
           coalesce(api_keys.last_used_at < clock_timestamp() - interval '1 minute', true) AS is_last_use_old
    FROM api_keys
    WHERE api_keys.secret_hash = asked.secret_hash AND ${IS_LIVE}
    LIMIT 1
  ) AS k (text, is_last_use_old) ON true ${AND_STORE}`;

const SESSION_CALLERS = `
  SELECT k.text AS key, k.key_hash, k.is_last_use_old, s.text AS store ${ASKED}
  LEFT JOIN LATERAL (
    SELECT CASE WHEN api_keys.id IS NOT NULL THEN ${KEY_TEXT} END, console_sessions.key_hash,
           console_sessions.last_used_at < clock_timestamp() - interval '1 minute'
    FROM console_sessions
    LEFT JOIN api_keys ON api_keys.secret_hash = console_sessions.key_hash AND ${IS_LIVE}
    WHERE console_sessions.token_hash = asked.secret_hash
      AND console_sessions.last_used_at > clock_timestamp() - interval '${SESSION_IDLE_HOURS} hours'
    LIMIT 1
  ) AS k (text, key_hash, is_last_use_old) ON true ${AND_STORE}`;

interface KeyLookupRow {
  readonly key: string | null;
  readonly is_last_use_old: boolean | null;
  readonly store: string | null;
}

interface SessionRow extends KeyLookupRow {
  readonly key_hash: Buffer | null;
}

function toPrincipal(text: string): Principal {
  const [id, merchantId, storeIds, permissions, given] = JSON.parse(text) as [
    string,
    string | null,
    string[] | null,
    Permission[],
    string | null,
  ];
  const label = given ?? undefined;
  if (merchantId === null) return { kind: 'operator', id, label };
  return { kind: 'merchant', id, label, merchantId, storeIds: storeIds ?? undefined, permissions };
}

export function toStore(text: string): RequestedStore {
  const [
    id,
    storeKey,
    merchantId,
    version,
    stockRevision,
    isCounted,
    timezone,
    currency,
    ordersChecked,
    intakeRevision,
    accept,
    inPosWithinMinutes,
  ] = JSON.parse(text) as [
    string,
    number,
    string,
    number,
    number,
    boolean,
    string | null,
    string | null,
    boolean | null,
    number,
    RequestedStore['accept'] | null,
    number | null,
  ];
  return {
    id,
    storeKey,
    merchantId,
    menu: { version, stockRevision, isCounted },
    timezone: timezone ?? undefined,
    currency: currency ?? undefined,
    ordersChecked: ordersChecked ?? false,
    intakeRevision,
    accept: accept ?? undefined,
    inPosWithinMinutes: inPosWithinMinutes ?? undefined,
  };
}
