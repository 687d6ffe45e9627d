import { Type } from '../support/shape/type.js';
import { coverNewStores } from './cursors.sql.js';
import { listDeadLetters, listDeliveries, readOlderAttempts } from './deliveries.sql.js';
import { readLag } from './lag.sql.js';
import { listEndpoints } from './endpoints.sql.js';
import { KEPT_ATTEMPTS } from '../support/bounds.js';
import { NotFound } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { scopeOf } from '../access/principal.js';
import { Limit, SkipLimit } from '../support/shape/common-shapes.js';
import { isResourceId } from '../support/uuid.js';
import type { AddressPolicy } from './addresses.js';
import type { SecretKeeper } from './secrets.js';
import type { ImmediateSends } from './send-event.js';
import {
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  WebhookDetails,
  WebhookLag,
  WebhookPatch,
  WebhookReplay,
  WebhookTrial,
  WebhookWithSecret,
} from './shapes.js';
import { json, noContent } from '../http/response.js';
import { problem } from '../http/errors.js';
import { route, type Route } from '../http/route.js';
import { changeEndpoint, createEndpoint, deleteEndpoint, replayFrom, rotateSecret } from './webhooks.js';
import { findKeyAndReplaced } from '../tenants/keys.sql.js';
import { respondOnce, IdempotencyHeaders } from '../http/idempotency.js';
import { ofOneWebhook, ofWebhooks, toTrial, toWebhook, WebhookParams, withSecret } from './resource.js';

/** What the routes need in addition to the database: the secret key, the allowed addresses and the sender. */
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

const MAX_DEAD_LETTERS_SHOWN = 100;

export function webhookRoutes(tools: WebhookTools): Route[] {
  return [...endpointRoutes(tools), ...deliveryRoutes(tools)];
}

function endpointRoutes({ secrets, policy }: WebhookTools): Route[] {
  return [
    route('POST', '/manage/v1/webhooks', 'create_webhook', {
      ...ofWebhooks,
      summary: 'Create a webhook',
      description:
        'Events of the stores are sent to the URL, in order, and retried until it accepts them. The signing secret is returned only in this ' +
        'response. A key limited to some stores can only create a webhook for those.',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: WebhookCreate, example: WEBHOOK_EXAMPLE },
      responses: [
        { status: 201, description: 'The webhook and its secret', schema: WebhookWithSecret },
        problem(409, 'The merchant has reached its limit of webhooks'),
      ],
      handler: async (call) => {
        const box = await secrets.provide();
        return respondOnce(call, async (tx) => ({
          status: 201,
          ...withSecret(await createEndpoint(tx, call.body, call.principal, box, policy)),
        }));
      },
    }),
    route('GET', '/manage/v1/webhooks', 'list_webhooks', {
      ...ofWebhooks,
      summary: 'List webhooks',
      description: 'The webhooks of the key’s stores, oldest first. Secrets are never shown.',
      query: Type.Object({
        merchant_id: Type.Optional(
          Type.String({ description: 'Only webhooks of this merchant', examples: [exampleIds.merchant] }),
        ),
        key_id: Type.Optional(
          Type.String({
            description: 'Only webhooks made with this key, or with one that it replaced',
            examples: [exampleIds.key],
          }),
        ),
        ...SkipLimit.properties,
      }),
      responses: [{ status: 200, description: 'The webhooks', schema: Type.Array(Webhook) }],
      handler: async ({ db, principal, query: { merchant_id: wanted, key_id: keyId, ...page } }) => {
        if (keyId !== undefined && !isResourceId(keyId)) return json([]);
        const keyIds = keyId === undefined ? undefined : await findKeyAndReplaced(db, keyId);
        return json((await listEndpoints(db, scopeOf(principal, wanted), page, keyIds)).map(toWebhook));
      },
    }),
    route('GET', '/manage/v1/webhooks/{webhook_id}', 'get_webhook', {
      ...ofOneWebhook,
      summary: 'Get a webhook and its lag',
      description: '`lag` says how many events of each store it has not taken yet.',
      responses: [{ status: 200, description: 'The webhook', schema: WebhookDetails }],
      handler: async ({ db, resource }) => {
        const box = await secrets.present();
        await coverNewStores(db, { webhookId: resource.id });
        const [lag, older, parked] = await Promise.all([
          readLag(db, resource.id),
          readOlderAttempts(db, resource.id),
          listDeadLetters(db, resource.id, MAX_DEAD_LETTERS_SHOWN),
        ]);
        return json({
          ...toWebhook(resource),
          lag,
          older_attempts: older,
          parked,
          secret_readable: box?.id === resource.sealed_with,
        });
      },
    }),
    route('PATCH', '/manage/v1/webhooks/{webhook_id}', 'change_webhook', {
      ...ofOneWebhook,
      summary: 'Change a webhook',
      description:
        'Omitted fields stay as they are; null clears a field. An added store starts with its next event. A ' +
        'webhook that is made active again resumes where it stopped.',
      body: {
        kind: 'json',
        schema: WebhookPatch,
        example: { label: 'Till 1', types: ['order.created'], status: 'active' },
      },
      responses: [{ status: 200, description: 'The webhook after the change', schema: Webhook }],
      handler: async ({ db, resource, body, principal }) =>
        json(toWebhook(await db.transaction((tx) => changeEndpoint(tx, resource, body, principal, policy)))),
    }),
    route('DELETE', '/manage/v1/webhooks/{webhook_id}', 'remove_webhook', {
      ...ofOneWebhook,
      summary: 'Remove a webhook',
      description: 'A delivery in progress is not interrupted.',
      responses: [{ status: 204, description: 'The webhook is removed' }],
      handler: async ({ db, resource }) => {
        await db.transaction((tx) => deleteEndpoint(tx, resource.id));
        return noContent();
      },
    }),
    route('POST', '/manage/v1/webhooks/{webhook_id}/rotate', 'rotate_webhook_secret', {
      ...ofOneWebhook,
      summary: 'Replace the secret of a webhook',
      description:
        'Deliveries are signed with both secrets for 24 hours. The new secret is returned only in this response.',
      headers: IdempotencyHeaders,
      responses: [{ status: 200, description: 'The webhook and its new secret', schema: WebhookWithSecret }],
      handler: async (call) => {
        const box = await secrets.provide();
        return respondOnce(call, async (tx) => ({
          status: 200,
          ...withSecret(await rotateSecret(tx, call.resource.id, box)),
        }));
      },
    }),
  ];
}

