import { Type } from '../support/shape/type.js';
import { findEndpoint } from './endpoints.sql.js';
import { NotFound } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { refuseMovingNamed } from '../access/moving.sql.js';
import { maySeeMerchant, type Principal } from '../access/principal.js';
import { isResourceId } from '../support/uuid.js';
import { Webhook, type Endpoint, type SendOutcome } from './shapes.js';
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
  await refuseMovingNamed(db, principal, { merchantId: endpoint.merchant_id });
  return endpoint;
}

function maySee(principal: Principal, { merchant_id: merchantId, store_ids: storeIds }: Endpoint): boolean {
  if (!maySeeMerchant(principal, merchantId)) return false;
  if (principal.kind === 'operator' || principal.storeIds === undefined) return true;
  const own = principal.storeIds;
  return storeIds?.every((id) => own.includes(id)) ?? false;
}

/** Shared by routes whose path names a webhook; the handler gets it as its resource. */
export const ofOneWebhook = { ...ofWebhooks, params: WebhookParams, findResource: findWebhook } as const;

export function toWebhook(endpoint: Endpoint): object {
  return Object.fromEntries(Object.entries(endpoint).filter(([field]) => field in Webhook.properties));
}

export function withSecret({ endpoint, secret }: MadeEndpoint) {
  const body = toWebhook(endpoint);
  return { body: { ...body, secret }, replayBody: body };
}

export function toTrial({ status, error, latencyMs }: SendOutcome) {
  return { delivered: error === undefined, status, error, latency_ms: latencyMs };
}
