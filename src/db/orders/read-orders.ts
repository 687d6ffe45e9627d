import { createBatches } from '../batch.js';
import type { Database, Queryable } from '../database.js';
import { confirmingCallers, type ExpectedCaller } from '../expected-caller.js';
import type { StoreShare } from '../pools.js';
import { LARGE_MARK, managedOrderMembers, orderMembers, STORE_ROW, TEXT_BYTES } from './order-json.js';

/** `json` holds the members of an Order, without the braces. */
export interface ReadOrder {
  readonly id: string;
  readonly json: string;
}

/** Those of the store's orders that exist. */
export function readOrders(db: Queryable, storeKey: number, ids: readonly string[]): Promise<ReadOrder[]> {
  return db.query<ReadOrder>({
    name: 'orders-read',
    text: `
      SELECT o.id, ${orderMembers('st.info')} AS json
      FROM ${STORE_ROW}
      CROSS JOIN orders o WHERE o.store_key = $1 AND o.id = ANY ($2::uuid[])`,
    values: [storeKey, ids],
    repeatable: true,
  });
}

/** The same as the manage side shows them. */
export function readManagedOrders(
  db: Queryable,
  storeKey: number,
  ids: readonly string[],
): Promise<ReadOrder[]> {
  return db.query<ReadOrder>({
    name: 'orders-managed',
    text: `
      SELECT o.id, ${managedOrderMembers('st.info')} AS json
      FROM ${STORE_ROW}
      CROSS JOIN unnest($2::uuid[]) AS wanted (id)
      CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = wanted.id OFFSET 0) o`,
    values: [storeKey, ids],
    repeatable: true,
  });
}

/** Past this much of items no more orders are read for one page of events; the first always is. */
const MOST_BYTES = 1_000_000;

/** The JSON of the orders as the manage side shows them now, by id: as many, from the first of the list on, as a page takes. */
export async function readManagedTexts(
  db: Queryable,
  storeKey: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<ReadOrder>({
    name: 'orders-managed-some',
    text: `
      SELECT o.id, '{' || ${managedOrderMembers('st.info')} || '}' AS json
      FROM ${STORE_ROW}
      CROSS JOIN (
        SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY wanted.place) - ${TEXT_BYTES} AS size_before
        FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, place)
        CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = wanted.id OFFSET 0) o
      ) o
      WHERE o.size_before < ${MOST_BYTES}`,
    values: [storeKey, ids],
    repeatable: true,
  });
  return new Map(rows.map(({ id, json }) => [id, json]));
}

/** Reads one order of a store by its id; reads that wait at the same moment go as one query per store. */
export type ReadOrderById = (
  store: StoreShare,
  id: string,
  expected?: ExpectedCaller,
) => Promise<ReadOrder | undefined>;

interface AskedOrder {
  readonly id: string;
  readonly expected: ExpectedCaller | undefined;
}

/** Each may be close to a megabyte. */
const MOST_AT_ONCE = 32;

export function createOrderReader(db: Database, readThem = readOrders): ReadOrderById {
  const ask = createBatches<StoreShare, AskedOrder, ReadOrder | undefined>(
    ({ storeKey }) => storeKey,
    (store) => ({
      run: async (asked) => {
        const ids = asked.map(({ id }) => id);
        const callers = asked.flatMap(({ expected }) => expected ?? []);
        const orders = await readThem(confirmingCallers(db.of(store), callers), store.storeKey, ids);
        const found = new Map(orders.map((order) => [order.id, order]));
        return ids.map((id) => found.get(id));
      },
      most: MOST_AT_ONCE,
    }),
  );
  return (store, id, expected) => ask(store, { id, expected });
}

/** Whether a page is the text of a JSON list as it stands, or has large orders that are yet to be read. */
export function isFilledIn(list: string): boolean {
  return !list.includes(LARGE_MARK);
}

/** The text of a page in chunks, its large orders read one by one, each when the chunk before it has been taken. */
export async function* fillIn(db: Queryable, storeKey: number, list: string): AsyncGenerator<string> {
  for (const [at, part] of list.split(LARGE_MARK).entries()) {
    const isId = at % 2 === 1;
    yield isId ? await readWhole(db, storeKey, part) : part;
  }
}

async function readWhole(db: Queryable, storeKey: number, id: string): Promise<string> {
  const [order] = await readOrders(db, storeKey, [id]);
  if (order === undefined) throw new Error(`Order ${id} was listed, but is not there`);
  return `{${order.json}}`;
}
