import type { Order } from './generated/types.js';

/** What every event has around its data. */
interface Envelope<Type extends string, Data> {
  /** The same in the feed, in the stream and in every delivery. */
  readonly id: string;
  readonly type: Type;
  readonly timestamp: string;
  readonly store_id: string;
  /** Counts from 1 per store, without gaps. */
  readonly sequence: number;
  /** Where to go on after this event. */
  readonly cursor: string;
  readonly data: Data;
}

interface OrderData {
  readonly order_id: string;
  readonly external_id?: string;
  readonly revision: number;
  readonly status: Order['status'];
  readonly price: number;
  readonly tax: number;
  readonly ready_by: string;
  readonly key_id: string;
  /** As it was when the event was sent, where the order was asked for; it may be newer than the event. */
  readonly order?: Order & {
    readonly external_id?: string;
    readonly revision: number;
    readonly updated_at: string;
  };
}

/** An event of a store; its `type` tells what its `data` holds. */
export type StoreEvent =
  | Envelope<'order.created', OrderData>
  | Envelope<
      'order.status_changed',
      OrderData & { readonly previous_status: Order['status']; readonly changed: readonly string[] }
    >
  | Envelope<'order.updated', OrderData & { readonly changed: readonly string[] }>
  | Envelope<'orders.imported', { readonly created: number; readonly key_id: string }>
  | Envelope<
      'menu.published',
      { readonly version: number; readonly restored_from?: number; readonly key_id: string }
    >
  | Envelope<
      'menu.stock_changed',
      {
        readonly kind: 'item' | 'modifier_item';
        readonly external_id: string;
        readonly in_stock: boolean;
        readonly key_id: string;
      }
    >
  | Envelope<'store.updated', { readonly changed: readonly string[]; readonly key_id: string }>;

export type StoreEventType = StoreEvent['type'];

/** What a webhook brings: an event, or the trial that someone asked for, which is of no store. */
export type WebhookEvent =
  | StoreEvent
  | {
      readonly id: string;
      readonly type: 'webhook.test';
      readonly timestamp: string;
      readonly data: Readonly<Record<string, unknown>>;
    };
