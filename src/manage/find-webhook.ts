import Type from 'typebox';
import { findEndpoint } from '../db/webhooks/endpoints.js';
import { NotFound } from '../domain/errors.js';
import { exampleIds } from '../domain/example-ids.js';
import { maySeeMerchant, type Principal } from '../domain/key/principal.js';
import { isResourceId } from '../domain/uuid.js';
import type { Endpoint } from '../domain/webhook/endpoint.js';
import type { Call } from '../http/route.js';

export const WebhookParams = Type.Object({
  webhook_id: Type.String({ description: 'The id of the webhook', examples: [exampleIds.key] }),
});

/** What all routes of webhooks are described with. */
export const ofWebhooks = { tag: 'Webhooks', permission: 'webhooks:write' } as const;

/** A key of some stores does not see webhooks that are also told of others. */
async function findWebhook({ db, principal, params }: Call<{ webhook_id: string }>): Promise<Endpoint> {
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

/** The same for routes whose path names a webhook, which their handler then finds as its resource. */
export const ofOneWebhook = { ...ofWebhooks, params: WebhookParams, findResource: findWebhook } as const;
