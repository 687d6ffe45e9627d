import type { Permission } from './permissions.js';
import type { Principal } from './principal.js';
import { hashSecret } from './secret.js';
import { createBatch } from '../postgres/batch.js';
import { IS_KEY_OF_SCREEN, SESSION_IDLE_HOURS } from './sessions.sql.js';
import type { Database, Queryable } from '../postgres/database.js';

/** What orders show of their store; `name` is JSON text. */
export interface ShownStore {
  readonly id: string;
  readonly createdAt: string;
  readonly name: string;
  readonly externalId: string | undefined;
}

/** What a request needs to know about its store: the owner, what orders show of it, and the state of its menu. */
export interface RequestedStore extends ShownStore {
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
  /** Its merchant is on the way to or from another installation: see refuseMoving. */
  readonly moving: string | undefined;
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

/** What the clock does not touch: the stores of merchants that move. */
export const MOVING_STORES = 'SELECT moving.store_key FROM stores moving WHERE moving.moving IS NOT NULL';

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

function createReader<Row, Found>(
  db: Database,
  name: string,
  { one, several }: LookupTexts,
  toFound: (row: Row) => Found,
) {
  return createBatch<KeyQuestion, Found>({
    identityOf: identityOfQuestion,
    run: async (questions) => {
      const [only] = questions;
      const statement =
        questions.length === 1 && only !== undefined
          ? { name: `${name}-one`, text: one, values: valuesOf(only) }
          : { name, text: several, values: arraysOf(questions) };
      const rows = await db.query<Row>({ ...statement, repeatable: true, patienceMs: PATIENCE_MS });
      return rows.map(toFound);
    },
  });
}

function valuesOf({ secret, store }: KeyQuestion): unknown[] {
  const [id, storeKey] = namesOf(store);
  return [hashSecret(secret), id, storeKey];
}

function arraysOf(questions: readonly KeyQuestion[]): string[] {
  const names = questions.map(({ store }) => namesOf(store));
  return [
    `{${questions.map(({ secret }) => `"\\\\x${hashSecret(secret).toString('hex')}"`).join()}}`,
    `{${names.map(([id]) => id ?? 'NULL').join()}}`,
    `{${names.map(([, storeKey]) => storeKey ?? 'NULL').join()}}`,
  ];
}

function namesOf(store: StoreReference | undefined): [id: string | null, storeKey: number | null] {
  if (store === undefined) return [null, null];
  return 'id' in store ? [store.id, null] : [null, store.storeKey];
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
// than the prepared one each time, and plans anew for every request. A question that is alone pays for no arrays.
const SEVERAL = `
  FROM unnest((SELECT $1::bytea[]), (SELECT $2::uuid[]), (SELECT $3::integer[]))
    WITH ORDINALITY AS asked (secret_hash, store_id, store_key, place)`;
const ONE = `
  FROM (SELECT $1::bytea, $2::uuid, $3::integer, 1) AS asked (secret_hash, store_id, store_key, place)`;

const KEY_TEXT = `json_build_object('id', api_keys.id, 'merchant_id', api_keys.merchant_id,
                            'store_ids', api_keys.store_ids, 'permissions', api_keys.permissions, 'label', api_keys.label, 'moving', api_keys.moving)::text`;

/** The text of a row of `stores` and `menu_states`, for toStore. */
export const STORE_TEXT = `json_build_object('id', stores.id, 'store_key', stores.store_key,
                            'created_at', stores.created_at, 'name', stores.name::text, 'external_id', stores.external_id,
                            'merchant_id', stores.merchant_id, 'menu_version', menu_states.menu_version,
                            'stock_revision', menu_states.stock_revision, 'is_counted', menu_states.is_counted,
                            'timezone', stores.timezone, 'currency', stores.currency,
                            'orders_checked', stores.orders_checked, 'intake_revision', stores.intake_revision,
                            'accept', stores.accept, 'in_pos_within_minutes', stores.in_pos_within_minutes,
                            'moving', stores.moving)::text`;

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

/** One statement for a question that is alone, and one for several. */
interface LookupTexts {
  readonly one: string;
  readonly several: string;
}

const CALLERS = lookupTexts(
  'SELECT k.text AS key, k.is_last_use_old, s.text AS store',
  `LEFT JOIN LATERAL (
    SELECT ${KEY_TEXT},
           coalesce(api_keys.last_used_at < clock_timestamp() - interval '1 minute', true) AS is_last_use_old
    FROM api_keys
    WHERE api_keys.secret_hash = asked.secret_hash AND ${IS_LIVE}
    LIMIT 1
  ) AS k (text, is_last_use_old) ON true`,
);

const SESSION_CALLERS = lookupTexts(
  'SELECT k.text AS key, k.key_hash, k.is_last_use_old, s.text AS store',
  `LEFT JOIN LATERAL (
    SELECT CASE WHEN api_keys.id IS NOT NULL THEN ${KEY_TEXT} END, console_sessions.key_hash,
           console_sessions.last_used_at < clock_timestamp() - interval '1 minute'
    FROM console_sessions
    LEFT JOIN api_keys ON api_keys.secret_hash = console_sessions.key_hash AND ${IS_LIVE}
    WHERE console_sessions.token_hash = asked.secret_hash
      AND (console_sessions.last_used_at > clock_timestamp() - interval '${SESSION_IDLE_HOURS} hours' OR ${IS_KEY_OF_SCREEN})
    LIMIT 1
  ) AS k (text, key_hash, is_last_use_old) ON true`,
);

function lookupTexts(select: string, keys: string): LookupTexts {
  const text = (asked: string) => `${select} ${asked} ${keys} ${AND_STORE}`;
  return { one: text(ONE), several: text(SEVERAL) };
}

interface KeyLookupRow {
  readonly key: string | null;
  readonly is_last_use_old: boolean | null;
  readonly store: string | null;
}

interface SessionRow extends KeyLookupRow {
  readonly key_hash: Buffer | null;
}

function toPrincipal(text: string): Principal {
  const key = JSON.parse(text) as {
    readonly id: string;
    readonly merchant_id: string | null;
    readonly store_ids: string[] | null;
    readonly permissions: Permission[];
    readonly label: string | null;
    readonly moving: string | null;
  };
  const { id, merchant_id: merchantId, store_ids: storeIds, permissions } = key;
  const label = key.label ?? undefined;
  if (merchantId === null) return { kind: 'operator', id, label };
  const moving = key.moving ?? undefined;
  return { kind: 'merchant', id, label, merchantId, storeIds: storeIds ?? undefined, permissions, moving };
}

/** The columns of STORE_TEXT. */
interface StoreColumns {
  readonly id: string;
  readonly store_key: number;
  readonly created_at: string;
  readonly name: string;
  readonly external_id: string | null;
  readonly merchant_id: string;
  readonly menu_version: number;
  readonly stock_revision: number;
  readonly is_counted: boolean;
  readonly timezone: string | null;
  readonly currency: string | null;
  readonly orders_checked: boolean | null;
  readonly intake_revision: number;
  readonly accept: RequestedStore['accept'] | null;
  readonly in_pos_within_minutes: number | null;
  readonly moving: string | null;
}

export function toStore(text: string): RequestedStore {
  const row = JSON.parse(text) as StoreColumns;
  return {
    id: row.id,
    storeKey: row.store_key,
    createdAt: row.created_at,
    name: row.name,
    externalId: row.external_id ?? undefined,
    merchantId: row.merchant_id,
    menu: { version: row.menu_version, stockRevision: row.stock_revision, isCounted: row.is_counted },
    timezone: row.timezone ?? undefined,
    currency: row.currency ?? undefined,
    ordersChecked: row.orders_checked ?? false,
    intakeRevision: row.intake_revision,
    accept: row.accept ?? undefined,
    inPosWithinMinutes: row.in_pos_within_minutes ?? undefined,
    moving: row.moving ?? undefined,
  };
}