const DeadLetterParams = Type.Object({
  ...WebhookParams.properties,
  event_id: Type.String({ description: 'The id of the event', examples: [`evt_${exampleIds.key}`] }),
});

function deliveryRoutes({ immediateSends }: WebhookTools): Route[] {
  return [
    route('POST', '/manage/v1/webhooks/{webhook_id}/test', 'test_webhook', {
      ...ofOneWebhook,
      summary: 'Send a test event',
      description:
        'Sends a `webhook.test` event now, whatever the status of the webhook, outside the sequence of any store.',
      responses: [
        { status: 200, description: 'What came of it', schema: WebhookTrial },
        problem(409, 'The signing secret cannot be read'),
      ],
      handler: async ({ resource }) => json(toTrial(await immediateSends.sendTest(resource))),
    }),
    route('GET', '/manage/v1/webhooks/{webhook_id}/deliveries', 'list_webhook_deliveries', {
      ...ofOneWebhook,
      summary: 'List deliveries',
      description:
        `The newest ${KEPT_ATTEMPTS.toLocaleString('en')} attempts of the last 30 days, newest first. Older ones are counted in ` +
        '`older_attempts` of the webhook.',
      query: Type.Object({ limit: Limit }),
      responses: [{ status: 200, description: 'The deliveries', schema: Type.Array(WebhookDelivery) }],
      handler: async ({ db, resource, query: { limit } }) =>
        json(await listDeliveries(db, resource.id, limit)),
    }),
    route('POST', '/manage/v1/webhooks/{webhook_id}/replay', 'replay_webhook', {
      ...ofOneWebhook,
      summary: 'Send the events of a store again',
      description:
        'Moves the position of the webhook in the store, back or forward: sending continues after the given point.',
      body: { kind: 'json', schema: WebhookReplay, example: { store_id: exampleIds.store, after: 'now' } },
      responses: [{ status: 200, description: 'The new lag of the webhook', schema: WebhookLag }],
      handler: async ({ db, resource, body }) => {
        await coverNewStores(db, { webhookId: resource.id });
        const storeKey = await db.transaction((tx) => replayFrom(tx, resource, body));
        const [lag] = await readLag(db, resource.id, storeKey);
        return json(lag ?? { store_id: body.store_id, behind: 0 });
      },
    }),
    route('POST', '/manage/v1/webhooks/{webhook_id}/parked/{event_id}/send', 'send_parked_event', {
      ...ofOneWebhook,
      summary: 'Send a parked event again',
      description:
        'Sends it now, outside the sequence. Once the receiver accepts it, it is no longer parked.',
      params: DeadLetterParams,
      responses: [{ status: 200, description: 'What came of it', schema: WebhookTrial }],
      handler: async ({ resource, params: { event_id: shown } }) => {
        const id = shown.replace(/^evt_/, '');
        if (!isResourceId(id)) throw new NotFound('Parked event');
        return json(toTrial(await immediateSends.sendDeadLetter(resource, id)));
      },
    }),
  ];
}
