import type { Lag } from '../db/webhooks/lag.js';
import type { DeliveryAttempt, ParkedEvent } from '../db/webhooks/deliveries.js';
import { shownEventId } from '../domain/event/event.js';
import type { Endpoint } from '../domain/webhook/endpoint.js';
import type { SendOutcome } from '../domain/webhook/send-outcome.js';
import type { Webhook, WebhookLag, WebhookTrial } from '../domain/webhook/shapes.js';
import type { MadeEndpoint } from '../operations/webhooks.js';

export function toWebhook(endpoint: Endpoint): Webhook {
  return {
    id: endpoint.id,
    merchant_id: endpoint.merchantId,
    url: endpoint.url,
    ...(endpoint.storeIds === undefined ? {} : { store_ids: [...endpoint.storeIds] }),
    ...(endpoint.types === undefined ? {} : { types: [...endpoint.types] }),
    ...(endpoint.label === undefined ? {} : { label: endpoint.label }),
    include_order: endpoint.includeOrder,
    skip_own: endpoint.skipOwn,
    status: endpoint.status,
    ...(endpoint.disabledReason === undefined ? {} : { disabled_reason: endpoint.disabledReason }),
    created_at: endpoint.createdAt,
    ...(endpoint.lastSuccessAt === undefined ? {} : { last_success_at: endpoint.lastSuccessAt }),
  };
}

export function withSecret({ endpoint, secret }: MadeEndpoint) {
  const body = toWebhook(endpoint);
  return { body: { ...body, secret }, replayBody: body };
}

export function toLag({ storeId, behind, oldestAt }: Lag): WebhookLag {
  return {
    store_id: storeId,
    behind,
    ...(oldestAt === undefined ? {} : { oldest_at: oldestAt.toISOString() }),
  };
}

export function toParked({ eventId, type, storeId, sequence, parkedAt, status }: ParkedEvent) {
  return {
    event_id: shownEventId(eventId),
    type,
    store_id: storeId,
    sequence,
    parked_at: parkedAt.toISOString(),
    status,
  };
}

export function toTrial({ status, error, latencyMs }: SendOutcome): WebhookTrial {
  return {
    delivered: error === undefined,
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    latency_ms: latencyMs,
  };
}

export function toDelivery(delivery: DeliveryAttempt) {
  const { storeId, sequence, status, error, response } = delivery;
  return {
    event_id: shownEventId(delivery.eventId),
    type: delivery.type,
    ...(storeId === null ? {} : { store_id: storeId }),
    ...(sequence === null ? {} : { sequence }),
    attempt: delivery.attempt,
    at: delivery.at.toISOString(),
    ...(status === null ? {} : { status }),
    ...(error === null ? {} : { error }),
    latency_ms: delivery.latencyMs,
    ...(response === null ? {} : { response }),
  };
}
