import Type from 'typebox';
import type { DeadLetter, DeliveryAttempt } from './deliveries.sql.js';
import type { Lag } from './lag.sql.js';
import { findEndpoint } from './endpoints.sql.js';
import { NotFound } from '../support/errors.js';
import { shownEventId } from '../events/event.js';
import { exampleIds } from '../support/example-ids.js';
import { maySeeMerchant, type Principal } from '../access/principal.js';
import { isResourceId } from '../support/uuid.js';
import type { Endpoint, SendOutcome, Webhook, WebhookLag, WebhookTrial } from './shapes.js';
import type { RouteRequest } from '../http/route.js';
import type { MadeEndpoint } from './webhooks.js';

export const WebhookParams = Type.Object({
  webhook_id: Type.String({ description: 'The id of the webhook', examples: [exampleIds.key] }),
});

/** Shared by all webhook routes. */
export const ofWebhooks = { tag: 'Webhooks', permission: 'webhooks:write' } as const;

/** A key limited to some stores does not see webhooks that also cover others. */
async function findWebhook({
  db,
  principal,
  params,
}: RouteRequest<{ webhook_id: string }>): Promise<Endpoint> {
  const { webhook_id: id } = params;
  const endpoint = isResourceId(id) ? await findEndpoint(db, id) : undefined;
  if (endpoint === undefined || !maySee(principal, endpoint)) throw new NotFound('Webhook');
  return endpoint;
}

function maySee(principal: Principal, { merchantId, storeIds }: Endpoint): boolean {
  if (!maySeeMerchant(principal, merchantId)) return false;
  if (principal.kind === 'operator' || principal.storeIds === undefined) return true;
  const own = principal.storeIds;
  return storeIds?.every((id) => own.includes(id)) ?? false;
}

/** Shared by routes whose path names a webhook; the handler gets it as its resource. */
export const ofOneWebhook = { ...ofWebhooks, params: WebhookParams, findResource: findWebhook } as const;

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

export function toDeadLetter({ eventId, type, storeId, sequence, parkedAt, status }: DeadLetter) {
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
