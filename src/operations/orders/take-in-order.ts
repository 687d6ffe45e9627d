import { randomInt } from 'node:crypto';
import { createBatches } from '../../db/batch.js';
import type { Database, Queryable } from '../../db/database.js';
import {
  findByClientKey,
  findByExternalId,
  insertOrders,
  keepClientKey,
  type EarlierOrder,
  type InsertedOrders,
  type TakenOrder,
} from '../../db/orders/insert-orders.js';
import { readOrders } from '../../db/orders/read-orders.js';
import type { StoreShare } from '../../db/pools.js';
import { Conflict, errorCode } from '../../domain/errors.js';
import { orderCreated } from '../../domain/event/event.js';
import { createOrderIds } from '../../domain/order/id.js';
import { newOrder, orderTimes, type NewOrder } from '../../domain/order/new-order.js';
import type { OrderRequest } from '../../domain/order/shapes.js';

/** The JSON text of an Order, and whether this request made it or met it. */
export interface OrderTakenIn {
  readonly json: string;
  readonly is: 'created' | 'repeated by key' | 'repeated by external_id';
}

/** An order to take in, and who sends it. */
export interface IncomingOrder {
  readonly store: StoreShare;
  readonly request: OrderRequest;
  readonly keyId: string;
  readonly clientKey: string | undefined;
  /** The version of the menu that it was checked against. */
  readonly checkedVersion?: number;
}

export interface OrderIntake {
  takeIn(incoming: IncomingOrder): Promise<OrderTakenIn>;
  /** The order that came before under the same key or external_id, if there is one; with a different body it is refused. */
  findRepeated(incoming: IncomingOrder): Promise<OrderTakenIn | undefined>;
}

interface WaitingOrder extends TakenOrder {
  readonly request: OrderRequest;
}

const COUNT_SLOTS = 32;
const MOST_AT_ONCE = 200;
const MOST_TEXT_AT_ONCE = 4_000_000;
/** The longer the names, the more a statement has to index: so many grams take a small part of its time limit. */
const MOST_GRAMS_AT_ONCE = 20_000;
const ATTEMPTS = 5;

/** The slot of `order_counts` that a process writes to; two that share one only wait for each other. */
export function chooseCountSlot(): number {
  return randomInt(COUNT_SLOTS);
}

/** Takes orders in, those of a store that arrive together in one statement. */
export function createOrderIntake(db: Database, countSlot: number): OrderIntake {
  const orderIds = createOrderIds();
  const insert = createBatches<StoreShare, WaitingOrder, string | undefined>(
    ({ storeKey }) => storeKey,
    (store) => ({
      choose: chooseBatch,
      run: async (waiting) => {
        const { storeKey } = store;
        // Stamped only now: an order that has waited would otherwise appear behind the back of whoever lists by created_at.
        const at = Date.now();
        const taken = waiting.map(({ request, ...one }) => ({
          ...one,
          order: { ...one.order, ...orderTimes(request, at) },
        }));
        const { made, lastSequence } = await insertUntilKeysSettle(db.of(store), storeKey, countSlot, taken);
        if (lastSequence !== undefined) db.tellEvents(storeKey, lastSequence);
        return taken.map(({ order }) => made.get(order.id));
      },
    }),
  );

  return {
    async takeIn({ store, request, keyId, clientKey, checkedVersion }) {
      const { storeKey } = store;
      const order = newOrder(request, { storeKey, id: orderIds(storeKey), at: Date.now() });
      const event = orderCreated({ ...order, revision: 1 }, { keyId, at: order.arrivedAt });
      const checked = checkedVersion === undefined ? undefined : { menuVersion: checkedVersion, keyId };
      const json = await insert(store, { request, order, event, clientKey, checked });
      return json === undefined
        ? findEarlier(db.of(store), storeKey, order, clientKey)
        : { json, is: 'created' };
    },
    async findRepeated({ store, request, clientKey }) {
      const { storeKey } = store;
      const own = db.of(store);
      const order = newOrder(request, { storeKey, id: orderIds(storeKey), at: Date.now() });
      const { externalId } = order;
      const earlier =
        (clientKey === undefined ? undefined : await findByClientKey(own, storeKey, clientKey)) ??
        (externalId === undefined ? undefined : await findByExternalId(own, storeKey, externalId));
      return earlier && findEarlier(own, storeKey, order, clientKey);
    },
  };
}

