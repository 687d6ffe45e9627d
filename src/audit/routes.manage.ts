import { Type } from '../support/shape/type.js';
import { scopeOf } from '../access/principal.js';
import { json } from '../http/response.js';
import { route, type Route } from '../http/route.js';
import { VIAS } from '../support/actor.js';
import { exampleIds } from '../support/example-ids.js';
import { Datetime, FreeFormMap, Limit, NamedShape, OneOf } from '../support/shape/common-shapes.js';
import { IdCursor, LAST_ID } from '../support/shape/id-cursor.js';
import { isResourceId } from '../support/uuid.js';
import { withoutNulls } from '../postgres/without-nulls.js';
import { listEntries } from './audit.sql.js';

const AuditEntry = NamedShape('AuditEntry', {
  id: Type.String({ examples: [exampleIds.key] }),
  at: Datetime(),
  key_id: Type.Optional(Type.String({ description: 'Absent for what the service does by the clock' })),
  label: Type.Optional(Type.String({ description: 'What the key was called then' })),
  via: OneOf(VIAS),
  type: Type.String({ examples: ['store.changed'] }),
  merchant_id: Type.Optional(Type.String()),
  store_id: Type.Optional(Type.String()),
  subject: Type.String({ description: 'What was changed: an id, or a name that is unique in its store' }),
  before: Type.Optional(FreeFormMap({ description: 'What differs, as it was; long values as their length' })),
  after: Type.Optional(FreeFormMap({ description: 'What differs, as it became' })),
  request_id: Type.Optional(Type.String({ description: 'The x-request-id of the response' })),
});

const AuditList = NamedShape('AuditList', {
  entries: Type.Array(AuditEntry),
  cursor: Type.String({ description: 'Where to continue' }),
  has_more: Type.Boolean(),
});

const Only = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));

/** Who changed what. */
export function auditRoutes(): Route[] {
  return [
    route('GET', '/manage/v1/audit', 'list_audit', {
      tag: 'Audit',
      summary: 'List who changed what',
      description:
        'Newest first: changes of keys, sign-ins, settings, hours, pauses, publications, stock, places, webhooks, payments, ' +
        'erasures, exports, backups and deletions. Orders have their own history. A merchant’s key reads what concerns its ' +
        'merchant, or its stores if it is limited to some.',
      permission: 'keys:write',
      query: Type.Object({
        merchant_id: Only('Only entries of this merchant', exampleIds.merchant),
        store_id: Only('Only entries of this store', exampleIds.store),
        key_id: Only('Only what was done with this key', exampleIds.key),
        type: Only('Only entries of this type', 'store.changed'),
        after: IdCursor,
        limit: Limit,
      }),
      responses: [{ status: 200, description: 'The entries', schema: AuditList }],
      handler: async ({ db, principal, query }) => {
        const { merchant_id: merchantId, store_id: storeId, key_id: keyId, type, after, limit } = query;
        const scope = scopeOf(principal, merchantId);
        const mayReach = (id: string) => isResourceId(id) && (scope.storeIds?.includes(id) ?? true);
        const storeIds = storeId === undefined ? scope.storeIds : [storeId].filter(mayReach);
        const rows = await listEntries(db, { ...scope, storeIds, keyId, type, after }, limit + 1);
        const entries = rows.slice(0, limit).map(withoutNulls);
        const cursor = entries.at(-1)?.id ?? after ?? LAST_ID;
        return json({ entries, cursor, has_more: rows.length > limit });
      },
    }),
  ];
}
