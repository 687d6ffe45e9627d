import type { Queryable } from '../database.js';
import { LARGE_MARK, orderMembers, STORE_INFO } from './order-json.js';

/** `json` holds the members of an Order, without the braces. */
export interface ReadOrder {
  readonly id: string;
  readonly json: string;
}

export interface EarlierOrder {
  readonly id: string;
  readonly fingerprint: string;
}

/** Those of the store's orders that exist. */
export function readOrders(db: Queryable, storeKey: number, ids: readonly string[]): Promise<ReadOrder[]> {
  return db.query<ReadOrder>({
    name: 'orders-read',
    text: `
      SELECT o.id, ${orderMembers('st.info')} AS json
      FROM (SELECT ${STORE_INFO} AS info FROM stores s WHERE s.store_key = $1 OFFSET 0) st
      CROSS JOIN orders o WHERE o.store_key = $1 AND o.id = ANY ($2::uuid[])`,
    values: [storeKey, ids],
    repeatable: true,
  });
}

/** The order that a request under the Idempotency-Key made, or met by its external_id. */
export async function findByClientKey(
  db: Queryable,
  storeKey: number,
  clientKey: string,
): Promise<EarlierOrder | undefined> {
  const [row] = await db.query<EarlierOrder>({
    name: 'orders-by-client-key',
    text: `
      SELECT k.order_id AS id, encode(k.fingerprint, 'hex') AS fingerprint
      FROM order_intake_keys k WHERE k.store_key = $1 AND k.client_key = $2`,
    values: [storeKey, clientKey],
    repeatable: true,
  });
  return row;
}

export async function findByExternalId(
  db: Queryable,
  storeKey: number,
  externalId: string,
): Promise<EarlierOrder | undefined> {
  const [row] = await db.query<EarlierOrder>({
    name: 'orders-by-external-id',
    text: `
      SELECT o.id, encode(o.fingerprint, 'hex') AS fingerprint
      FROM orders o WHERE o.store_key = $1 AND o.external_id = $2`,
    values: [storeKey, externalId],
    repeatable: true,
  });
  return row;
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
