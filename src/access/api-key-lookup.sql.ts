import type { Principal } from './principal.js';
import { hashSecret } from './secret.js';
import { createBatch } from '../postgres/batch.js';
import { parseWithoutNulls } from '../postgres/without-nulls.js';
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
interface FoundKey {
  readonly principal?: Principal;
  readonly store?: RequestedStore;
  /** Whether the last use is old enough to be worth a write. */
  readonly isLastUseOld?: boolean;
  /** Of the session that was asked for: the hash of its key's secret in hexadecimal, also of a key that is not in the database. */
  readonly keyHash?: string;
}

/** How a request names a store: by its id, or by the number that an order's id carries. */
export type StoreReference = { readonly id: string } | { readonly storeKey: number };

interface KeyQuestion {
  readonly secret: string;
  readonly store: StoreReference | undefined;
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
export function createApiKeyLookup(db: Database) {
  return createReader(db, 'callers', CALLER);
}

/** Looks up a session together with its key, because one is worthless without the other. */
export function createSessionLookup(db: Database) {
  return createReader(db, 'session_callers', SESSION_CALLER);
}

function createReader(db: Database, name: string, keyOf: (secretHash: string) => string) {
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
  return createBatch<KeyQuestion, FoundKey>({
    identityOf: identityOfQuestion,
    run: async (questions) => {
      const statement = { ...statementOf(questions), patienceMs: PATIENCE_MS };
      const rows = await db.read<{ key: string | null; store: string | null }>(statement);
      return rows.map(({ key, store }) => ({
        ...(key !== null && parseWithoutNulls<FoundKey>(key)),
        ...(store !== null && { store: parseWithoutNulls<RequestedStore>(store) }),
      }));
    },
  });
}

function arraysOf(questions: readonly KeyQuestion[]): unknown[][] {
  const names = questions.map(({ store }) => namesOf(store));
  const hashes = questions.map(({ secret }) => hashSecret(secret));
  return [hashes, names.map(([id]) => id), names.map(([, storeKey]) => storeKey)];
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

/** The principal of a row of `api_keys`; nothing where the session is that of a key that is not in the database. */
const PRINCIPAL = `CASE WHEN api_keys.id IS NOT NULL THEN json_build_object(
           'kind', CASE WHEN api_keys.merchant_id IS NULL THEN 'operator' ELSE 'merchant' END, 'id', api_keys.id,
           'merchantId', api_keys.merchant_id, 'storeIds', api_keys.store_ids, 'permissions', api_keys.permissions,
           'label', api_keys.label, 'moving', api_keys.moving) END`;

/** A RequestedStore as JSON, with null for what it has not, of a row of `stores` and `menu_states`. */
export const STORE_JSON = `json_build_object('id', stores.id, 'storeKey', stores.store_key,
                            'createdAt', stores.created_at, 'name', stores.name::text, 'externalId', stores.external_id,
                            'merchantId', stores.merchant_id, 'menu', json_build_object('version', menu_states.menu_version,
                              'stockRevision', menu_states.stock_revision, 'isCounted', menu_states.is_counted),
                            'timezone', stores.timezone, 'currency', stores.currency,
                            'ordersChecked', coalesce(stores.orders_checked, false), 'intakeRevision', stores.intake_revision,
                            'accept', stores.accept, 'inPosWithinMinutes', stores.in_pos_within_minutes,
                            'moving', stores.moving)`;

// A sub-select for each part keeps the plan at one index lookup per question, however many stores there are, and takes two
// thirds of the time of joins.
const CALLER = (secretHash: string) => `
  SELECT json_build_object('principal', ${PRINCIPAL}, 'isLastUseOld',
           coalesce(api_keys.last_used_at < clock_timestamp() - interval '1 minute', true))::text
  FROM api_keys WHERE api_keys.secret_hash = ${secretHash} AND ${IS_LIVE}`;

const SESSION_CALLER = (tokenHash: string) => `
  SELECT json_build_object('principal', ${PRINCIPAL},
           'keyHash', encode(console_sessions.key_hash, 'hex'), 'isLastUseOld',
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
  return row?.key == null ? undefined : parseWithoutNulls<FoundKey>(row.key).principal;
}

function storeBy(column: 'id' | 'store_key', value: string): string {
  return `SELECT ${STORE_JSON}::text FROM stores JOIN menu_states ON menu_states.store_key = stores.store_key
          WHERE stores.${column} = ${value}`;
}

// The arrays come from a sub-select so that the planner cannot count their elements: if it could, it would plan
// each request anew, because a plan for just these values looks cheaper than the prepared one.
const SEVERAL_STORES = `coalesce((${storeBy('id', 'asked.store_id')}), (${storeBy('store_key', 'asked.store_key')})) AS store
  FROM unnest((SELECT $1::bytea[]), (SELECT $2::uuid[]), (SELECT $3::integer[]))
    WITH ORDINALITY AS asked (secret_hash, store_id, store_key, position)
  ORDER BY asked.position`;
