import { newUuidV7 } from '../support/uuid.js';
import { encodeCursor } from './cursor.js';

/** How events are created and rendered. Each room defines its own types. */

/** An event before it has its sequence number. */
export interface NewEvent {
  /** A UUIDv7, without the `evt_` prefix. */
  readonly id: string;
  readonly type: string;
  /** RFC 3339 in UTC. */
  readonly at: string;
  /** JSON text. */
  readonly data: string;
}

export interface StoredEvent extends NewEvent {
  readonly sequence: number;
}

/** Who made a change, and when; RFC 3339. */
export interface Act {
  /** null for what the service does by the clock. */
  readonly keyId: string | null;
  readonly at: string;
  readonly via?: 'mcp' | undefined;
}

/** Creates an event; undefined members of `data` are dropped. */
export function newEvent(type: string, { keyId, at, via }: Act, data: object): NewEvent {
  return { id: newUuidV7(), type, at, data: JSON.stringify({ ...data, key_id: keyId, via }) };
}

/** The store of an event, and what its cursor is built from. */
export interface EventPlace {
  readonly storeId: string;
  readonly storeKey: number;
  readonly epoch: string;
}

/** The public id of an event. */
export function shownEventId(id: string): string {
  return `evt_${id}`;
}

/** The id of the order that an event is about, if any. */
export function orderIdOf({ type, data }: StoredEvent): string | undefined {
  return type.startsWith('order.') ? (JSON.parse(data) as { order_id: string }).order_id : undefined;
}

/** The cursor that continues after the event, in the feed of its store. */
export function cursorBehind({ sequence }: StoredEvent, { storeKey, epoch }: EventPlace): string {
  return encodeCursor({ of: 'store', epoch, storeKey, sequence });
}

/** The JSON of an event in feed, stream and webhooks; `order` is the JSON of its order. */
export function eventText(
  { id, type, at, sequence, data }: StoredEvent,
  { storeId, cursor }: { readonly storeId: string; readonly cursor: string },
  order?: string,
): string {
  const whole = order === undefined ? data : `${data.slice(0, -1)},"order":${order}}`;
  return `{"id":"${shownEventId(id)}","type":"${type}","timestamp":"${at}","store_id":"${storeId}","sequence":${sequence},"cursor":"${cursor}","data":${whole}}`;
}
