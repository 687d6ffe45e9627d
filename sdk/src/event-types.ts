import type { EventData, FeedEvent } from './generated/types.js';

/** Those members of the data of an event that its type brings always, and those that it may bring. */
type Data<Always extends keyof EventData, Maybe extends keyof EventData = never> = {
  readonly [Name in Always]-?: Exclude<EventData[Name], undefined>;
} & { readonly [Name in Maybe]?: Exclude<EventData[Name], undefined> };

type OrderMembers = 'order_id' | 'revision' | 'status' | 'price' | 'tax' | 'ready_by' | 'key_id';
/** `order` comes where it was asked for, as it was when the event was sent: it may be newer than the event. */
type MaybeOfOrder = 'external_id' | 'order';

interface DataOfType {
  'order.created': Data<OrderMembers, MaybeOfOrder>;
  'order.status_changed': Data<OrderMembers | 'previous_status' | 'changed', MaybeOfOrder>;
  'order.updated': Data<OrderMembers | 'changed', MaybeOfOrder>;
  'orders.imported': Data<'created' | 'key_id'>;
  'menu.published': Data<'version' | 'key_id', 'restored_from'>;
  'menu.stock_changed': Data<'kind' | 'external_id' | 'in_stock' | 'key_id'>;
  'store.updated': Data<'changed' | 'key_id'>;
}

export type StoreEventType = FeedEvent['type'];

type EventOf<Type extends StoreEventType> = Readonly<Omit<FeedEvent, 'type' | 'data'>> & {
  readonly type: Type;
  readonly data: DataOfType[Type];
};

/** An event of a store; its `type` tells what its `data` holds. */
export type StoreEvent = { [Type in StoreEventType]: EventOf<Type> }[StoreEventType];

/** What a webhook brings: an event, or the trial that someone asked for, which is of no store. */
export type WebhookEvent =
  | StoreEvent
  | {
      readonly id: string;
      readonly type: 'webhook.test';
      readonly timestamp: string;
      readonly data: Readonly<Record<string, unknown>>;
    };
