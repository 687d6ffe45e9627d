import type { Database } from '../db/database.js';
import { readEpoch, readEvents } from '../db/events.js';
import { findParked } from '../db/webhooks/deliveries.js';
import { recordProgress, type DeliveryRecord } from '../db/webhooks/record-progress.js';
import { Conflict, NotFound, TooManyRequests } from '../domain/errors.js';
import { shownEventId } from '../domain/event/event.js';
import { newUuidV7 } from '../domain/uuid.js';
import type { Endpoint } from '../domain/webhook/endpoint.js';
import { openSecrets, type SecretKeeper } from '../domain/webhook/secret-box.js';
import type { SendOutcome, ImmediateSends } from '../domain/webhook/send-outcome.js';
import { sendEvent, signRequest } from './send-event.js';
import type { Sender } from './http-sender.js';

export interface ImmediateSendsOptions {
  readonly db: Database;
  readonly sender: Sender;
  readonly secrets: SecretKeeper;
  readonly userAgent: string;
}

/** Someone waits for each of them, and receivers may take their time. */
const AT_ONCE = 10;

export function createImmediateSends({
  db,
  sender,
  secrets,
  userAgent,
}: ImmediateSendsOptions): ImmediateSends {
  const underWay = new Set<string>();

  /** One at a time for each endpoint. */
  async function inTurn<T>(endpoint: Endpoint, work: (secrets: string[]) => Promise<T>): Promise<T> {
    if (underWay.has(endpoint.id) || underWay.size >= AT_ONCE) throw new TooManyRequests(1);
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
        await keep(
          db,
          { eventId, type: 'webhook.test', storeKey: undefined, sequence: undefined },
          { endpoint, at, outcome },
        );
        return outcome;
      }),

    sendParked: (endpoint, eventId) =>
      inTurn(endpoint, async (opened) => {
        const parked = await findParked(db, endpoint.id, eventId);
        if (parked === undefined) throw new NotFound('Parked event');
        const { storeKey, storeId, sequence } = parked;
        const [event] = await readEvents(db, storeKey, sequence - 1, 1);
        if (event?.sequence !== sequence) throw new NotFound('Parked event');
        const at = new Date();
        const to = { endpoint, secrets: opened, storeKey, storeId, epoch: await readEpoch(db) };
        const outcome = await sendEvent({ db, sender, userAgent }, event, to);
        await keep(db, { eventId, type: event.type, storeKey, sequence }, { endpoint, at, outcome });
        return outcome;
      }),
  };
}

async function openWith(secrets: SecretKeeper, endpoint: Endpoint): Promise<string[]> {
  const box = await secrets.present();
  if (box?.id !== endpoint.secrets.sealedWith)
    throw new Conflict(
      'The secret of this webhook cannot be opened with the key of this installation; rotate it',
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

async function keep(
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
  const record = { ...event, webhookId: endpoint.id, id, attempt: 1, at: at.toISOString() };
  await recordProgress(db, [], [{ ...record, status, error, latencyMs, response, isParked: false }], 0);
}
