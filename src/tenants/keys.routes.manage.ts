import { Type } from '../support/shape/type.js';
import { problem } from '../http/errors.js';
import { respondOnce, IdempotencyHeaders, type OnceResponse } from '../http/idempotency.js';
import type { PublicOrigin } from '../http/origin.js';
import { json, noContent } from '../http/response.js';
import { route, type Route, type RouteRequest } from '../http/route.js';
import { scopeOf } from '../access/principal.js';
import { exampleIds } from '../support/example-ids.js';
import { NamesOf, readNames } from '../support/shape/compile-query.js';
import { Datetime, NamedShape, SkipLimit } from '../support/shape/common-shapes.js';
import { changeKey, issueKey, makeSignInLink, requireKey, rotateKey, type IssuedKey } from './keys.js';
import { listKeys } from './keys.sql.js';
import { describeKey, revokeKey, type MadeBesideKeys } from './revoke-key.js';
import { Key, KeyCreate, KeyCreated, KeyDetails, KeyPatch, KeyRevoked, KeyRotate } from './shapes.js';

const KeyParams = Type.Object({
  key_id: Type.String({ description: 'The id of the key, not its secret', examples: [exampleIds.key] }),
});

const SignInLink = NamedShape('SignInLink', {
  url: Type.String({ examples: ['https://orders.example/console#code=8f2c'] }),
  expires_at: Datetime(),
});

const KEY_EXAMPLE = {
  merchant_id: exampleIds.merchant,
  store_ids: [exampleIds.store],
  permissions: ['read', 'menu:write'],
  label: 'POS till 1',
  expires_at: '2030-01-01T00:00:00Z',
};

/** What can end with a key. */
const MADE = ['keys', 'webhooks', 'publications'] as const;

/** The id of a key that the caller can see; `current` names the key that asks. */
const findKeyOf = async ({ db, principal, params: { key_id: named } }: RouteRequest<{ key_id: string }>) => {
  const id = named === 'current' ? principal.id : named;
  await requireKey(db, principal, id);
  return id;
};

const ofKeys = { tag: 'Keys', permission: 'keys:write' } as const;
const ofKey = { ...ofKeys, params: KeyParams, findResource: findKeyOf };

export function keyRoutes(made: MadeBesideKeys, originOf: PublicOrigin): Route[] {
  return [
    route('POST', '/manage/v1/keys', 'issue_key', {
      ...ofKeys,
      summary: 'Issue a key',
      description:
        'The secret is returned only in this response. A merchant’s own key issues keys of its merchant, with no permission or ' +
        'store that it lacks itself, and none that works longer.',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: KeyCreate, example: KEY_EXAMPLE },
      responses: [{ status: 201, description: 'The key and its secret', schema: KeyCreated }],
      handler: (call) =>
        respondOnce(call, async (tx) => created(await issueKey(tx, call.principal, call.body))),
    }),
    route('GET', '/manage/v1/keys', 'list_keys', {
      ...ofKeys,
      summary: 'List keys',
      description:
        'Oldest first, including expired and revoked ones. A merchant’s key lists those of its merchant. Secrets are never shown.',
      query: Type.Object({
        merchant_id: Type.Optional(
          Type.String({ description: 'Only keys of this merchant', examples: [exampleIds.merchant] }),
        ),
        ...SkipLimit.properties,
      }),
      responses: [{ status: 200, description: 'The keys', schema: Type.Array(Key) }],
      handler: async ({ db, principal, query: { merchant_id: merchantId, ...page } }) =>
        json(await listKeys(db, scopeOf(principal, merchantId).merchantId, page)),
    }),
    route('GET', '/manage/v1/keys/{key_id}', 'get_key', {
      ...ofKey,
      summary: 'Get a key and what it has made',
      description:
        '`made` counts what would go on if the key were revoked alone. `current` names the key that asks.',
      responses: [{ status: 200, description: 'The key', schema: KeyDetails }],
      handler: async ({ db, resource }) => json(await describeKey(db, resource, made)),
    }),
    route('PATCH', '/manage/v1/keys/{key_id}', 'change_key', {
      ...ofKey,
      summary: 'Change a key',
      description:
        'Changes its label, permissions or stores, with effect from the next request. Its secret and its sessions stay. Omitted ' +
        'fields stay as they are; null for `store_ids` means every store, for `label` none. A key that expires gives nothing more to one ' +
        'that works longer.',
      body: { kind: 'json', schema: KeyPatch, example: { label: 'Kitchen tablet' } },
      responses: [{ status: 200, description: 'The key', schema: Key }],
      handler: async (call) =>
        json(await call.db.transaction((tx) => changeKey(tx, call.principal, call.params.key_id, call.body))),
    }),
    route('POST', '/manage/v1/keys/{key_id}/sign_in_link', 'make_sign_in_link', {
      ...ofKey,
      summary: 'Make a sign-in link',
      description:
        'Opens the console with the rights of this key, without its secret. The link works once, within 24 hours, and ends ' +
        'with its key. `current` names the key that asks.',
      responses: [
        { status: 201, description: 'The link', schema: SignInLink },
        problem(409, 'The key no longer works'),
      ],
      handler: async ({ db, principal, resource, request }) =>
        json(await db.transaction((tx) => makeSignInLink(tx, principal, resource, request, originOf)), 201),
    }),
    route('POST', '/manage/v1/keys/{key_id}/rotate', 'rotate_key', {
      ...ofKey,
      summary: 'Rotate a key',
      description:
        'Issues a key with the same access and expiry. The old key keeps working for the overlap, by default one day. A ' +
        'key can be replaced once; after that, rotate its successor.',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: KeyRotate, isOptional: true, example: { overlap_seconds: 86_400 } },
      responses: [
        { status: 201, description: 'The new key and its secret', schema: KeyCreated },
        problem(
          409,
          'The key was already replaced or no longer works, or the Idempotency-Key was used with a different body or is in use',
        ),
      ],
      handler: (call) =>
        respondOnce(call, async (tx) =>
          created(await rotateKey(tx, call.principal, call.params.key_id, call.body?.overlap_seconds)),
        ),
    }),
    route('DELETE', '/manage/v1/keys/{key_id}', 'revoke_key', {
      ...ofKey,
      summary: 'Revoke a key',
      description:
        'Takes effect with the next request, on every replica. What the key has made goes on unless `also` names it: keys that it ' +
        'issued, and those that these issued in turn; its webhooks, which are disabled; its scheduled publications, which are ' +
        'cancelled. With `keys`, `webhooks` and `publications` are also those that these keys have made, and the answer counts them. What was made with a key that it replaced counts as its own.',
      query: Type.Object({
        also: Type.Optional(
          NamesOf(MADE, {
            description: `What ends with the key, separated by commas: ${MADE.join(', ')}`,
            examples: ['keys,webhooks'],
          }),
        ),
      }),
      responses: [
        { status: 204, description: 'The key no longer works, and nothing that it made goes on' },
        {
          status: 200,
          description: 'The key no longer works, but some of what it made goes on',
          schema: KeyRevoked,
        },
      ],
      handler: async (call) => {
        const { key_id: id } = call.params;
        const also = new Set(readNames(call.query.also, MADE));
        const goesOn = await call.db.transaction((tx) => revokeKey(tx, call.principal, id, also, made));
        return Object.values(goesOn).every((count) => count === 0)
          ? noContent()
          : json({ id, goes_on: goesOn });
      },
    }),
  ];
}

function created({ key, secret }: IssuedKey): OnceResponse {
  return { status: 201, body: { ...key, key: secret }, replayBody: key };
}
