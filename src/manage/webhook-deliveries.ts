import Type from 'typebox';
import { readLag } from '../db/webhooks/lag.js';
import { listDeliveries } from '../db/webhooks/deliveries.js';
import { NotFound } from '../domain/errors.js';
import { exampleIds } from '../domain/example-ids.js';
import { isResourceId } from '../domain/uuid.js';
import type { ImmediateSends } from '../domain/webhook/send-outcome.js';
import { WebhookDelivery, WebhookLag, WebhookReplay, WebhookTrial } from '../domain/webhook/shapes.js';
import { json } from '../http/answer.js';
import { Problem } from '../http/errors.js';
import { Limit } from '../domain/shape/common-shapes.js';
import { route, type Route } from '../http/route.js';
import { replayFrom } from '../operations/replay-webhook.js';
import { ofOneWebhook, WebhookParams } from './find-webhook.js';
import { toDelivery, toLag, toTrial } from './webhook-answers.js';

const ParkedParams = Type.Object({
  ...WebhookParams.properties,
  event_id: Type.String({ description: 'The id of the event', examples: [`evt_${exampleIds.key}`] }),
});

/** What was sent to a webhook, and sending again. */
export function webhookDeliveryRoutes(immediateSends: ImmediateSends): Route[] {
  return [
    route({
      ...ofOneWebhook,
      method: 'POST',
      path: '/manage/v1/webhooks/{webhook_id}/test',
      operationId: 'test_webhook',
      summary: 'Send a webhook.test',
      description: 'At once, whatever the status of the webhook, and outside the sequence of any store.',
      answers: [
        { status: 200, description: 'What came of it', schema: WebhookTrial },
        { status: 409, description: 'The secret cannot be opened', schema: Problem },
      ],
      handler: async ({ resource }) => json(toTrial(await immediateSends.sendTest(resource))),
    }),
    route({
      ...ofOneWebhook,
      method: 'GET',
      path: '/manage/v1/webhooks/{webhook_id}/deliveries',
      operationId: 'list_webhook_deliveries',
      summary: 'List deliveries',
      description: 'Every attempt of the last 30 days, newest first.',
      query: Type.Object({ limit: Limit }),
      answers: [{ status: 200, description: 'The deliveries', schema: Type.Array(WebhookDelivery) }],
      handler: async ({ db, resource, query: { limit } }) =>
        json((await listDeliveries(db, resource.id, limit)).map(toDelivery)),
    }),
    route({
      ...ofOneWebhook,
      method: 'POST',
      path: '/manage/v1/webhooks/{webhook_id}/replay',
      operationId: 'replay_webhook',
      summary: 'Send the events of a store again',
      description:
        'Moves the place of the webhook in the store back, or forward: it goes on after the event named.',
      body: { kind: 'json', schema: WebhookReplay, example: { store_id: exampleIds.store, after: 'now' } },
      answers: [{ status: 200, description: 'How far the webhook is behind now', schema: WebhookLag }],
      handler: async ({ db, resource, body }) => {
        const storeKey = await db.transaction((tx) => replayFrom(tx, resource, body));
        const [lag] = await readLag(db, resource.id, storeKey);
        return json(lag === undefined ? { store_id: body.store_id, behind: 0 } : toLag(lag));
      },
    }),
    route({
      ...ofOneWebhook,
      method: 'POST',
      path: '/manage/v1/webhooks/{webhook_id}/parked/{event_id}/send',
      operationId: 'send_parked_event',
      summary: 'Send a parked event again',
      description: 'At once, outside the sequence. Once the receiver takes it, it is parked no more.',
      params: ParkedParams,
      answers: [{ status: 200, description: 'What came of it', schema: WebhookTrial }],
      handler: async ({ resource, params: { event_id: shown } }) => {
        const id = shown.replace(/^evt_/, '');
        if (!isResourceId(id)) throw new NotFound('Parked event');
        return json(toTrial(await immediateSends.sendParked(resource, id)));
      },
    }),
  ];
}
