import { Type } from '../support/shape/type.js';
import { findEndpoint } from './endpoints.sql.js';
import { NotFound } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { refuseMovingNamed } from '../access/moving.sql.js';
import { maySeeMerchant, type Principal } from '../access/principal.js';
import { isResourceId } from '../support/uuid.js';
import type { Endpoint, SendOutcome } from './shapes.js';
import type { RouteRequest } from '../http/route.js';
import type { MadeEndpoint } from './webhooks.js';

export const WebhookParams = Type.Object({
  webhook_id: Type.String({ description: 'The id of the webhook', examples: [exampleIds.key] }),
});

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
  await refuseMovingNamed(db, principal, endpoint);
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

export function toWebhook(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    merchant_id: endpoint.merchantId,
    url: endpoint.url,
    store_ids: endpoint.storeIds,
    types: endpoint.types,
    label: endpoint.label,
    include_order: endpoint.includeOrder,
    skip_own: endpoint.skipOwn,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    created_at: endpoint.createdAt,
    last_success_at: endpoint.lastSuccessAt,
  };
}

export function withSecret({ endpoint, secret }: MadeEndpoint) {
  const body = toWebhook(endpoint);
  return { body: { ...body, secret }, replayBody: body };
}

export function toTrial({ status, error, latencyMs }: SendOutcome) {
  return { delivered: error === undefined, status, error, latency_ms: latencyMs };
}
