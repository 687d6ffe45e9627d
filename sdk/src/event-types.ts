import type { EventData, FeedEvent } from './generated/types.js';

/** Those members of the data of an event that its type brings always, and those that it may bring. */
type Data<Always extends keyof EventData, Maybe extends keyof EventData = never> = {
  readonly [Name in Always]-?: Exclude<EventData[Name], undefined | null>;
} & { readonly [Name in Maybe]?: Exclude<EventData[Name], undefined> };

type OrderMembers = 'order_id' | 'revision' | 'status' | 'price' | 'tax' | 'ready_by' | 'key_id';
/** `order` comes where it was asked for, as it was when the event was sent: it may be newer than the event. */
type MaybeOfOrder = 'external_id' | 'number' | 'order' | 'reason' | 'reason_text' | 'via';

type ByKeyOrClock<Rest> = Rest & { readonly key_id: string | null };

interface DataOfType {
  'order.created': Data<OrderMembers, MaybeOfOrder>;
  /** Without a key where the service rejects by the clock what nobody accepted. */
  'order.status_changed': ByKeyOrClock<
    Data<Exclude<OrderMembers, 'key_id'> | 'previous_status' | 'changed', MaybeOfOrder | 'difference'>
  >;
  'order.updated': Data<OrderMembers | 'changed', MaybeOfOrder | 'difference'>;
  'order.attention': Data<Exclude<OrderMembers, 'key_id'>, 'external_id' | 'number' | 'place' | 'order'> & {
    readonly reason: 'not_accepted' | 'not_in_pos' | 'late';
    readonly key_id: null;
  };
  'orders.imported': Data<'created' | 'key_id'>;
  'menu.published': Data<'version' | 'key_id', 'restored_from' | 'publication_id'>;
  'menu.publication_refused': Data<'publication_id' | 'result' | 'key_id', 'detail'>;
  /** Without a key where the service lifts by the clock what was sold out until a moment. */
  'menu.stock_changed': ByKeyOrClock<Data<'kind' | 'external_id' | 'in_stock', 'left' | 'until'>>;
  'store.updated': Data<'changed' | 'key_id'>;
  'store.intake_changed': Data<'changed' | 'state' | 'key_id', 'until'>;
  /** Never by a key: printers tell it themselves, or have fallen silent. */
  'printer.trouble': Data<'printer_id' | 'trouble' | 'behind'> & { readonly key_id: null };
  'printer.recovered': Data<'printer_id' | 'behind'> & { readonly key_id: null };
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
