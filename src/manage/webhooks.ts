import Type from 'typebox';
import { readLag } from '../db/webhooks/lag.js';
import { listParked } from '../db/webhooks/deliveries.js';
import { listEndpoints } from '../db/webhooks/endpoints.js';
import { exampleIds } from '../domain/example-ids.js';
import { maySeeMerchant, scopeOf } from '../domain/key/principal.js';
import { isResourceId } from '../domain/uuid.js';
import type { AddressPolicy } from '../domain/webhook/addresses.js';
import type { SecretKeeper } from '../domain/webhook/secret-box.js';
import type { ImmediateSends } from '../domain/webhook/send-outcome.js';
import {
  Webhook,
  WebhookCreate,
  WebhookDetails,
  WebhookPatch,
  WebhookWithSecret,
} from '../domain/webhook/shapes.js';
import { json, noContent } from '../http/answer.js';
import { Problem } from '../http/errors.js';
import { SkipLimit } from '../domain/shape/common-shapes.js';
import { route, type Route } from '../http/route.js';
import { changeEndpoint, createEndpoint, deleteEndpoint, rotateSecret } from '../operations/webhooks.js';
import { answerOnce, IdempotencyHeaders } from './idempotency-key.js';
import { ofOneWebhook, ofWebhooks } from './find-webhook.js';
import { toLag, toParked, toWebhook, withSecret } from './webhook-answers.js';

/** What the routes need beside the database: who keeps the key of secrets, where may be sent to, and who sends. */
export interface WebhookTools {
  readonly secrets: SecretKeeper;
  readonly policy: AddressPolicy;
  readonly immediateSends: ImmediateSends;
}

const WEBHOOK_EXAMPLE = {
  url: 'https://till.example/hooks/comanda',
  merchant_id: exampleIds.merchant,
  store_ids: [exampleIds.trialStore],
  types: ['order.created', 'order.status_changed'],
  label: 'Till 1',
  include_order: true,
  skip_own: false,
  from: 'now',
};

const MOST_PARKED_SHOWN = 100;

export function webhookRoutes({ secrets, policy }: WebhookTools): Route[] {
  return [
    route({
      ...ofWebhooks,
      method: 'POST',
      path: '/manage/v1/webhooks',
      operationId: 'create_webhook',
      summary: 'Create a webhook',
      description:
        'From then on the events of the stores are sent to the URL, in order, until they are taken. The answer holds the ' +
        'secret that they are signed with, this once. A key of some stores makes a webhook of these at most.',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: WebhookCreate, example: WEBHOOK_EXAMPLE },
      answers: [
        { status: 201, description: 'The webhook and its secret', schema: WebhookWithSecret },
        { status: 409, description: 'The merchant has as many webhooks as it may', schema: Problem },
      ],
      handler: async (call) => {
        const box = await secrets.provide();
        return answerOnce(call, async (tx) => ({
          status: 201,
          ...withSecret(await createEndpoint(tx, call.body, call.principal, { box, policy })),
        }));
      },
    }),
    route({
      ...ofWebhooks,
      method: 'GET',
      path: '/manage/v1/webhooks',
      operationId: 'list_webhooks',
      summary: 'List webhooks',
      description: 'Those of the key’s stores, oldest first. Secrets are never shown.',
      query: Type.Object({
        merchant_id: Type.Optional(
          Type.String({ description: 'Only webhooks of this merchant', examples: [exampleIds.merchant] }),
        ),
        ...SkipLimit.properties,
      }),
      answers: [{ status: 200, description: 'The webhooks', schema: Type.Array(Webhook) }],
      handler: async ({ db, principal, query: { merchant_id: wanted, ...page } }) => {
        const mayExist = wanted === undefined || (isResourceId(wanted) && maySeeMerchant(principal, wanted));
        if (!mayExist) return json([]);
        const scope = principal.kind === 'operator' ? { merchantId: wanted } : scopeOf(principal);
        return json((await listEndpoints(db, scope, page)).map(toWebhook));
      },
    }),
    route({
      ...ofOneWebhook,
      method: 'GET',
      path: '/manage/v1/webhooks/{webhook_id}',
      operationId: 'get_webhook',
      summary: 'Get a webhook and how far it has come',
      answers: [{ status: 200, description: 'The webhook', schema: WebhookDetails }],
      handler: async ({ db, resource }) => {
        const box = await secrets.present();
        const [lag, parked] = await Promise.all([
          readLag(db, resource.id),
          listParked(db, resource.id, MOST_PARKED_SHOWN),
        ]);
        return json({
          ...toWebhook(resource),
          lag: lag.map(toLag),
          parked: parked.map(toParked),
          secret_readable: box?.id === resource.secrets.sealedWith,
        });
      },
    }),
    route({
      ...ofOneWebhook,
      method: 'PATCH',
      path: '/manage/v1/webhooks/{webhook_id}',
      operationId: 'change_webhook',
      summary: 'Change a webhook',
      description:
        'Fields that are left out stay as they are; null clears one. A store that comes in begins with its next event. A ' +
        'webhook that is made active again goes on where it stood.',
      body: {
        kind: 'json',
        schema: WebhookPatch,
        example: { label: 'Till 1', types: ['order.created'], status: 'active' },
      },
      answers: [{ status: 200, description: 'The webhook as it now is', schema: Webhook }],
      handler: async ({ db, resource, body, principal }) =>
        json(
          toWebhook(await db.transaction((tx) => changeEndpoint(tx, resource.id, body, principal, policy))),
        ),
    }),
    route({
      ...ofOneWebhook,
      method: 'DELETE',
      path: '/manage/v1/webhooks/{webhook_id}',
      operationId: 'remove_webhook',
      summary: 'Remove a webhook',
      description: 'A request that is under way is not broken off.',
      answers: [{ status: 204, description: 'Nothing is sent to it any more' }],
      handler: async ({ db, resource }) => {
        await db.transaction((tx) => deleteEndpoint(tx, resource.id));
        return noContent();
      },
    }),
    route({
      ...ofOneWebhook,
      method: 'POST',
      path: '/manage/v1/webhooks/{webhook_id}/rotate',
      operationId: 'rotate_webhook_secret',
      summary: 'Replace the secret of a webhook',
      description:
        'Deliveries are signed with both secrets for 24 hours. The answer holds the new one, this once.',
      headers: IdempotencyHeaders,
      answers: [{ status: 200, description: 'The webhook and its new secret', schema: WebhookWithSecret }],
      handler: async (call) => {
        const box = await secrets.provide();
        return answerOnce(call, async (tx) => ({
          status: 200,
          ...withSecret(await rotateSecret(tx, call.resource.id, box)),
        }));
      },
    }),
  ];
}
