export type EventType =
  | 'order.created'
  | 'order.status_changed'
  | 'order.updated'
  | 'orders.imported'
  | 'menu.published'
  | 'menu.stock_changed'
  | 'store.updated';

/** An event of a store before it has its number. */
interface NewEvent {
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
