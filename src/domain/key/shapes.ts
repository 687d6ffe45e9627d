import Type, { type Static } from 'typebox';
import { exampleIds } from '../example-ids.js';
import { Datetime, OneOf } from '../shape/common-shapes.js';
import { PERMISSIONS } from './principal.js';

const permissions = Type.Array(OneOf(PERMISSIONS), {
  minItems: 1,
  maxItems: 20,
  examples: [['read', 'menu:write']],
});
const label = Type.Optional(Type.String({ minLength: 1, examples: ['POS till 1'] }));

export const KeyCreate = Type.Object(
  {
    merchant_id: Type.String({ minLength: 1, examples: [exampleIds.merchant] }),
    store_ids: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, maxItems: 1_000, description: 'Absent: every store' }),
    ),
    permissions,
    label,
    expires_at: Type.Optional(Datetime()),
  },
  { $id: 'KeyCreate' },
);
export type KeyCreate = Static<typeof KeyCreate>;

export const KeyRotate = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86_400,
        description: 'How long the old secret still works; a day unless told, 0 ends it at once',
      }),
    ),
  },
  { $id: 'KeyRotate' },
);

const key = {
  id: Type.String(),
  kind: OneOf(['merchant', 'operator']),
  merchant_id: Type.Optional(Type.String()),
  store_ids: Type.Optional(Type.Array(Type.String())),
  permissions: Type.Array(OneOf(PERMISSIONS)),
  label,
  last_four: Type.String({ examples: ['x7Qa'] }),
  created_at: Datetime(),
  expires_at: Type.Optional(Datetime()),
  revoked_at: Type.Optional(Datetime()),
  last_used_at: Type.Optional(Datetime({ description: 'To the minute' })),
  rotated_from: Type.Optional(Type.String({ description: 'The key this one replaces' })),
};

export const Key = Type.Object(key, { $id: 'Key' });
export type Key = Static<typeof Key>;

export const KeyCreated = Type.Object(
  {
    ...key,
    key: Type.Optional(
      Type.String({ description: 'The secret, shown this once; a replayed answer leaves it out' }),
    ),
  },
  { $id: 'KeyCreated' },
);
