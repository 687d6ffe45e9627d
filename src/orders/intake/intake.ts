import { BATCH_SIZES } from '../../support/bounds.js';
import type { RequestedStore } from '../../access/api-key-lookup.sql.js';
import { EVENTS_WRITTEN } from '../../events/events.sql.js';
import { findOrderKey, keepOrderKey } from '../../http/idempotency.sql.js';
import type { Menus } from '../../menus/rendering/menus.js';
import { showCounts } from '../../menus/stock/settle.js';
import type { PricedOrder } from '../../quotes/quote-order.js';
import { createBatches } from '../../postgres/batch.js';
import type { Database, Queryable } from '../../postgres/database.js';
import { Conflict, errorCode } from '../../support/errors.js';
import type { StoreTenant } from '../../support/fair-semaphore.js';
import { attentionAt } from '../attention/attention-clock.js';
import { orderCreated } from '../events.js';
import { createOrderIds } from '../id.js';
import {
  findByExternalId,
  insertOrders,
  type EarlierOrder,
  type GuestOrder,
  type InsertedOrders,
  type OrderPlace,
  type TakenOrder,
} from './insert.sql.js';
import { newOrder, orderTimes, type NewOrder } from './new-order.js';
import { portionsOf, prepMinutesOf } from './portions.js';
import { readOrders } from '../read.sql.js';
import type { OrderRequest } from '../shapes.js';
import { isGivenUp } from '../status.js';

/** The JSON text of an order: 201 if this request, or the first under its key, created it, 200 if it found it by external_id. */
export interface OrderTakenIn {
  readonly json: string;
  readonly status: 200 | 201;
}

/** An order to take in, and who sends it. */
export interface IncomingOrder {
  readonly store: RequestedStore;
  readonly request: OrderRequest;
  readonly keyId: string;
  readonly clientKey: string | undefined;
  /** The result of the check, if the order was checked. */
  readonly check?: OrderCheck;
  readonly guest?: GuestIntake;
}

/** What an order of a guest needs in addition. */
export interface GuestIntake extends GuestOrder {
  /** Throws if the place may make no more orders now. */
  readonly requireRoom: () => Promise<void>;
  /** The order as the store reads it; `request` is what the guest asked for. */
  readonly write: (request: OrderRequest, priced: PricedOrder) => OrderRequest;
}

/** A checked order: its prices, the menu version, when it will be ready, and its slot in the kitchen. */
export interface OrderCheck {
  readonly priced: PricedOrder;
  readonly version: number;
  readonly readyBy: string;
  readonly place: OrderPlace;
}

export interface OrderIntake {
  takeIn(incoming: IncomingOrder): Promise<OrderTakenIn>;
  /** The order that came before under the same key or external_id, if there is one; with a different body it is refused. */
  findRepeated(incoming: IncomingOrder): Promise<OrderTakenIn | undefined>;
}

interface WaitingOrder extends TakenOrder {
  readonly request: OrderRequest;
  readonly keyId: string;
}

/** Since the order was checked, less is left of something it asks for, its slot has filled up, or its place has ordered more. */
export class ChangedMeanwhile extends Error {}

const MOST_TEXT_AT_ONCE = 4_000_000;
/** The longer the names, the more a statement has to index: this number of grams takes a small part of its time limit. */
const MOST_GRAMS_AT_ONCE = 20_000;
const ATTEMPTS = 5;

