import { IS_IN_USE } from '../access/moving.sql.js';
import { STORE_JSON, type RequestedStore } from '../access/api-key-lookup.sql.js';
import type { StoreScope } from '../access/principal.js';
import type { Page } from '../support/shape/common-shapes.js';
import { isResourceId } from '../support/uuid.js';
import { StorePatch, type ManagedStore } from './shapes.js';
import type { Queryable } from '../postgres/database.js';
import { parseWithoutNulls, withoutNulls } from '../postgres/without-nulls.js';
import type { Part } from './part.js';
import { toMerchant } from './merchants.sql.js';

/** What a store may state; each field is a column of its own name. */
const WRITABLE = Object.keys(StorePatch.properties) as (keyof StorePatch)[];
export type WritableStore = Pick<ManagedStore, keyof StorePatch>;

const COLUMNS = `stores.id, stores.created_at, ${WRITABLE.map((column) => `stores.${column}`).join(', ')},
  merchants.id AS merchant_id, merchants.created_at AS merchant_created_at, merchants.brand_name,
  merchants.business_type AS merchant_business_type`;
const FROM = 'FROM stores JOIN merchants ON merchants.id = stores.merchant_id';

type StoreRow = {
  id: string;
  created_at: Date;
  merchant_id: string;
  merchant_created_at: Date;
  brand_name: string;
  merchant_business_type: string | null;
} & Record<keyof StorePatch, unknown>;

export async function getStore(db: Queryable, id: string): Promise<ManagedStore | undefined> {
  const [row] = await db.read<StoreRow>({
    name: 'store',
    text: `SELECT ${COLUMNS} ${FROM} WHERE stores.id = $1`,
    values: [id],
  });
  return row && toStore(row);
}

export async function listStores(db: Queryable, scope: StoreScope, page: Page): Promise<ManagedStore[]> {
  const { name, where, values } = conditionsOf(scope, {});
  const rows = await db.read<StoreRow>({
    name: `stores${name}`,
    text: `SELECT ${COLUMNS} ${FROM} WHERE true${where} ORDER BY stores.created_at, stores.id OFFSET $1 LIMIT $2`,
    values: [page.skip, page.limit, ...values],
  });
  return rows.map(toStore);
}

/** Which of the stores in a scope are meant: those with these ids, and so on; all of them where nothing is said. */
interface MeantStores {
  readonly ids?: readonly string[] | undefined;
  readonly storeKeys?: readonly number[] | undefined;
  readonly part?: Part | undefined;
  /** Those that come after this id. */
  readonly after?: string | undefined;
}

/** A condition for each filter that is given, from $3 on: one statement for all of them would use the index of none. */
function conditionsOf({ merchantId, storeIds }: StoreScope, { ids, storeKeys, part, after }: MeantStores) {
  const conditions = [
    ['stores.merchant_id = ?', merchantId],
    ['stores.id = ANY (?)', storeIds],
    ['stores.id = ANY (?)', ids?.filter(isResourceId)],
    ['stores.store_key = ANY (?)', storeKeys],
    ['stores.store_key % (?::integer[])[1] = (?::integer[])[2]', part && [part.of, part.rest]],
    ['stores.id > ?', after],
  ].flatMap(([condition, value], i) => (value === undefined ? [] : [{ condition, value, i }]));
  return {
    name: conditions.map(({ i }) => `_${i}`).join(''),
    where: conditions
      .map(({ condition }, i) => ` AND ${String(condition).replaceAll('?', `$${i + 3}`)}`)
      .join(''),
    values: conditions.map(({ value }) => value),
  };
}

/** The oldest first; those that are named by their ids also where their merchant is in another place. */
export async function listRequestedStores(
  db: Queryable,
  scope: StoreScope,
  meant: MeantStores,
  limit?: number,
): Promise<RequestedStore[]> {
  const { name, where, values } = conditionsOf(scope, meant);
  const rows = await db.read<{ store: string }>({
    name: `stores_requested${name}`,
    text: `SELECT ${STORE_JSON}::text AS store FROM stores JOIN menu_states ON menu_states.store_key = stores.store_key
           WHERE ${meant.ids === undefined ? IS_IN_USE : 'true'}${where}
           ORDER BY stores.created_at, stores.id OFFSET $1 LIMIT $2`,
    values: [0, limit, ...values],
  });
  return rows.map(({ store }) => parseWithoutNulls<RequestedStore>(store));
}

