import type { Logger } from 'pino';
import type { Database } from '../db/database.js';
import { readEvents } from '../db/events.js';
import { findKeyAndSuccessors } from '../db/keys.js';
import { disableEndpoint } from '../db/webhooks/endpoints.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import type { StoredEvent } from '../domain/event/event.js';
import type { DisabledReason, Endpoint } from '../domain/webhook/endpoint.js';
import { isGivenUp, judge, type Verdict } from '../domain/webhook/retries.js';
import { openSecrets, type SecretBox } from '../domain/webhook/secret-box.js';
import type { SendOutcome } from '../domain/webhook/send-outcome.js';
import { passEvent, type Lane } from './lane.js';
import type { DeliveryMetrics } from './metrics.js';
import type { ProgressWriter } from './progress-writer.js';
import { sendEvent, type EventSending } from './send-event.js';

export interface LaneContext extends EventSending {
  readonly box: SecretBox;
  readonly progress: ProgressWriter;
  readonly metrics: DeliveryMetrics;
  readonly log: Logger;
  readonly newDeliveryId: (storeKey: number) => string;
  readonly isStopping: () => boolean;
}

const READ_AT_ONCE = 100;
/** After this time a lane makes room for another, whatever it has left to send. */
const TURN_MS = 5_000;
/** No request is begun that could outlast the lease. */
const SEND_MS = 16_000;
/** Whatever is wrong on our side is not tried again at once. */
const AFTER_FAULT_MS = 10_000;

/** Sends what there is, in order, until there is no more, one fails, or the turn is over; then gives the lease back. */
export async function runLane(lane: Lane, context: LaneContext): Promise<void> {
  const { progress, log, isStopping, db } = context;
  const { due } = lane;
  const turnEnds = performance.now() + TURN_MS;
  let earlier: Promise<void> = Promise.resolve();
  try {
    const wants = await createFilter(db, due.endpoint);
    const to = { ...due, secrets: openSecrets(context.box, due.endpoint.id, due.endpoint.secrets) };
    do {
      const events = await readEvents(db, due.storeKey, lane.position, READ_AT_ONCE);
      for (const event of events) {
        if (!wants(event)) {
          passEvent(lane, event.sequence);
          continue;
        }
        if (isStopping() || !(await mayBegin(lane, progress))) return;
        const at = Date.now();
        const outcome = await sendEvent(context, event, to);
        if (!(await conclude(lane, event, { at, outcome }, context))) return;
      }
      lane.isDone = events.length < READ_AT_ONCE;
      if (lane.isDone) return;
      // One batch may be on its way to the database while the next is sent, and no more.
      await earlier;
      earlier = progress.settle(lane);
    } while (performance.now() < turnEnds);
  } catch (error) {
    lane.waitMs = AFTER_FAULT_MS;
    if (!(error instanceof DatabaseUnavailable))
      log.error({ err: error, webhook_id: due.endpoint.id }, 'Events could not be sent to a webhook');
  } finally {
    await earlier;
    await progress.release(lane);
  }
}

/** False when the lease is lost; one that is about to end is renewed first. */
async function mayBegin(lane: Lane, progress: ProgressWriter): Promise<boolean> {
  if (lane.holdsLease && lane.leaseEnds - performance.now() < SEND_MS) await progress.settle(lane);
  return lane.holdsLease && lane.leaseEnds - performance.now() >= SEND_MS;
}

/** Notes what came of an attempt; false when the lane cannot go on to the next event. */
async function conclude(
  lane: Lane,
  event: StoredEvent,
  { at, outcome }: { readonly at: number; readonly outcome: SendOutcome },
  context: LaneContext,
): Promise<boolean> {
  const { progress, metrics } = context;
  const { endpoint, storeKey, failingSince } = lane.due;
  const attempt = lane.trouble.attempts + 1;
  const { status, retryAfterMs } = outcome;
  const verdict = judge({ status, retryAfterMs }, lane.trouble, Date.now(), Math.random());
  if (verdict.is === 'delivered' || verdict.is === 'parked') passEvent(lane, event.sequence);
  if (verdict.is === 'to be tried again') {
    lane.trouble = verdict.trouble;
    lane.waitMs = verdict.waitMs;
  }
  progress.note(lane, {
    webhookId: endpoint.id,
    id: context.newDeliveryId(storeKey),
    eventId: event.id,
    type: event.type,
    storeKey,
    sequence: event.sequence,
    attempt,
    at: new Date(at).toISOString(),
    status,
    error: outcome.error,
    latencyMs: outcome.latencyMs,
    response: outcome.response,
    isParked: verdict.is === 'parked',
  });
  metrics.count(outcome.error === undefined ? 'delivered' : 'failed');
  tellOperator(endpoint, verdict, outcome, context);
  if (verdict.is === 'gone') await disable(endpoint, 'gone', undefined, context);
  if (
    verdict.is === 'to be tried again' &&
    failingSince !== undefined &&
    isGivenUp(verdict.trouble, failingSince.getTime(), Date.now())
  )
    await disable(endpoint, 'failing', failingSince, context);
  return verdict.is === 'delivered' || verdict.is === 'parked';
}

function tellOperator(
  endpoint: Endpoint,
  verdict: Verdict,
  outcome: SendOutcome,
  { log, metrics }: LaneContext,
): void {
  const about = { webhook_id: endpoint.id, merchant_id: endpoint.merchantId };
  if (outcome.error === 'address_not_allowed')
    log.warn(about, `A webhook was not sent: ${outcome.reason ?? ''}`);
  if (verdict.is !== 'parked') return;
  metrics.count('parked');
  log.warn({ ...about, status: outcome.status }, 'A webhook refused an event again and again; it is parked');
}

async function disable(
  endpoint: Endpoint,
  reason: DisabledReason,
  failingSince: Date | undefined,
  { db, log, metrics }: LaneContext,
): Promise<void> {
  if (!(await disableEndpoint(db, endpoint, reason, failingSince))) return;
  metrics.countDisabled(reason);
  const why = reason === 'gone' ? 'it answers 410' : 'nothing has reached it for five days';
  log.warn(
    { webhook_id: endpoint.id, merchant_id: endpoint.merchantId, reason },
    `A webhook is disabled: ${why}. It keeps its place; set its status to active to go on from there.`,
  );
}

/** Which events the endpoint is to have. */
async function createFilter(db: Database, endpoint: Endpoint): Promise<(event: StoredEvent) => boolean> {
  const { types, skipOwn, keyId, merchantId } = endpoint;
  const own = skipOwn ? await findKeyAndSuccessors(db, keyId, merchantId) : undefined;
  return ({ type, data }) => {
    if (types !== undefined && !types.includes(type)) return false;
    return !(own?.has((JSON.parse(data) as { key_id: string }).key_id) ?? false);
  };
}
