import { newEvent, type Act, type NewEvent } from '../events/event.js';
import type { Place } from '../access/principal.js';
import type { AttentionReason } from './attention/attention-clock.js';
import type { OrderStatus } from './status.js';

export const ORDER_EVENT_TYPES = [
  'order.created',
  'order.status_changed',
  'order.updated',
  'order.attention',
  'orders.imported',
] as const;

/** What every event of an order tells: enough to act on, and nothing about the person who ordered. */
export interface EventOrder {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly revision: number;
  readonly status: OrderStatus;
  readonly price: number;
  readonly tax: number;
  readonly readyBy: string;
  readonly reason?: string | undefined;
  readonly reasonText?: string | undefined;
  readonly place?: Place | undefined;
  readonly number?: number | undefined;
}

export function orderCreated(order: EventOrder, act: Act): NewEvent {
  return newEvent('order.created', act, orderData(order, {}));
}

interface EventChange {
  readonly previousStatus: OrderStatus;
  readonly changed: readonly string[];
  /** By how much the total has changed. */
  readonly difference?: { readonly price: number; readonly tax: number } | undefined;
}

export function orderChanged(
  order: EventOrder,
  { previousStatus, ...change }: EventChange,
  act: Act,
): NewEvent {
  return order.status === previousStatus
    ? newEvent('order.updated', act, orderData(order, change))
    : newEvent('order.status_changed', act, orderData(order, { previous_status: previousStatus, ...change }));
}

export function orderAttention(order: EventOrder, reason: AttentionReason, act: Act): NewEvent {
  return newEvent('order.attention', act, { ...orderData(order, {}), reason });
}

export function ordersImported(created: number, act: Act): NewEvent {
  return newEvent('orders.imported', act, { created });
}

function orderData(order: EventOrder, change: object): object {
  return {
    // First, because statements look for it there.
    order_id: order.id,
    number: order.number,
    external_id: order.externalId,
    revision: order.revision,
    status: order.status,
    ...change,
    price: order.price,
    tax: order.tax,
    ready_by: order.readyBy,
    reason: order.reason,
    reason_text: order.reasonText,
    place: order.place,
  };
}