/** The stores among the ids that exist and are in scope, by id. */
export async function findStores(
  db: Queryable,
  ids: readonly string[],
  scope: StoreScope,
): Promise<Map<string, RequestedStore>> {
  const stores = await listRequestedStores(db, scope, { ids });
  return new Map(stores.map((store) => [store.id, store]));
}

/** A store by its id and number, and whose it is. */
export interface NamedStore {
  readonly id: string;
  readonly storeKey: number;
  readonly merchantId: string;
}

/** Stores in the order of their ids, at most `limit`, and none whose merchant is in another place. */
export function findNamedStores(
  db: Queryable,
  scope: StoreScope,
  meant: MeantStores,
  limit: number,
): Promise<NamedStore[]> {
  const { name, where, values } = conditionsOf(scope, meant);
  return db.read<NamedStore>({
    name: `stores_named${name}`,
    text: `SELECT stores.id, stores.store_key AS "storeKey", stores.merchant_id AS "merchantId" FROM stores
           WHERE ${IS_IN_USE}${where} ORDER BY stores.id OFFSET $1 LIMIT $2`,
    values: [0, limit, ...values],
  });
}

/** A separate nextval: on a sharded database a column default would draw from each node's own sequence. */
export async function nextStoreKey(db: Queryable): Promise<number> {
  const [number] = await db.query<{ store_key: number }>({
    name: 'store_number',
    text: `SELECT nextval('store_numbers')::int AS store_key`,
  });
  return (number as { store_key: number }).store_key;
}

export async function insertStore(
  db: Queryable,
  { id, storeKey }: { readonly id: string; readonly storeKey: number },
  store: WritableStore & { readonly merchant_id: string },
): Promise<void> {
  await db.query({
    name: 'store_insert',
    text: `INSERT INTO stores (id, store_key, merchant_id, created_at, ${WRITABLE.join(', ')})
           VALUES ($1, $2, $3, date_trunc('milliseconds', clock_timestamp()), ${WRITABLE.map((_, i) => `$${i + 4}`).join(', ')})`,
    values: [id, storeKey, store.merchant_id, ...writableColumns(store)],
  });
  await db.query({
    name: 'store_menu_state',
    text: 'INSERT INTO menu_states (store_key) VALUES ($1)',
    values: [storeKey],
  });
}

/** Writes every writable column of a store; absent fields are cleared. */
export async function updateStore(db: Queryable, id: string, store: WritableStore): Promise<void> {
  await db.query({
    name: 'store_update',
    text: `UPDATE stores SET ${WRITABLE.map((column, i) => `${column} = $${i + 2}`).join(', ')}
           WHERE stores.id = $1`,
    values: [id, ...writableColumns(store)],
  });
}

export async function lockStore(db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'store_lock',
    text: 'SELECT stores.id FROM stores WHERE stores.id = $1 FOR NO KEY UPDATE',
    values: [id],
  });
}

function isJson(column: keyof StorePatch): boolean {
  const { type } = StorePatch.properties[column] as { readonly type?: string | readonly string[] };
  return [type].flat().some((one) => one === 'object' || one === 'array');
}

function writableColumns(store: WritableStore): unknown[] {
  return WRITABLE.map((column) => {
    const value = store[column];
    return isJson(column) && value !== undefined ? JSON.stringify(value) : value;
  });
}

function toStore(row: StoreRow): ManagedStore {
  const { merchant_id: id, merchant_created_at, brand_name, merchant_business_type, ...own } = row;
  const owner = { id, created_at: merchant_created_at, brand_name, business_type: merchant_business_type };
  const fields = withoutNulls(own) as unknown as WritableStore & { readonly id: string };
  return { ...fields, created_at: row.created_at.toISOString(), merchant: toMerchant(owner) };
}