/** Two orders under one external_id or key never share a statement: the second waits and then meets the first. */
function chooseBatch(waiting: readonly TakenOrder[]): boolean[] {
  const externalIds = new Set<string>();
  const clientKeys = new Set<string>();
  let orders = 0;
  let textLength = 0;
  let gramCount = 0;
  return waiting.map(({ order: { externalId, items, grams }, clientKey }) => {
    const isRepeated =
      (externalId !== undefined && externalIds.has(externalId)) ||
      (clientKey !== undefined && clientKeys.has(clientKey));
    const isFull =
      orders === MOST_AT_ONCE ||
      (textLength > 0 && textLength + items.length > MOST_TEXT_AT_ONCE) ||
      (gramCount > 0 && gramCount + grams.length > MOST_GRAMS_AT_ONCE);
    // Also of those that wait: a third must not overtake the second.
    if (externalId !== undefined) externalIds.add(externalId);
    if (clientKey !== undefined) clientKeys.add(clientKey);
    if (isRepeated || isFull) return false;
    orders += 1;
    textLength += items.length;
    gramCount += grams.length;
    return true;
  });
}

/** Another process may use the same Idempotency-Key at the same moment: the next attempt sees its order. */
async function insertUntilKeysSettle(
  db: Queryable,
  storeKey: number,
  countSlot: number,
  batch: readonly TakenOrder[],
): Promise<InsertedOrders> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertOrders(db, storeKey, countSlot, batch);
    } catch (error) {
      if (errorCode(error) !== '23505' || attempt === ATTEMPTS) throw error;
    }
  }
}

async function findEarlier(
  db: Queryable,
  storeKey: number,
  order: NewOrder,
  clientKey: string | undefined,
): Promise<OrderTakenIn> {
  const byKey = await findByKey(db, storeKey, order, clientKey);
  if (byKey !== undefined) return byKey;
  const byExternalId =
    order.externalId === undefined ? undefined : await findByExternalId(db, storeKey, order.externalId);
  if (byExternalId === undefined) {
    // The statement ran twice because its connection was lost: the first run had made the order.
    return { json: await readMade(db, storeKey, order.id), is: 'created' };
  }
  refuseDifferent(byExternalId, order, 'An order with this external_id and a different body exists');
  if (clientKey !== undefined && !(await keepClientKey(db, storeKey, clientKey, byExternalId))) {
    // Another request took the key just now.
    const byKeyNow = await findByKey(db, storeKey, order, clientKey);
    if (byKeyNow !== undefined) return byKeyNow;
  }
  const json = await readMade(db, storeKey, byExternalId.id);
  return { json, is: byExternalId.id === order.id ? 'created' : 'repeated by external_id' };
}

async function findByKey(
  db: Queryable,
  storeKey: number,
  order: NewOrder,
  clientKey: string | undefined,
): Promise<OrderTakenIn | undefined> {
  const earlier = clientKey === undefined ? undefined : await findByClientKey(db, storeKey, clientKey);
  if (earlier === undefined) return undefined;
  refuseDifferent(earlier, order, 'This Idempotency-Key was used with a different body');
  const json = await readMade(db, storeKey, earlier.id);
  return { json, is: earlier.id === order.id ? 'created' : 'repeated by key' };
}

function refuseDifferent(earlier: EarlierOrder, order: NewOrder, message: string): void {
  if (earlier.fingerprint !== order.fingerprint) throw new Conflict(message);
}

async function readMade(db: Queryable, storeKey: number, id: string): Promise<string> {
  const [row] = await readOrders(db, storeKey, [id]);
  if (row === undefined) throw new Error(`Order ${id} was neither made nor found`);
  return `{${row.json}}`;
}