/** Takes orders in, those of a store that arrive together in one statement. */
export function createOrderIntake(db: Database, prices: Menus['prices'], countSlot: number): OrderIntake {
  const orderIds = createOrderIds();

  /** The menu is only looked at where something is counted. */
  const findPortions = async (store: RequestedStore, { items, status = 'PENDING' }: OrderRequest) => {
    if (!store.menu.isCounted || isGivenUp(status)) return undefined;
    const portions = portionsOf(items, (await prices.read(store, store.menu)).list);
    return portions.length === 0 ? undefined : portions;
  };
  /** An order that was not checked takes its part of the kitchen all the same, where the store has settings for it. */
  const findPlace = async (store: RequestedStore, { items }: OrderRequest) =>
    store.intakeRevision === 0
      ? undefined
      : { prepMinutes: prepMinutesOf(items, (await prices.read(store, store.menu)).list) };

  const insert = createBatches<StoreTenant, WaitingOrder, string | undefined>(
    ({ storeKey }) => storeKey,
    (store) => ({
      choose: chooseBatch,
      run: async (waiting) => {
        const { storeKey } = store;
        // Stamped only now, so that an order that waited does not appear before orders that were already listed by created_at.
        const at = Date.now();
        const taken = waiting.map(({ request, ...one }) => ({
          ...one,
          order: { ...one.order, ...orderTimes(request, at) },
        }));
        const { made, refused, isUnshown, lastSequence } = await insertUntilKeysSettle(
          db.forTenant(store),
          storeKey,
          countSlot,
          taken,
        );
        if (lastSequence !== undefined) db.notify(EVENTS_WRITTEN, { storeKey, lastSequence });
        if (isUnshown) await showCounts(db, store, taken.findLast(({ portions }) => portions)?.keyId ?? null);
        return taken.map(({ order: { id } }) => (refused.has(id) ? new ChangedMeanwhile() : made.get(id)));
      },
    }),
  );

  return {
    async takeIn({ store, request: asked, keyId, clientKey, check, guest }) {
      const { storeKey, timezone } = store;
      const request = guest === undefined || check === undefined ? asked : guest.write(asked, check.priced);
      const arrival = {
        storeKey,
        timezone,
        id: orderIds(storeKey),
        at: Date.now(),
        readyBy: check?.readyBy,
        asked,
      };
      const arrived = newOrder(request, arrival);
      const isAccepted = arrived.status === 'PENDING' && store.accept?.auto === true;
      const order: NewOrder = isAccepted ? { ...arrived, status: 'ACCEPTED' } : arrived;
      const created = { ...order, revision: 1, place: guest?.place };
      const event = orderCreated(created, { keyId, at: order.arrivedAt });
      const checked = check && { menuVersion: check.version, keyId };
      const portions = await findPortions(store, request);
      const json = await insert(store, {
        request,
        order,
        event,
        clientKey,
        checked,
        place: check?.place ?? (await findPlace(store, request)),
        portions,
        keyId,
        attentionAt: attentionAt({ ...order, arrivedMs: arrival.at }, store),
        guest,
      });
      return json === undefined
        ? findEarlier(db.forTenant(store), storeKey, order, clientKey)
        : { json, status: 201 };
    },
    async findRepeated({ store, request, clientKey }) {
      const { storeKey, timezone } = store;
      const own = db.forTenant(store);
      const order = newOrder(request, { storeKey, timezone, id: orderIds(storeKey), at: Date.now() });
      const { externalId } = order;
      const byKey = await findByKey(own, storeKey, order, clientKey);
      if (byKey !== undefined || externalId === undefined) return byKey;
      const earlier = await findByExternalId(own, storeKey, externalId);
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
      orders === BATCH_SIZES.intake ||
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
    return { json: await readMade(db, storeKey, order.id), status: 201 };
  }
  refuseDifferent(byExternalId, order, 'An order with this external_id and a different body already exists');
  const status = byExternalId.id === order.id ? 201 : 200;
  if (
    clientKey !== undefined &&
    !(await keepOrderKey(db, storeKey, clientKey, { ...byExternalId, status }))
  ) {
    // Another request took the key just now.
    const byKeyNow = await findByKey(db, storeKey, order, clientKey);
    if (byKeyNow !== undefined) return byKeyNow;
  }
  return { json: await readMade(db, storeKey, byExternalId.id), status };
}

async function findByKey(
  db: Queryable,
  storeKey: number,
  order: NewOrder,
  clientKey: string | undefined,
): Promise<OrderTakenIn | undefined> {
  if (clientKey === undefined) return undefined;
  // Looks the key up as of the order's arrival, before the statement that found it in use.
  const earlier = await findOrderKey(db, storeKey, clientKey, Date.parse(order.arrivedAt));
  if (earlier === undefined) return undefined;
  refuseDifferent(earlier, order, 'This Idempotency-Key was used with a different body');
  return { json: await readMade(db, storeKey, earlier.id), status: earlier.status };
}

function refuseDifferent(earlier: EarlierOrder, order: NewOrder, message: string): void {
  if (earlier.fingerprint !== order.fingerprint) throw new Conflict(message);
}

async function readMade(db: Queryable, storeKey: number, id: string): Promise<string> {
  const json = (await readOrders(db, storeKey, [id])).get(id);
  if (json === undefined) throw new Error(`Order ${id} was neither made nor found`);
  return json;
}
