import type { Permission, Principal } from '../domain/key/principal.js';
import { hashSecret } from '../domain/key/secret.js';
import { createBatch } from './batch.js';
import { SESSION_IDLE_HOURS } from './console-sessions.js';
import type { Database } from './database.js';
import { IS_LIVE } from './keys.js';
import type { MenuState } from './menu-versions.js';

/** A store as every request that names one, or an order of it, finds it: who owns it, and how fresh its menu is. */
export interface RequestedStore {
  readonly id: string;
  readonly storeKey: number;
  readonly merchantId: string;
  /** Where its menu stood when the key was checked. */
  readonly menu: MenuState;
  readonly timezone: string | undefined;
  readonly currency: string | undefined;
  /** Whether every order is checked against the menu before it is taken in. */
  readonly ordersChecked: boolean;
}

/** Whose key was sent, and the store that is named with it; undefined where there is no such key or store. */
export interface FoundCaller {
  readonly principal: Principal | undefined;
  readonly store: RequestedStore | undefined;
  /** Old enough to be worth a write. */
  readonly isLastUseOld: boolean;
}

/** How a request names a store: by its id, or by the number that an order's id carries. */
export type StoreReference = { readonly id: string } | { readonly storeKey: number };

export interface CallerQuestion {
  readonly secret: string;
  readonly store: StoreReference | undefined;
}

/** Whose session a token stands for, which is asked for in the place of a secret. */
export interface SessionCaller extends FoundCaller {
  /** Of the key's secret, also where the key is not in the database; undefined where there is no such session. */
  readonly keyHash: Buffer | undefined;
}

/** A request waits for this before anything else; whatever has lost it for so long is given up. */
const PATIENCE_MS = 3_000;

/** Each question is asked of the database fresh, together with all others that have arrived meanwhile. */
export function createCallerReader(db: Database): (question: CallerQuestion) => Promise<FoundCaller> {
  return createReader(db, 'callers', CALLERS, toCaller);
}

/** A session and its key are looked at together, each time: the one is worth nothing without the other. */
export function createSessionReader(db: Database): (question: CallerQuestion) => Promise<SessionCaller> {
  return createReader(db, 'session_callers', SESSION_CALLERS, (row: SessionRow) => ({
    ...toCaller(row),
    keyHash: row.key_hash ?? undefined,
  }));
}

function createReader<Row, Found>(db: Database, name: string, text: string, toFound: (row: Row) => Found) {
  return createBatch<CallerQuestion, Found>({
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

/** No id has a space, and no number a hyphen, so no two questions look alike. */
function identityOfQuestion({ secret, store }: CallerQuestion): string {
  if (store === undefined) return ` ${secret}`;
  return `${'id' in store ? store.id : store.storeKey} ${secret}`;
}

function toCaller({ key, is_last_use_old, store }: CallerRow): FoundCaller {
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

export const KEY_TEXT = `json_build_array(api_keys.id, api_keys.merchant_id, api_keys.store_ids, api_keys.permissions)::text`;

export const LAST_USE_IS_OLD = `coalesce(api_keys.last_used_at < clock_timestamp() - interval '1 minute', true)`;

const AND_STORE = `
  LEFT JOIN LATERAL (
    SELECT json_build_array(stores.id, stores.store_key, stores.merchant_id, menu_states.menu_version,
                            menu_states.stock_revision, stores.timezone, stores.currency, stores.orders_checked)::text
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
           ${LAST_USE_IS_OLD} AS is_last_use_old
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

interface CallerRow {
  readonly key: string | null;
  readonly is_last_use_old: boolean | null;
  readonly store: string | null;
}

interface SessionRow extends CallerRow {
  readonly key_hash: Buffer | null;
}

export function toPrincipal(text: string): Principal {
  const [id, merchantId, storeIds, permissions] = JSON.parse(text) as [
    string,
    string | null,
    string[] | null,
    Permission[],
  ];
  if (merchantId === null) return { kind: 'operator', id };
  return { kind: 'merchant', id, merchantId, storeIds: storeIds ?? undefined, permissions };
}

function toStore(text: string): RequestedStore {
  const [id, storeKey, merchantId, version, stockRevision, timezone, currency, ordersChecked] = JSON.parse(
    text,
  ) as [string, number, string, number, number, string | null, string | null, boolean | null];
  return {
    id,
    storeKey,
    merchantId,
    menu: { version, stockRevision },
    timezone: timezone ?? undefined,
    currency: currency ?? undefined,
    ordersChecked: ordersChecked ?? false,
  };
}
