import Type from 'typebox';
import { listKeys } from '../db/keys.js';
import { NotFound } from '../domain/errors.js';
import { exampleIds } from '../domain/example-ids.js';
import { Key, KeyCreate, KeyCreated, KeyRotate } from '../domain/key/shapes.js';
import { isResourceId } from '../domain/uuid.js';
import { json, noContent } from '../http/answer.js';
import { Problem } from '../http/errors.js';
import { SkipLimit } from '../domain/shape/common-shapes.js';
import { route, type Call, type Route } from '../http/route.js';
import type { KeptAnswer } from '../operations/idempotent-work.js';
import { issueKey, revokeKey, rotateKey, type IssuedKey } from '../operations/keys.js';
import { answerOnce, IdempotencyHeaders } from './idempotency-key.js';

const KeyParams = Type.Object({
  key_id: Type.String({ description: 'The id of the key, not its secret', examples: [exampleIds.key] }),
});

const KEY_EXAMPLE = {
  merchant_id: exampleIds.merchant,
  store_ids: [exampleIds.store],
  permissions: ['read', 'menu:write'],
  label: 'POS till 1',
  expires_at: '2030-01-01T00:00:00Z',
};

export function keyRoutes(): Route[] {
  return [
    route({
      method: 'POST',
      path: '/manage/v1/keys',
      operationId: 'issue_key',
      tag: 'Keys',
      summary: 'Issue a key',
      description: 'The answer holds the secret, this once.',
      permission: 'operator',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: KeyCreate, example: KEY_EXAMPLE },
      answers: [{ status: 201, description: 'The key and its secret', schema: KeyCreated }],
      handler: (call) => answerOnce(call, async (tx) => created(await issueKey(tx, call.body))),
    }),
    route({
      method: 'GET',
      path: '/manage/v1/keys',
      operationId: 'list_keys',
      tag: 'Keys',
      summary: 'List keys',
      description: 'All keys, oldest first, also those that no longer work. Secrets are never shown.',
      permission: 'operator',
      query: Type.Object({
        merchant_id: Type.Optional(
          Type.String({ description: 'Only keys of this merchant', examples: [exampleIds.merchant] }),
        ),
        ...SkipLimit.properties,
      }),
      answers: [{ status: 200, description: 'The keys', schema: Type.Array(Key) }],
      handler: async ({ db, query: { merchant_id: merchantId, ...page } }) => {
        const mayExist = merchantId === undefined || isResourceId(merchantId);
        return json(mayExist ? await listKeys(db, merchantId, page) : []);
      },
    }),
    route({
      method: 'POST',
      path: '/manage/v1/keys/{key_id}/rotate',
      operationId: 'rotate_key',
      tag: 'Keys',
      summary: 'Rotate a key',
      description:
        'Issues a key with the same reach and expiry; the old one goes on working for the overlap, a day unless told. A ' +
        'key is replaced once: afterwards, rotate its successor.',
      permission: 'operator',
      params: KeyParams,
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: KeyRotate, isOptional: true, example: { overlap_seconds: 86_400 } },
      answers: [
        { status: 201, description: 'The new key and its secret', schema: KeyCreated },
        {
          status: 409,
          description:
            'The key has been replaced, or no longer works; or its Idempotency-Key is used or in use',
          schema: Problem,
        },
      ],
      handler: (call) =>
        answerOnce(call, async (tx) =>
          created(await rotateKey(tx, keyIdOf(call), call.body?.overlap_seconds)),
        ),
    }),
    route({
      method: 'DELETE',
      path: '/manage/v1/keys/{key_id}',
      operationId: 'revoke_key',
      tag: 'Keys',
      summary: 'Revoke a key',
      description: 'Holds from the very next request, everywhere.',
      permission: 'operator',
      params: KeyParams,
      answers: [{ status: 204, description: 'The key no longer works' }],
      handler: async (call) => {
        const id = keyIdOf(call);
        await call.db.transaction((tx) => revokeKey(tx, id));
        return noContent();
      },
    }),
  ];
}

function keyIdOf({ params: { key_id: id } }: Call<{ key_id: string }>): string {
  if (!isResourceId(id)) throw new NotFound('Key');
  return id;
}

function created({ key, secret }: IssuedKey): KeptAnswer {
  return { status: 201, body: { ...key, key: secret }, replayBody: key };
}
