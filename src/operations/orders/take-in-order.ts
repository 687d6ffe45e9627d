import { randomInt } from 'node:crypto';
import type { Database } from '../../db/database.js';
import { insertOrders, keepClientKey, type TakenOrder } from '../../db/orders/insert-orders.js';
import {
  findByClientKey,
  findByExternalId,
  readOrders,
  type EarlierOrder,
} from '../../db/orders/read-orders.js';
import { Conflict, errorCode } from '../../domain/errors.js';
import { createOrderIds } from '../../domain/order/id.js';
import { newOrder, type NewOrder } from '../../domain/order/new-order.js';
import type { OrderRequest } from '../../domain/order/shapes.js';

/** The JSON text of an Order, and whether this request made it or met it. */
interface OrderTakenIn {
  readonly json: string;
  readonly is: 'created' | 'repeated by key' | 'repeated by external_id';
}

export interface OrderIntake {
  takeIn(storeKey: number, request: OrderRequest, clientKey?: string): Promise<OrderTakenIn>;
}

interface Waiting extends TakenOrder {
  readonly resolve: (json: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

const COUNT_SLOTS = 32;
const MOST_AT_ONCE = 200;
const MOST_TEXT_AT_ONCE = 4_000_000;
/** What a statement indexes grows with the names: so many pieces take a small part of its time limit. */
const MOST_PIECES_AT_ONCE = 20_000;
const ATTEMPTS = 5;

/** The slot of `order_counts` that a process writes to; two that share one only wait for each other. */
export function chooseCountSlot(): number {
  return randomInt(COUNT_SLOTS);
}

/**
 * Takes orders in with one write in flight per store: whatever arrives meanwhile goes into the next statement together.
 * That keeps the counts of a busy hour from being fought over, and makes many writers faster than one at a time.
 */
export function createOrderIntake(db: Database, slot: number): OrderIntake {
  const orderIds = createOrderIds();
  const queues = new Map<number, Waiting[]>();

  async function drain(storeKey: number, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue);
      try {
        const made = await insertUntilKeysSettle(db, storeKey, slot, batch);
        for (const { order, resolve } of batch) resolve(made.get(order.id));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.delete(storeKey);
  }

  function enqueue(
    storeKey: number,
    order: NewOrder,
    clientKey: string | undefined,
  ): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const queue = queues.get(storeKey);
      const waiting = { order, clientKey, resolve, reject };
      if (queue !== undefined) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      queues.set(storeKey, started);
      void drain(storeKey, started);
    });
  }

  return {
    async takeIn(storeKey, request, clientKey) {
      const order = newOrder(request, { storeKey, id: orderIds(storeKey), at: Date.now() });
      const json = await enqueue(storeKey, order, clientKey);
      return json === undefined ? findEarlier(db, storeKey, order, clientKey) : { json, is: 'created' };
    },
  };
}

/** Two orders under one external_id or key never share a statement: the second waits and then meets the first. */
function takeBatch(queue: Waiting[]): Waiting[] {
  const batch: Waiting[] = [];
  const later: Waiting[] = [];
  const externalIds = new Set<string>();
  const clientKeys = new Set<string>();
  let textLength = 0;
  let pieces = 0;
  for (const waiting of queue.splice(0)) {
    const { externalId, items, grams } = waiting.order;
    const isRepeated =
      (externalId !== undefined && externalIds.has(externalId)) ||
      (waiting.clientKey !== undefined && clientKeys.has(waiting.clientKey));
    if (
      isRepeated ||
      batch.length === MOST_AT_ONCE ||
      (textLength > 0 && textLength + items.length > MOST_TEXT_AT_ONCE) ||
      (pieces > 0 && pieces + grams.length > MOST_PIECES_AT_ONCE)
    ) {
      later.push(waiting);
      continue;
    }
    if (externalId !== undefined) externalIds.add(externalId);
    if (waiting.clientKey !== undefined) clientKeys.add(waiting.clientKey);
    textLength += items.length;
    pieces += grams.length;
    batch.push(waiting);
  }
  queue.push(...later);
  return batch;
}

/** Another process may use the same Idempotency-Key at the same moment: the next attempt sees its order. */
async function insertUntilKeysSettle(
  db: Database,
  storeKey: number,
  slot: number,
  batch: readonly TakenOrder[],
): Promise<Map<string, string>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertOrders(db, storeKey, slot, batch);
    } catch (error) {
      if (errorCode(error) !== '23505' || attempt === ATTEMPTS) throw error;
    }
  }
}

async function findEarlier(
  db: Database,
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
  db: Database,
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

async function readMade(db: Database, storeKey: number, id: string): Promise<string> {
  const [row] = await readOrders(db, storeKey, [id]);
  if (row === undefined) throw new Error(`Order ${id} was neither made nor found`);
  return `{${row.json}}`;
}
