import { BATCH_SIZES } from '../../support/bounds.js';
import type { RequestedStore } from '../../access/api-key-lookup.sql.js';
import { EVENTS_WRITTEN } from '../../events/events.sql.js';
import type { Menus } from '../../menus/rendering/menus.js';
import { showCounts } from '../../menus/stock/settle.js';
import type { PricedOrder } from '../../quotes/quote-order.js';
import { createBatches } from '../../postgres/batch.js';
import type { Database, Queryable } from '../../postgres/database.js';
import { errorCode } from '../../support/errors.js';
import type { StoreTenant } from '../../support/fair-semaphore.js';
import { LATEST_MS } from '../../support/datetime.js';
import { attentionAt, type WatchedOrder } from '../attention/attention-clock.js';
import { orderCreated } from '../events.js';
import { createOrderIds } from '../id.js';
import { readLines, type Line } from '../lines.js';
import { findEarlier, readMade, type OrderTakenIn } from './earlier-orders.js';
import {
  insertOrders,
  type GuestOrder,
  type InsertedOrders,
  type MadeOrder,
  type RefusedOrder,
  type KitchenSlot,
  type TakenOrder,
} from './insert.sql.js';
import { fingerprintOf, newOrder, orderTimes, type NewOrder } from './new-order.js';
import { portionsOf, prepMinutesOf } from './portions.js';
import type { OrderRequest } from '../request-shapes.js';
import { isGivenUp, type OrderStatus } from '../status.js';

export interface IncomingOrder {
  readonly store: RequestedStore;
  readonly request: OrderRequest;
  readonly keyId: string;
  readonly label?: string | undefined;
  readonly via?: 'mcp' | undefined;
  readonly clientKey: string | undefined;
  readonly check?: OrderCheck;
  readonly guest?: GuestIntake;
}

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
  readonly place: KitchenSlot;
}

export type OrderIntake = ReturnType<typeof createOrderIntake>;

interface WaitingOrder extends TakenOrder {
  readonly request: OrderRequest;
  readonly keyId: string;
}

/** Since the order was checked, less is left of something it asks for, its slot has filled up, or its place has ordered more. */
export class GoneMeanwhile extends Error {
  constructor(readonly refusal: RefusedOrder) {
    super(`The order was refused: ${refusal.reason}`);
  }
}

const MOST_TEXT_AT_ONCE = 4_000_000;
/** The longer the names, the more a statement has to index: this number of grams takes a small part of its time limit. */
const MOST_GRAMS_AT_ONCE = 20_000;
const ATTEMPTS = 5;

/** Takes orders in, those of a store that arrive together in one statement. */
export function createOrderIntake(db: Database, prices: Menus['prices'], counterShard: number) {
  const orderIds = createOrderIds();

  /** The menu is only looked at where something is counted. */
  const findPortions = async (store: RequestedStore, lines: readonly Line[], status: OrderStatus) => {
    if (!store.menu.isCounted || isGivenUp(status)) return undefined;
    const portions = portionsOf(lines, (await prices.read(store, store.menu)).list);
    return portions.length === 0 ? undefined : portions;
  };
  /** An order that was not checked takes its part of the kitchen all the same, where the store has settings for it. */
  const findPlace = async (store: RequestedStore, lines: readonly Line[]) =>
    store.intakeRevision === 0
      ? undefined
      : { prepMinutes: prepMinutesOf(lines, (await prices.read(store, store.menu)).list) };

  const insert = createBatches<StoreTenant, WaitingOrder, MadeOrder | undefined>(
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
          counterShard,
          taken,
        );
        if (lastSequence !== undefined) db.notify(EVENTS_WRITTEN, { storeKey, lastSequence });
        if (isUnshown) await showCounts(db, store, taken.findLast(({ portions }) => portions)?.keyId ?? null);
        return taken.map(({ order: { id } }) => {
          const refusal = refused.get(id);
          return refusal === undefined ? made.get(id) : new GoneMeanwhile(refusal);
        });
      },
    }),
  );

  return {
    async takeIn(incoming: IncomingOrder): Promise<OrderTakenIn> {
      const { store, request: asked, keyId, label, via, clientKey, check, guest } = incoming;
      const { storeKey, timezone } = store;
      const request = guest === undefined || check === undefined ? asked : guest.write(asked, check.priced);
      const lines = readLines(request.items);
      const arrival = {
        storeKey,
        timezone,
        id: orderIds(storeKey),
        at: Date.now(),
        readyBy: check?.readyBy,
        place: guest?.place,
        label,
        asked,
        lines,
      };
      const arrived = newOrder(request, arrival);
      const isAccepted = arrived.status === 'PENDING' && store.accept?.auto === true;
      const order: NewOrder = isAccepted ? { ...arrived, status: 'ACCEPTED' } : arrived;
      const event = orderCreated({ ...order, revision: 1 }, { keyId, at: order.arrivedAt, via });
      const checked = check && { menuVersion: check.version, keyId, lineTotals: lineTotals(check.priced) };
      const portions = await findPortions(store, lines, order.status);
      const made = await insert(store, {
        request,
        order,
        event,
        clientKey,
        checked,
        place: check?.place ?? (await findPlace(store, lines)),
        portions,
        keyId,
        ...attentionOf({ ...order, arrivedMs: arrival.at }, store, check?.place.search !== undefined),
        guest,
      });
      if (made !== undefined) return { id: order.id, json: made.json, status: 201, made: made.order };
      const own = db.forTenant(store);
      const sent = {
        externalId: order.externalId,
        fingerprint: order.fingerprint,
        clientKey,
        at: arrival.at,
      };
      // Where the statement ran twice because its connection was lost, the first run had made the order.
      return (
        (await findEarlier(own, storeKey, sent, order.id)) ?? {
          id: order.id,
          json: await readMade(own, storeKey, order.id),
          status: 201,
        }
      );
    },
    /** The order that came before under the same key or external_id, if there is one; with a different body it is refused. */
    async findRepeated({ store, request, clientKey }: IncomingOrder): Promise<OrderTakenIn | undefined> {
      const { external_id: externalId } = request;
      if (externalId === undefined && clientKey === undefined) return undefined;
      const sent = { externalId, fingerprint: fingerprintOf(request), clientKey, at: Date.now() };
      return findEarlier(db.forTenant(store), store.storeKey, sent);
    },
  };
}

/** When the clock must look at an order. One that is given its time may be late only from then on, whenever that is. */
function attentionOf(order: WatchedOrder, store: RequestedStore, isGivenTime: boolean) {
  const stated = attentionAt(order, store);
  if (!isGivenTime) return { attentionAt: stated };
  const others = attentionAt({ ...order, readyBy: new Date(LATEST_MS).toISOString() }, store);
  return { attentionAt: others, mayBeLate: others !== stated };
}

/** Price and tax of each line, with which a change of the order begins. */
function lineTotals({ lines }: PricedOrder): string {
  return JSON.stringify(lines.map(({ totalPrice, totalTax }) => [totalPrice, totalTax]));
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
  counterShard: number,
  batch: readonly TakenOrder[],
): Promise<InsertedOrders> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await insertOrders(db, storeKey, counterShard, batch);
    } catch (error) {
      if (errorCode(error) !== '23505' || attempt === ATTEMPTS) throw error;
    }
  }
}
