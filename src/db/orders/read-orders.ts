import type { Queryable } from '../database.js';
import { orderMembers, STORE_INFO } from './order-json.js';

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
