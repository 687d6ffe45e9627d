import type { Database } from '../postgres/database.js';
import { readEpoch, readEvents } from '../events/events.sql.js';
import { readManagedOrders } from '../orders/read.sql.js';
import { recordProgress, type DeliveryRecord } from './claims.sql.js';
import { findDeadLetter } from './deliveries.sql.js';
import { Conflict, NotFound, requireFound } from '../support/errors.js';
import {
  cursorBehind,
  eventText,
  orderIdOf,
  shownEventId,
  type EventPlace,
  type StoredEvent,
} from '../events/event.js';
import { newUuidV7 } from '../support/uuid.js';
import { openSecrets, signMessage, type SecretKeeper } from './secrets.js';
import type { Endpoint, SendOutcome } from './shapes.js';
import type { Sender } from './http-sender.js';

export interface EventSending {
  readonly db: Database;
  readonly sender: Sender;
  readonly userAgent: string;
}

/** Sends the event to the endpoint, with the order as it is now where the endpoint wants it. */
export async function sendEvent(
  sending: EventSending,
  event: StoredEvent,
  to: EventPlace & Receiver,
): Promise<SendOutcome> {
  const { db } = sending;
  const order = to.endpoint.include_order ? await readOrderOf(db, event, to.storeKey) : undefined;
  const body = eventText(event, { storeId: to.storeId, cursor: cursorBehind(event, to) }, order);
  const outcome = await sendSigned(sending, to, { id: shownEventId(event.id), body });
  const { response, ...rest } = outcome;
  if (order === undefined || response === undefined) return outcome;
  // The response may repeat a customer who has been erased meanwhile.
  return (await readOrderOf(db, event, to.storeKey)) === order ? outcome : rest;
}

async function readOrderOf(db: Database, event: StoredEvent, storeKey: number): Promise<string | undefined> {
  const id = orderIdOf(event);
  return id === undefined ? undefined : (await readManagedOrders(db, storeKey, [id])).get(id);
}

interface Receiver {
  readonly endpoint: Endpoint;
  readonly secrets: readonly string[];
}

/** Sends a message as Standard Webhooks wants it, signed for this moment. `id` is that of the event, equal in every attempt. */
function sendSigned(
  { sender, userAgent }: EventSending,
  { endpoint, secrets }: Receiver,
  { id, body }: { readonly id: string; readonly body: string },
): Promise<SendOutcome> {
  const timestamp = Math.floor(Date.now() / 1_000);
  return sender.send({
    url: endpoint.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage(secrets, { id, timestamp, body }),
    },
  });
}

export type ImmediateSends = ReturnType<typeof createImmediateSends>;

/** Sends at once what someone asks for, outside every sequence, and tells what came of it. */
export function createImmediateSends(sending: EventSending, keeper: SecretKeeper) {
  const { db } = sending;

  /** Records what came of it. */
  async function sendNow(
    endpoint: Endpoint,
    send: (secrets: string[], at: Date) => Promise<Sent>,
  ): Promise<SendOutcome> {
    const at = new Date();
    const { outcome, ...event } = await send(await openWith(keeper, endpoint), at);
    const id = newUuidV7(at.getTime());
    const attempt = { webhookId: endpoint.id, id, attempt: 1, at, ...event, ...outcome };
    await recordProgress(db, new Map(), [attempt], 0);
    return outcome;
  }

  return {
    /** An event that tells nothing but that it arrives. */
    sendTest: (endpoint: Endpoint) =>
      sendNow(endpoint, async (secrets, at) => {
        const eventId = newUuidV7(at.getTime());
        const [id, type] = [shownEventId(eventId), 'webhook.test'];
        const body = JSON.stringify({ id, type, timestamp: at, data: { webhook_id: endpoint.id } });
        return { eventId, type, outcome: await sendSigned(sending, { endpoint, secrets }, { id, body }) };
      }),

    /** An event that the receiver has refused before; once it is taken it is no longer a dead letter. */
    sendDeadLetter: (endpoint: Endpoint, eventId: string) =>
      sendNow(endpoint, async (secrets) => {
        const deadLetter = requireFound(await findDeadLetter(db, endpoint.id, eventId), 'Parked event');
        const { storeKey, sequence } = deadLetter;
        const [event] = await readEvents(db, storeKey, sequence - 1, 1);
        if (event?.sequence !== sequence) throw new NotFound('Parked event');
        const to = { endpoint, secrets, ...deadLetter, epoch: await readEpoch(db) };
        const outcome = await sendEvent(sending, event, to);
        return { eventId, type: event.type, storeKey, sequence, outcome };
      }),
  };
}

type Sent = Pick<DeliveryRecord, 'eventId' | 'type' | 'storeKey' | 'sequence'> & {
  readonly outcome: SendOutcome;
};

async function openWith(keeper: SecretKeeper, endpoint: Endpoint): Promise<string[]> {
  const box = await keeper.present();
  if (box?.id !== endpoint.sealed_with)
    throw new Conflict(
      'The secret of this webhook cannot be decrypted with the key of this installation. Rotate it.',
    );
  return openSecrets(box, endpoint);
}
