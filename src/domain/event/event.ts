import { encodeCursor } from './cursor.js';

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
