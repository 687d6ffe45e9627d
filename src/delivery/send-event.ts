import type { Database } from '../db/database.js';
import { readManagedTexts } from '../db/orders/read-orders.js';
import {
  cursorBehind,
  eventText,
  shownEventId,
  type EventPlace,
  type StoredEvent,
} from '../domain/event/event.js';
import type { Endpoint } from '../domain/webhook/endpoint.js';
import type { SendOutcome } from '../domain/webhook/send-outcome.js';
import { signMessage } from '../domain/webhook/signature.js';
import type { Sender, SendRequest } from './http-sender.js';

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
): Promise<SendOutcome> {
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

interface Message {
  readonly url: string;
  /** The id of the event, the same in every attempt. */
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** The request that brings a message, as Standard Webhooks wants it, signed for this moment. */
export function signRequest(
  { url, id, body, secrets }: Message,
  userAgent: string,
  now: number,
): SendRequest {
  const timestamp = Math.floor(now / 1_000);
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage(secrets, { id, timestamp, body }),
    },
  };
}
