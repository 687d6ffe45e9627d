import type { Database } from '../postgres/database.js';
import { readEpoch, readEvents } from '../events/events.sql.js';
import { readManagedPage } from '../orders/read.sql.js';
import { recordProgress, type DeliveryRecord } from './claims.sql.js';
import { findDeadLetter } from './deliveries.sql.js';
import { Conflict, NotFound, TooManyRequests } from '../support/errors.js';
import { cursorBehind, eventText, shownEventId, type EventPlace, type StoredEvent } from '../events/event.js';
import { newUuidV7 } from '../support/uuid.js';
import { openSecrets, signMessage, type SecretKeeper } from './secrets.js';
import type { Endpoint, ImmediateSends, SendOutcome } from './shapes.js';
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
  const outcome = await sender.send(signRequest(message, userAgent, Date.now()));
  const { response, ...rest } = outcome;
  if (order === undefined || response === undefined) return outcome;
  // The response may repeat a customer who has been erased meanwhile.
  return (await readOrderOf(db, event, to.storeKey)) === order ? outcome : rest;
}

async function readOrderOf(db: Database, event: StoredEvent, storeKey: number): Promise<string | undefined> {
  if (!event.type.startsWith('order.')) return undefined;
  const { order_id: id } = JSON.parse(event.data) as { order_id: string };
  return (await readManagedPage(db, storeKey, [id])).get(id);
}

interface Message {
  readonly url: string;
  /** The event id, equal in every attempt. */
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** The request that brings a message, as Standard Webhooks wants it, signed for this moment. */
function signRequest({ url, id, body, secrets }: Message, userAgent: string, now: number): SendRequest {
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

export interface ImmediateSendsOptions extends EventSending {
  readonly secrets: SecretKeeper;
}

/** Someone waits for each of them, and receivers may be slow. */
const MAX_IMMEDIATE = 10;

export function createImmediateSends({
  db,
  sender,
  secrets,
  userAgent,
}: ImmediateSendsOptions): ImmediateSends {
  const underWay = new Set<string>();

  /** One at a time for each endpoint. */
  async function inTurn<T>(endpoint: Endpoint, work: (secrets: string[]) => Promise<T>): Promise<T> {
    if (underWay.has(endpoint.id) || underWay.size >= MAX_IMMEDIATE) throw new TooManyRequests(1);
    underWay.add(endpoint.id);
    try {
      return await work(await openWith(secrets, endpoint));
    } finally {
      underWay.delete(endpoint.id);
    }
  }

  return {
    sendTest: (endpoint) =>
      inTurn(endpoint, async (opened) => {
        const at = new Date();
        const eventId = newUuidV7(at.getTime());
        const body = testText(eventId, at, endpoint);
        const message = { url: endpoint.url, id: shownEventId(eventId), body, secrets: opened };
        const outcome = await sender.send(signRequest(message, userAgent, at.getTime()));
        await record(
          db,
          { eventId, type: 'webhook.test', storeKey: undefined, sequence: undefined },
          { endpoint, at, outcome },
        );
        return outcome;
      }),

    sendDeadLetter: (endpoint, eventId) =>
      inTurn(endpoint, async (opened) => {
        const deadLetter = await findDeadLetter(db, endpoint.id, eventId);
        if (deadLetter === undefined) throw new NotFound('Parked event');
        const { storeKey, storeId, sequence } = deadLetter;
        const [event] = await readEvents(db, storeKey, sequence - 1, 1);
        if (event?.sequence !== sequence) throw new NotFound('Parked event');
        const at = new Date();
        const to = { endpoint, secrets: opened, storeKey, storeId, epoch: await readEpoch(db) };
        const outcome = await sendEvent({ db, sender, userAgent }, event, to);
        await record(db, { eventId, type: event.type, storeKey, sequence }, { endpoint, at, outcome });
        return outcome;
      }),
  };
}

async function openWith(secrets: SecretKeeper, endpoint: Endpoint): Promise<string[]> {
  const box = await secrets.present();
  if (box?.id !== endpoint.secrets.sealedWith)
    throw new Conflict(
      'The secret of this webhook cannot be decrypted with the key of this installation. Rotate it.',
    );
  return openSecrets(box, endpoint.id, endpoint.secrets);
}

function testText(eventId: string, at: Date, { id }: Endpoint): string {
  return JSON.stringify({
    id: shownEventId(eventId),
    type: 'webhook.test',
    timestamp: at.toISOString(),
    data: { webhook_id: id },
  });
}

async function record(
  db: Database,
  event: Pick<DeliveryRecord, 'eventId' | 'type' | 'storeKey' | 'sequence'>,
  {
    endpoint,
    at,
    outcome,
  }: { readonly endpoint: Endpoint; readonly at: Date; readonly outcome: SendOutcome },
): Promise<void> {
  const { status, error, latencyMs, response } = outcome;
  const id = newUuidV7(at.getTime());
  const attempt = { ...event, webhookId: endpoint.id, id, attempt: 1, at: at.toISOString() };
  await recordProgress(
    db,
    [],
    [{ ...attempt, status, error, latencyMs, response, isDeadLettered: false }],
    0,
  );
}
