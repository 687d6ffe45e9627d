import { appendEvents, EVENTS_WRITTEN } from '../../events/events.sql.js';
import type { Database, Transaction } from '../../postgres/database.js';
import { NotFound } from '../../support/errors.js';
import { arrivalOf, watchOrder, type AttentionReason } from './attention-clock.js';
import {
  DUE_AT_ONCE,
  findDueOrders,
  lockDueOrders,
  readWatchSettings,
  setAttention,
  type DueOrder,
} from './attention.sql.js';
import { decideChanges } from '../decide-changes.js';
import { changeOrders, readChangeableOrders } from '../change.sql.js';
import { orderAttention } from '../events.js';

/**
 * Raises the orders that need attention by now, and rejects those that the store wants rejected. Any number of processes may
 * do so at once: each order is handled by the process that locks it, and its raised reasons are saved in the transaction of
 * the event, so no reason is raised twice or lost.
 */
export async function raiseDueAttention(db: Database, counterShard: number, now = new Date()): Promise<void> {
  for (;;) {
    const stores = await findDueOrders(db, now);
    let found = 0;
    let done = 0;
    for (const [storeKey, ids] of stores) {
      found += ids.length;
      done += await db
        .transaction((tx) => raiseInStore(tx, { storeKey, ids, counterShard, now }))
        .catch((error: unknown) => {
          // A store that was deleted meanwhile has no events.
          if (error instanceof NotFound) return 0;
          throw error;
        });
    }
    if (found < DUE_AT_ONCE || done === 0) return;
  }
}

interface DueWork {
  readonly storeKey: number;
  readonly ids: readonly string[];
  readonly counterShard: number;
  readonly now: Date;
}

interface WatchedOrder {
  readonly order: DueOrder;
  readonly due: readonly AttentionReason[];
  readonly nextMs: number | undefined;
}

/** The settings of this moment count, and the order as it is: it may have moved on since it became due. Returns how many it did. */
async function raiseInStore(tx: Transaction, work: DueWork): Promise<number> {
  const { storeKey, counterShard, now } = work;
  const settings = await readWatchSettings(tx, storeKey);
  const orders = await lockDueOrders(tx, storeKey, work.ids, now);
  if (orders.length === 0) return 0;
  const watched = orders.map((order): WatchedOrder => {
    if (settings === undefined) return { order, due: [], nextMs: undefined };
    const arrivedMs = arrivalOf(order.id);
    return { order, ...watchOrder({ ...order, arrivedMs }, settings, order.raised, now.getTime()) };
  });

  const act = { keyId: null, at: now.toISOString() };
  const eventsOf = ({ order, due }: WatchedOrder) =>
    due.map((reason) => ({ orderId: order.id, event: orderAttention(order, reason, act) }));
  const isRejected = ({ due }: WatchedOrder) =>
    settings?.accept?.then === 'reject' && due.includes('not_accepted');

  const rejected = watched.filter(isRejected);
  const read =
    rejected.length === 0
      ? new Map<string, undefined>()
      : await readChangeableOrders(
          tx,
          storeKey,
          rejected.map(({ order }) => order.id),
        );
  // Large orders wait for the next look.
  const isNow = (one: WatchedOrder) => !isRejected(one) || read.get(one.order.id) !== undefined;
  const current = watched.filter(isNow);
  await setAttention(
    tx,
    storeKey,
    current.map(({ order, due, nextMs }) => ({ id: order.id, raised: [...order.raised, ...due], nextMs })),
  );

  const ending = rejected.filter(isNow);
  if (ending.length > 0) {
    const patch = { status: 'REJECTED', reason: 'not_accepted' } as const;
    const asks = ending.map(({ order }) => ({ orderId: order.id, patch, keyId: null }));
    const { changes, events } = decideChanges(read, asks, settings ?? {});
    const told = [...ending.flatMap(eventsOf), ...events];
    const { lastSequence } = await changeOrders(tx, storeKey, counterShard, changes, told);
    if (lastSequence !== undefined) tx.notify(EVENTS_WRITTEN, { storeKey, lastSequence });
  }
  const others = current.filter((one) => !isRejected(one)).flatMap(eventsOf);
  await appendEvents(
    tx,
    storeKey,
    others.map(({ event }) => event),
  );
  return current.length;
}
