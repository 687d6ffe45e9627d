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
  const [row] = await db.read<{ now: Date }>({
    name: 'clock',
    text: `SELECT date_trunc('milliseconds', clock_timestamp()) AS now`,
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
  return createReader(db, 'callers', CALLER, toFoundKey);
}

/** Looks up a session together with its key, because one is worthless without the other. */
export function createSessionLookup(db: Database): (question: KeyQuestion) => Promise<FoundSession> {
  return createReader(db, 'session_callers', SESSION_CALLER, (key: SessionColumns | undefined, store) => ({
    ...toFoundKey(key, store),
    keyHash: key && Buffer.from(key.key_hash, 'hex'),
  }));
}

function createReader<Columns extends KeyColumns, Found>(
  db: Database,
  name: string,
  keyOf: (secretHash: string) => string,
  toFound: (key: Columns | undefined, store: RequestedStore | undefined) => Found,
) {
  const lookup = (by: 'id' | 'store_key') => ({
    name: `${name}-one-by-${by === 'id' ? by : 'number'}`,
    text: `SELECT (${keyOf('$1')}) AS key, (${storeBy(by, '$2')}) AS store`,
  });
  const [one, oneByNumber] = [lookup('id'), lookup('store_key')];
  const several = { name, text: `SELECT (${keyOf('asked.secret_hash')}) AS key, ${SEVERAL_STORES}` };
  const statementOf = (questions: readonly KeyQuestion[]) => {
    const [only] = questions;
    if (only === undefined || questions.length > 1) return { ...several, values: arraysOf(questions) };
    const [id, storeKey] = namesOf(only.store);
    return id === null
      ? { ...oneByNumber, values: [hashSecret(only.secret), storeKey] }
      : { ...one, values: [hashSecret(only.secret), id] };
  };
  return createBatch<KeyQuestion, Found>({
    identityOf: identityOfQuestion,
    run: async (questions) => {
      const statement = { ...statementOf(questions), patienceMs: PATIENCE_MS };
      const rows = await db.read<{ key: string | null; store: string | null }>(statement);
      return rows.map(({ key, store }) =>
        toFound(
          key === null ? undefined : (JSON.parse(key) as Columns),
          store === null ? undefined : toStore(store),
        ),
      );
    },
  });
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

function toFoundKey(key: KeyColumns | undefined, store: RequestedStore | undefined): FoundKey {
  return { principal: key && toPrincipal(key), store, isLastUseOld: key?.is_last_use_old ?? false };
}

const KEY_MEMBERS = `'id', api_keys.id, 'merchant_id', api_keys.merchant_id, 'store_ids', api_keys.store_ids,
                     'permissions', api_keys.permissions, 'label', api_keys.label, 'moving', api_keys.moving`;

/** The text of a row of `stores` and `menu_states`, for toStore. */
export const STORE_TEXT = `json_build_object('id', stores.id, 'store_key', stores.store_key,
                            'created_at', stores.created_at, 'name', stores.name::text, 'external_id', stores.external_id,
                            'merchant_id', stores.merchant_id, 'menu_version', menu_states.menu_version,
                            'stock_revision', menu_states.stock_revision, 'is_counted', menu_states.is_counted,
                            'timezone', stores.timezone, 'currency', stores.currency,
                            'orders_checked', stores.orders_checked, 'intake_revision', stores.intake_revision,
                            'accept', stores.accept, 'in_pos_within_minutes', stores.in_pos_within_minutes,
                            'moving', stores.moving)::text`;

// A sub-select for each part keeps the plan at one index lookup per question, however many stores there are, and takes two
// thirds of the time of joins.
const CALLER = (secretHash: string) => `
  SELECT json_build_object(${KEY_MEMBERS}, 'is_last_use_old',
           coalesce(api_keys.last_used_at < clock_timestamp() - interval '1 minute', true))::text
  FROM api_keys WHERE api_keys.secret_hash = ${secretHash} AND ${IS_LIVE}`;

const SESSION_CALLER = (tokenHash: string) => `
  SELECT json_build_object(${KEY_MEMBERS}, 'key_hash', encode(console_sessions.key_hash, 'hex'), 'is_last_use_old',
           console_sessions.last_used_at < clock_timestamp() - interval '1 minute')::text
  FROM console_sessions
  LEFT JOIN api_keys ON api_keys.secret_hash = console_sessions.key_hash AND ${IS_LIVE}
  WHERE console_sessions.token_hash = ${tokenHash}
    AND (console_sessions.last_used_at > clock_timestamp() - interval '${SESSION_IDLE_HOURS} hours' OR ${IS_KEY_OF_SCREEN})`;

/** Whose key has this hash, as a transaction sees it; undefined where it no longer works or is in no table. */
export async function findPrincipal(tx: Queryable, secretHash: Buffer): Promise<Principal | undefined> {
  const [row] = await tx.query<{ key: string | null }>({
    name: 'caller_of_hash',
    text: `SELECT (${CALLER('$1')}) AS key`,
    values: [secretHash],
  });
  return row?.key == null ? undefined : toPrincipal(JSON.parse(row.key) as KeyColumns);
}

function storeBy(column: 'id' | 'store_key', value: string): string {
  return `SELECT ${STORE_TEXT} FROM stores JOIN menu_states ON menu_states.store_key = stores.store_key
          WHERE stores.${column} = ${value}`;
}

// The arrays come from a sub-select so that the planner cannot count their elements: if it could, it would plan
// each request anew, because a plan for just these values looks cheaper than the prepared one.
const SEVERAL_STORES = `coalesce((${storeBy('id', 'asked.store_id')}), (${storeBy('store_key', 'asked.store_key')})) AS store
  FROM unnest((SELECT $1::bytea[]), (SELECT $2::uuid[]), (SELECT $3::integer[]))
    WITH ORDINALITY AS asked (secret_hash, store_id, store_key, position)
  ORDER BY asked.position`;

/** What is known about a key. */
interface KeyColumns {
  /** null: the session of a key that is not in the database. */
  readonly id: string | null;
  readonly merchant_id: string | null;
  readonly store_ids: string[] | null;
  readonly permissions: Permission[];
  readonly label: string | null;
  readonly moving: string | null;
  readonly is_last_use_old: boolean;
}

interface SessionColumns extends KeyColumns {
  readonly key_hash: string;
}

function toPrincipal(key: KeyColumns): Principal | undefined {
  const { id, merchant_id: merchantId, store_ids: storeIds, permissions } = key;
  if (id === null) return undefined;
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
