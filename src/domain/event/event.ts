import type { StockedKind } from '../menu/kinds.js';
import type { OrderStatus } from '../order/status.js';
import { newUuidV7 } from '../uuid.js';
import { encodeCursor } from './cursor.js';

/** What has happened in a store: how an event is made, and the text in which it goes out. */

export const EVENT_TYPES = [
  'order.created',
  'order.status_changed',
  'order.updated',
  'orders.imported',
  'menu.published',
  'menu.stock_changed',
  'store.updated',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event of a store before it has its number. */
export interface NewEvent {
  /** A UUIDv7, without the `evt_` that it is shown with. */
  readonly id: string;
  readonly type: EventType;
  /** RFC 3339 in UTC. */
  readonly at: string;
  /** JSON text. */
  readonly data: string;
}

export interface StoredEvent extends NewEvent {
  readonly sequence: number;
}

/** Tells that events of a store are committed, and the number of the last. */
export type TellEvents = (storeKey: number, lastSequence: number) => void;

/** Who made a change, and when; RFC 3339. */
export interface Act {
  readonly keyId: string;
  readonly at: string;
}

/** What every event of an order tells: enough to act on, and nothing about the person who ordered. */
export interface ToldOrder {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly revision: number;
  readonly status: OrderStatus;
  readonly price: number;
  readonly tax: number;
  readonly readyBy: string;
}

export function orderCreated(order: ToldOrder, act: Act): NewEvent {
  return event('order.created', act, orderData(order, {}));
}

export function orderChanged(
  order: ToldOrder,
  { previousStatus, fields }: { readonly previousStatus: OrderStatus; readonly fields: readonly string[] },
  act: Act,
): NewEvent {
  return order.status === previousStatus
    ? event('order.updated', act, orderData(order, { changed: fields }))
    : event(
        'order.status_changed',
        act,
        orderData(order, { previous_status: previousStatus, changed: fields }),
      );
}

export function ordersImported(created: number, act: Act): NewEvent {
  return event('orders.imported', act, { created });
}

export function menuPublished(version: number, restoredFrom: number | undefined, act: Act): NewEvent {
  return event('menu.published', act, { version, restored_from: restoredFrom });
}

export function stockChanged(
  marked: { readonly kind: StockedKind; readonly externalId: string; readonly inStock: boolean },
  act: Act,
): NewEvent {
  const { kind, externalId, inStock } = marked;
  return event('menu.stock_changed', act, { kind, external_id: externalId, in_stock: inStock });
}

export function storeUpdated(changed: readonly string[], act: Act): NewEvent {
  return event('store.updated', act, { changed });
}

function orderData(order: ToldOrder, change: object): object {
  return {
    order_id: order.id,
    external_id: order.externalId,
    revision: order.revision,
    status: order.status,
    ...change,
    price: order.price,
    tax: order.tax,
    ready_by: order.readyBy,
  };
}

/** What is undefined is left out. */
function event(type: EventType, { keyId, at }: Act, data: object): NewEvent {
  return { id: newUuidV7(), type, at, data: JSON.stringify({ ...data, key_id: keyId }) };
}

/** The store that an event belongs to, and what its cursor is made with. */
export interface EventPlace {
  readonly storeId: string;
  readonly storeKey: number;
  readonly epoch: string;
}

/** The id of an event as everyone but the database knows it. */
export function shownEventId(id: string): string {
  return `evt_${id}`;
}

/** The cursor that leads on from the event, in the feed of its store. */
export function cursorBehind({ sequence }: StoredEvent, { storeKey, epoch }: EventPlace): string {
  return encodeCursor({ of: 'store', epoch, storeKey, sequence });
}

/** The event as JSON, as feed, stream and webhooks send it; `order` is the JSON of the order that it is about. */
export function eventText(
  { id, type, at, sequence, data }: StoredEvent,
  { storeId, cursor }: { readonly storeId: string; readonly cursor: string },
  order?: string,
): string {
  const whole = order === undefined ? data : `${data.slice(0, -1)},"order":${order}}`;
  return `{"id":"${shownEventId(id)}","type":"${type}","timestamp":"${at}","store_id":"${storeId}","sequence":${sequence},"cursor":"${cursor}","data":${whole}}`;
}
