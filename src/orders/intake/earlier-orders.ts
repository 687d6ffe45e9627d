import type { Queryable } from '../../postgres/database.js';
import { Conflict } from '../../support/errors.js';
import { readManagedOrders } from '../read.sql.js';
import { findByExternalId, type EarlierOrder } from './insert.sql.js';
import { findOrderKey, keepOrderKey } from './keys.sql.js';
import type { NewOrder } from './new-order.js';

/** The JSON text of an order: 201 if this request, or the first under its key, created it, 200 if it found it by external_id. */
export interface OrderTakenIn {
  readonly id: string;
  readonly json: string;
  readonly status: 200 | 201;
  /** The order, if this request created it. */
  readonly made?: NewOrder;
}

/** What a request is recognised by when it comes again, and when it came. */
export interface SentOrder {
  readonly externalId: string | undefined;
  readonly fingerprint: string;
  readonly clientKey: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The order that came before, under the same key or external_id; `ownId` is what this request would have made. */
export async function findEarlier(
  db: Queryable,
  storeKey: number,
  sent: SentOrder,
  ownId?: string,
): Promise<OrderTakenIn | undefined> {
  const byKey = await findByKey(db, storeKey, sent);
  if (byKey !== undefined || sent.externalId === undefined) return byKey;
  const earlier = await findByExternalId(db, storeKey, sent.externalId);
  if (earlier === undefined) return undefined;
  const { id } = earlier;
  refuseDifferent(earlier, sent, 'An order with this external_id and a different body already exists');
  const status = id === ownId ? 201 : 200;
  if (
    sent.clientKey !== undefined &&
    !(await keepOrderKey(db, storeKey, sent.clientKey, { ...earlier, status }))
  ) {
    // Another request took the key just now.
    const byKeyNow = await findByKey(db, storeKey, sent);
    if (byKeyNow !== undefined) return byKeyNow;
  }
  return { id, json: await readMade(db, storeKey, id), status };
}

async function findByKey(
  db: Queryable,
  storeKey: number,
  sent: SentOrder,
): Promise<OrderTakenIn | undefined> {
  if (sent.clientKey === undefined) return undefined;
  // Looks the key up as of the request's arrival, before the statement that found it in use.
  const earlier = await findOrderKey(db, storeKey, sent.clientKey, sent.at);
  if (earlier === undefined) return undefined;
  const { id, status } = earlier;
  refuseDifferent(earlier, sent, 'This Idempotency-Key was used with a different body');
  return { id, json: await readMade(db, storeKey, id), status };
}

function refuseDifferent(earlier: EarlierOrder, sent: SentOrder, message: string): void {
  if (earlier.fingerprint !== sent.fingerprint) throw new Conflict(message);
}

export async function readMade(db: Queryable, storeKey: number, id: string): Promise<string> {
  const json = (await readManagedOrders(db, storeKey, [id])).get(id);
  if (json === undefined) throw new Error(`Order ${id} was neither made nor found`);
  return json;
}
