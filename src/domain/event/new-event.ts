import type { StockedKind } from '../menu/kinds.js';
import type { OrderStatus } from '../order/status.js';
import { newUuidV7 } from '../uuid.js';
import type { EventType, NewEvent } from './event.js';

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
