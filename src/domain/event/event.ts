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
