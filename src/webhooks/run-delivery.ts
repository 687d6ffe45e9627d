import type { Logger } from 'pino';
import { audit } from '../audit/audit.sql.js';
import type { Database } from '../postgres/database.js';
import { readEventSlice } from '../events/events.sql.js';
import { findKeyAndSuccessors } from '../tenants/keys.sql.js';
import { disableEndpoint } from './endpoints.sql.js';
import { DatabaseUnavailable } from '../support/errors.js';
import type { StoredEvent } from '../events/event.js';
import { isGivenUp, nextAction, NO_FAILURES } from './retries.js';
import { openSecrets, type SecretBox } from './secrets.js';
import type { DisabledReason, Endpoint, SendOutcome } from './shapes.js';
import type { DeliveryMetrics } from './metrics.js';
import type { Delivery } from './claims.sql.js';
import type { WriteProgress } from './progress.js';
import { sendEvent, type EventSending } from './send-event.js';

export interface DeliveryContext extends EventSending {
  readonly box: SecretBox;
  readonly writeProgress: WriteProgress;
  readonly metrics: DeliveryMetrics;
  readonly log: Logger;
  readonly newDeliveryId: (storeKey: number) => string;
  readonly isStopping: () => boolean;
}

const BATCH_SIZE = 100;
/** After this time a delivery yields its permit, even with events left. */
const TURN_MS = 5_000;
/** No request starts that could outlast the lease. */
const SEND_MS = 16_000;
/** Pause after an error of our own. */
const AFTER_ERROR_MS = 10_000;

/** Sends events in order until there are no more, one fails, or the turn is over; then releases the lease. */
export async function runDelivery(delivery: Delivery, context: DeliveryContext): Promise<void> {
  const { writeProgress, log, isStopping, db } = context;
  const { due } = delivery;
  const turnEnds = performance.now() + TURN_MS;
  let earlier: Promise<void> = Promise.resolve();
  try {
    const { types } = due.endpoint;
    const isOwn = await createOwnFilter(db, due.endpoint);
    const to = { ...due, secrets: openSecrets(context.box, due.endpoint) };
    do {
      const slice = { storeKey: due.storeKey, after: delivery.position, limit: BATCH_SIZE, types };
      const { events, reached, kept } = await readEventSlice(db, slice);
      for (const event of events) {
        if (isOwn(event)) continue;
        if (isStopping() || !(await renewLease(delivery, writeProgress))) return;
        const at = new Date();
        const outcome = await sendEvent(context, event, to);
        if (!(await conclude(delivery, event, { at, outcome }, context))) return;
      }
      // Events that are not wanted, and those that are no longer kept, are done with.
      const end = Math.max(reached, kept.first - 1);
      if (end > delivery.position) passEvent(delivery, end);
      delivery.isDone = delivery.position >= kept.last;
      if (delivery.isDone) return;
      // One batch may be on its way to the database while the next is sent, and no more.
      await earlier;
      earlier = writeProgress(delivery, true);
    } while (performance.now() < turnEnds);
  } catch (error) {
    delivery.waitMs = AFTER_ERROR_MS;
    if (!(error instanceof DatabaseUnavailable))
      log.error({ err: error, webhook_id: due.endpoint.id }, 'Events could not be sent to a webhook');
  } finally {
    await earlier;
    await writeProgress(delivery, false);
  }
}

/** Moves past the event, delivered or not. */
function passEvent(delivery: Delivery, sequence: number): void {
  delivery.position = sequence;
  delivery.retryState = NO_FAILURES;
}

/** Renews a lease that is about to end; false when it is lost. */
async function renewLease(delivery: Delivery, writeProgress: WriteProgress): Promise<boolean> {
  const isShort = () => delivery.leaseEnds - performance.now() < SEND_MS;
  if (delivery.holdsLease && isShort()) await writeProgress(delivery, true);
  return delivery.holdsLease && !isShort();
}

/** Records an attempt; false when the delivery cannot continue with the next event. */
async function conclude(
  delivery: Delivery,
  event: StoredEvent,
  { at, outcome }: { readonly at: Date; readonly outcome: SendOutcome },
  context: DeliveryContext,
): Promise<boolean> {
  const { metrics, log } = context;
  const { endpoint, storeKey } = delivery.due;
  const { failing_since: failingSince } = endpoint;
  const attempt = delivery.retryState.attempts + 1;
  const action = nextAction(outcome, delivery.retryState, Date.now(), Math.random());
  const isPassed = action.kind === 'continue' || action.kind === 'dead-letter';
  if (isPassed) passEvent(delivery, event.sequence);
  if (action.kind === 'retry') {
    delivery.retryState = action.state;
    delivery.waitMs = action.waitMs;
  }
  void context.writeProgress(delivery, true, {
    webhookId: endpoint.id,
    id: context.newDeliveryId(storeKey),
    eventId: event.id,
    type: event.type,
    storeKey,
    sequence: event.sequence,
    attempt,
    at,
    ...outcome,
    isDeadLettered: action.kind === 'dead-letter',
  });
  metrics.count(outcome.error === undefined ? 'delivered' : 'failed');
  const about = { webhook_id: endpoint.id, merchant_id: endpoint.merchant_id };
  if (outcome.error === 'address_not_allowed')
    log.warn(about, `A webhook was not sent: ${outcome.reason ?? ''}`);
  if (action.kind === 'dead-letter') {
    metrics.count('parked');
    log.warn({ ...about, status: outcome.status }, 'A webhook kept rejecting an event; the event is parked');
  }
  if (action.kind === 'disable') await disable(endpoint, 'gone', undefined, context);
  if (
    action.kind === 'retry' &&
    failingSince !== undefined &&
    isGivenUp(action.state, failingSince.getTime(), Date.now())
  )
    await disable(endpoint, 'failing', failingSince, context);
  return isPassed;
}

async function disable(
  endpoint: Endpoint,
  reason: DisabledReason,
  failingSince: Date | undefined,
  { db, log, metrics }: DeliveryContext,
): Promise<void> {
  const { id: subject, merchant_id: merchantId } = endpoint;
  const parts = { before: { status: 'active' }, after: { status: 'disabled', disabled_reason: reason } };
  const isDisabled = await db.transaction(async (tx) => {
    if (!(await disableEndpoint(tx, endpoint, reason, failingSince))) return false;
    await audit(tx, 'webhook.changed', { merchantId, subject, ...parts });
    return true;
  });
  if (!isDisabled) return;
  metrics.countDisabled(reason);
  const why = reason === 'gone' ? 'it responded 410' : 'all deliveries have failed for five days';
  log.warn(
    { webhook_id: subject, merchant_id: merchantId, reason },
    `A webhook was disabled: ${why}. Set its status to active to resume where it stopped.`,
  );
}

async function createOwnFilter(db: Database, endpoint: Endpoint): Promise<(event: StoredEvent) => boolean> {
  if (!endpoint.skip_own) return () => false;
  const own = await findKeyAndSuccessors(db, endpoint.key_id, endpoint.merchant_id);
  return ({ data }) => own.has((JSON.parse(data) as { key_id: string }).key_id);
}
