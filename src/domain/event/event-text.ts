import { encodeCursor } from './cursor.js';
import type { StoredEvent } from './event.js';

/** Where an event is of. */
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

/** The event as JSON, as it goes out on every way; `order` is the JSON of the order that it is about. */
export function eventText(
  { id, type, at, sequence, data }: StoredEvent,
  { storeId, cursor }: { readonly storeId: string; readonly cursor: string },
  order?: string,
): string {
  const whole = order === undefined ? data : `${data.slice(0, -1)},"order":${order}}`;
  return `{"id":"${shownEventId(id)}","type":"${type}","timestamp":"${at}","store_id":"${storeId}","sequence":${sequence},"cursor":"${cursor}","data":${whole}}`;
}
