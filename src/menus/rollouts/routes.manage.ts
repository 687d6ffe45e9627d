import { hash } from 'node:crypto';
import { Type } from '../../support/shape/type.js';
import { audit } from '../../audit/audit.sql.js';
import { refuseMovingNamed } from '../../access/moving.sql.js';
import { scopeOf } from '../../access/principal.js';
import { problem } from '../../http/errors.js';
import { IdempotencyHeaders, workOnce } from '../../http/idempotency.js';
import { json, noContent } from '../../http/response.js';
import { route, type Route, type RouteRequest } from '../../http/route.js';
import type { Queryable } from '../../postgres/database.js';
import { Conflict, NotFound } from '../../support/errors.js';
import { exampleIds } from '../../support/example-ids.js';
import { OneOf, SkipLimit } from '../../support/shape/common-shapes.js';
import { isResourceId } from '../../support/uuid.js';
import { holdOwn } from '../../tenants/keys.js';
import type { MenuContext } from '../context.js';
import { entityLimits, menuConfigurationRequest } from '../shapes.js';
import {
  endPublication,
  findPublication,
  listPublications,
  type PlannedPublication,
} from './rollouts.sql.js';
import { addPublication, planPublication } from './scheduled-rollouts.js';
import { judgeStore, runPublication } from './run.js';
import { MenuPublication, publicationCreate, STATUSES } from './shapes.js';

const PublicationParams = Type.Object({
  publication_id: Type.String({ description: 'The id of the publication', examples: [exampleIds.key] }),
});

const DryRun = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Tell what would come of it, and publish nothing', examples: [true] }),
  ),
});

interface Caller extends Pick<RouteRequest, 'principal'> {
  readonly db: Queryable;
}

const example = {
  from: { store_id: exampleIds.store },
  store_ids: [exampleIds.trialStore],
  keep: ['price', 'in_stock'],
};

export function publicationRoutes(context: MenuContext): Route[] {
  const { menus, limits, publishRate } = context;
  const menu = menuConfigurationRequest(entityLimits(limits));
  const schema = publicationCreate(Type.Unsafe<Record<string, unknown>>(menu));

  const find = async ({ db, principal }: Caller, id: string) => {
    const found = isResourceId(id) ? await findPublication(db, id, scopeOf(principal)) : undefined;
    if (found === undefined) throw new NotFound('Publication');
    await refuseMovingNamed(db, principal, { storeId: found.stores[0]?.store_id });
    return found;
  };

  return [
    route('POST', '/manage/v1/menu/publications', 'create_menu_publication', {
      tag: 'Menu',
      summary: 'Publish a menu in several stores, or later',
      description:
        'Publishes the menu of a store, or the one in the body, in up to 200 stores of one merchant. Each store is published whole or ' +
        'not at all; a refusal leaves the others alone. With `at`, it is kept as it is now and checked again at its time. ' +
        'Counts as one publication of each store. A store of another currency is 422 `currency_differs`, unless `keep` holds every ' +
        'price and nothing new has one, or `convert` is given.',
      permission: 'menu:write',
      query: DryRun,
      headers: IdempotencyHeaders,
      body: { kind: 'menu', schema, example },
      responses: [
        { status: 200, description: 'What came of each store', schema: MenuPublication },
        { status: 202, description: 'The publication is scheduled', schema: MenuPublication },
        problem(409, 'Too many publications are scheduled'),
      ],
      handler: async (call) => {
        const { db, principal, body, query, signal } = call;
        const merchantId = principal.kind === 'merchant' ? principal.merchantId : principal.id;
        publishRate.count(merchantId);
        const fingerprint = hash('sha256', body, 'hex');
        const tenant = { merchantId, signal: signal() };
        const wanted = await menus.onPublishingThread('publicationRequest', body, tenant, 'handOver');
        if (query.dry_run === true) {
          const row = await planPublication(context, db, principal, wanted);
          const stores = [];
          for (const entry of row.entries) stores.push(await judgeStore(context, row, entry, tenant.signal));
          const at = row.at?.toISOString();
          return json({ status: at === undefined ? 'done' : 'scheduled', ...(at && { at }), stores });
        }
        let planned: PlannedPublication | undefined;
        // A repeated request is not planned again: its time may have passed, and its stores may be gone.
        const once = await workOnce({ ...call, body: fingerprint }, async (tx) => {
          planned = await planPublication(context, tx, principal, wanted);
          await addPublication(tx, planned);
          if (planned.at === undefined) return { status: 200, body: { id: planned.id } };
          await holdOwn(tx, principal);
          await audit(tx, 'publication.scheduled', {
            merchantId: planned.merchantId,
            subject: planned.id,
            after: { at: planned.at, label: planned.label, stores: planned.entries.length },
          });
          return { status: 202, body: await find({ db: tx, principal }, planned.id) };
        });
        if (once.status === 202) return json(once.body, 202);
        const { id } = once.body as { id: string };
        // The client may leave: what was begun is brought to its end, here or by the clock.
        if (planned?.id === id) await runPublication(context, planned, undefined, call.by);
        return json(await find(call, id));
      },
    }),
    route('GET', '/manage/v1/menu/publications', 'list_menu_publications', {
      tag: 'Menu',
      summary: 'List publications',
      description: 'Newest first. A key of some stores lists those that are for its stores alone.',
      permission: 'kitchen:read',
      query: Type.Object({
        merchant_id: Type.Optional(
          Type.String({ description: 'Only those of this merchant', examples: [exampleIds.merchant] }),
        ),
        status: Type.Optional(OneOf(STATUSES, { description: 'Only those', examples: ['scheduled'] })),
        ...SkipLimit.properties,
      }),
      hasLargeResponse: true,
      responses: [{ status: 200, description: 'The publications', schema: Type.Array(MenuPublication) }],
      handler: async ({ db, principal, query: { merchant_id: wanted, ...page } }) =>
        json(await listPublications(db, scopeOf(principal, wanted), page)),
    }),
    route('GET', '/manage/v1/menu/publications/{publication_id}', 'get_menu_publication', {
      tag: 'Menu',
      summary: 'Get a publication',
      description: 'Its status, and what came of it in each store.',
      permission: 'kitchen:read',
      params: PublicationParams,
      responses: [{ status: 200, description: 'The publication', schema: MenuPublication }],
      findResource: (call) => find(call, call.params.publication_id),
      handler: ({ resource }) => json(resource),
    }),
    route('DELETE', '/manage/v1/menu/publications/{publication_id}', 'cancel_menu_publication', {
      tag: 'Menu',
      summary: 'Cancel a scheduled publication',
      description: 'One that runs or has ended cannot be cancelled.',
      permission: 'menu:write',
      params: PublicationParams,
      responses: [
        { status: 204, description: 'It is cancelled' },
        problem(409, 'It has begun, or was cancelled before'),
      ],
      findResource: (call) => find(call, call.params.publication_id),
      handler: async ({ db, params, resource }) => {
        await db.transaction(async (tx) => {
          const { publication_id: id } = params;
          const merchantId = await endPublication(tx, id, 'cancelled');
          if (merchantId === undefined)
            throw new Conflict(
              resource.status === 'cancelled'
                ? 'This publication is cancelled already'
                : 'This publication has begun and can no longer be cancelled',
            );
          const { label, at } = resource;
          await audit(tx, 'publication.cancelled', { merchantId, subject: id, before: { label, at } });
        });
        return noContent();
      },
    }),
  ];
}
