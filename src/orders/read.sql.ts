import { BATCH_SIZES } from '../support/bounds.js';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { maySeeStore, type Principal } from '../access/principal.js';
import { createBatches } from '../postgres/batch.js';
import type { Database, Queryable } from '../postgres/database.js';
import { NotFound } from '../support/errors.js';
import { FIRST_ID } from '../support/shape/id-cursor.js';
import type { StoreTenant } from '../support/fair-semaphore.js';
import {
  importedOrderJson,
  managedOrderColumns,
  managedOrderJson,
  orderColumns,
  orderJson,
  STORE_ROW,
  storeJson,
  storeJsonOf,
  TEXT_BYTES,
  toManagedOrder,
  toOrder,
  type ManagedOrderRow,
  type OrderRow,
  type ShownManagedOrder,
} from './json.sql.js';

interface WithStore {
  readonly store: string;
}

/** Past this much of items no more orders are read for one page of events; the first always is. */
const MOST_PAGE_BYTES = 1_000_000;

/**
 * Reads orders for the manage side, in the order of the list, until a page of events is full. The rest are undefined. An
 * order that has been removed is not in the map.
 */
export async function readManagedOrders(
  db: Queryable,
  storeKey: number,
  ids: readonly string[],
): Promise<Map<string, string | undefined>> {
  const rows = await db.read<(ManagedOrderRow | { id: string; items: null }) & WithStore>({
    name: 'orders-managed-page',
    text: `
      SELECT st.store, ${managedOrderColumns(`o.size_before < ${MOST_PAGE_BYTES}`)} FROM ${STORE_ROW}
      CROSS JOIN (
        SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY wanted.place) - ${TEXT_BYTES} AS size_before
        FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, place)
        CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = wanted.id OFFSET 0) o
      ) o`,
    values: [storeKey, ids],
  });
  const store = storeJsonOf(rows[0]);
  return new Map(
    rows.map((row) => [
      row.id,
      row.items === null ? undefined : managedOrderJson(toManagedOrder(row), store),
    ]),
  );
}

/** Reads the JSON of one order. What it shows of its store was read with the key, for each request its own. */
export type ReadOrderById = (store: RequestedStore, id: string) => Promise<string | undefined>;

export function createOrderReader(db: Database): ReadOrderById {
  const read = createRowReader<OrderRow>(db, 'order', orderColumns());
  return async (store, id) => {
    const row = await read(store, id);
    return row && orderJson(toOrder(row), storeJson(store));
  };
}

export function createManagedOrderReader(db: Database): ReadOrderById {
  const read = createRowReader<ManagedOrderRow>(db, 'managed-order', managedOrderColumns());
  return async (store, id) => {
    const row = await read(store, id);
    return row && managedOrderJson(toManagedOrder(row), storeJson(store));
  };
}

/** Reads that wait at the same moment go as one query per store. */
export function createRowReader<Row extends { readonly id: string }>(
  db: Database,
  name: string,
  columns: string,
): (store: StoreTenant, id: string) => Promise<Row | undefined> {
  const one = `SELECT ${columns} FROM orders o WHERE o.store_key = $1 AND o.id = $2`;
  const several = `
    SELECT ${columns} FROM unnest($2::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM orders WHERE orders.store_key = $1 AND orders.id = wanted.id LIMIT 1) AS o`;
  return createBatches<StoreTenant, string, Row | undefined>(
    ({ storeKey }) => storeKey,
    (store) => ({
      run: async (ids) => {
        const isOne = ids.length === 1;
        const rows = await db.forTenant(store).read<Row>({
          name: isOne ? `${name}-one` : `${name}-several`,
          text: isOne ? one : several,
          values: [store.storeKey, isOne ? ids[0] : ids],
        });
        const found = new Map(rows.map((row) => [row.id, row]));
        return ids.map((id) => found.get(id));
      },
      most: BATCH_SIZES.singleOrders,
    }),
  );
}

/**
 * Finds the JSON of the order that a path names. Its store was found with the key: an order that the key may not see is not even
 * looked for, and so takes exactly as long as one that does not exist.
 */
export async function findOrder(
  readOrder: ReadOrderById,
  { principal, store }: { readonly principal: Principal; readonly store: RequestedStore | undefined },
  id: string,
): Promise<string> {
  const order = store !== undefined && maySeeStore(principal, store) ? await readOrder(store, id) : undefined;
  if (order === undefined) throw new NotFound('Order');
  return order;
}

const EXPORTED_AT_ONCE = 250;
const EXPORTED_BYTES_AT_ONCE = 250_000;
/** Rows made into lines within one turn of the event loop: about a millisecond. */
const EXPORTED_A_TURN = 50;

/**
 * The orders of a store, oldest first, as lines that the import takes: all of them, or those that were completed before a time
 * (RFC 3339 in UTC). Each group is read when it is asked for and by a query of its own, so a slow reader holds neither a
 * connection nor a snapshot.
 */
export async function* exportOrders(
  db: Queryable,
  store: { readonly id: string; readonly storeKey: number },
  completedBefore?: string,
): AsyncGenerator<string> {
  const isWanted = ({ completedAt }: ShownManagedOrder) =>
    completedBefore === undefined || (completedAt !== undefined && completedAt < completedBefore);
  let after = { created_at: '-infinity', id: FIRST_ID };
  for (;;) {
    const rows = await db.read<ManagedOrderRow>({
      name: 'orders-export',
      text: EXPORT,
      values: [store.storeKey, after.created_at, after.id],
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    for (let from = 0; from < rows.length; from += EXPORTED_A_TURN) {
      const orders = rows
        .slice(from, from + EXPORTED_A_TURN)
        .map(toManagedOrder)
        .filter(isWanted);
      if (orders.length > 0) yield orders.map((order) => `${importedOrderJson(order, store.id)}\n`).join('');
    }
    after = last;
  }
}

// The running size stops a group early where orders are large; the first row always goes.
const EXPORT = `
  SELECT ${managedOrderColumns()}
  FROM (
    SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY o.created_at, o.id) - ${TEXT_BYTES} AS size_before
    FROM (
      SELECT * FROM orders o
      WHERE o.store_key = $1 AND (o.created_at, o.id) > ($2::timestamptz, $3::uuid)
      ORDER BY o.created_at, o.id LIMIT ${EXPORTED_AT_ONCE}
    ) o
  ) o
  WHERE o.size_before < ${EXPORTED_BYTES_AT_ONCE}
  ORDER BY o.created_at, o.id`;
