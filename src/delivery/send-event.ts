import type { Database } from '../db/database.js';
import { readManagedTexts } from '../db/orders/read-orders.js';
import { cursorBehind, eventText, shownEventId, type EventPlace } from '../domain/event/event-text.js';
import type { StoredEvent } from '../domain/event/event.js';
import type { Endpoint } from '../domain/webhook/endpoint.js';
import type { Sent } from '../domain/webhook/sending.js';
import { signRequest } from './sign-request.js';
import type { Sender } from './send.js';

export interface EventSending {
  readonly db: Database;
  readonly sender: Sender;
  readonly userAgent: string;
}

/** Sends the event to the endpoint, with the order as it is now where the endpoint wants it. */
export async function sendEvent(
  { db, sender, userAgent }: EventSending,
  event: StoredEvent,
  to: EventPlace & { readonly endpoint: Endpoint; readonly secrets: readonly string[] },
): Promise<Sent> {
  const { endpoint, secrets } = to;
  const order = endpoint.includeOrder ? await readOrderOf(db, event, to.storeKey) : undefined;
  const message = {
    url: endpoint.url,
    id: shownEventId(event.id),
    body: eventText(event, { storeId: to.storeId, cursor: cursorBehind(event, to) }, order),
    secrets,
  };
  return sender.send(signRequest(message, userAgent, Date.now()));
}

async function readOrderOf(db: Database, event: StoredEvent, storeKey: number): Promise<string | undefined> {
  if (!event.type.startsWith('order.')) return undefined;
  const { order_id: id } = JSON.parse(event.data) as { order_id: string };
  return (await readManagedTexts(db, storeKey, [id])).get(id);
}
