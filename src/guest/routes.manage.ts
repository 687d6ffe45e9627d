import { Type } from '../support/shape/type.js';
import { newCode } from '../access/code.js';
import { audit } from '../audit/audit.sql.js';
import { problem } from '../http/errors.js';
import { respondOnce, IdempotencyHeaders } from '../http/idempotency.js';
import type { PublicOrigin } from '../http/origin.js';
import { json, jsonText, noContent } from '../http/response.js';
import { storeRoute, type Route, type RouteRequest } from '../http/route.js';
import type { Orders } from '../orders/orders.js';
import { withoutNulls } from '../postgres/without-nulls.js';
import { Conflict, NotFound, requireFound } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { SkipLimit } from '../support/shape/common-shapes.js';
import { isResourceId } from '../support/uuid.js';
import { StoreParams, TrialStoreParams } from '../tenants/routes.manage.js';
import { lockStore } from '../tenants/stores.sql.js';
import {
  countPlaces,
  deletePlace,
  getPlace,
  insertPlace,
  listPlaces,
  updatePlace,
  type StoredPlace,
} from './places.sql.js';
import {
  Bill,
  BillConflict,
  GuestPlace,
  ListedPlace,
  PlaceCreate,
  PlacePatch,
  SettleRequest,
} from './shapes.js';

const MOST_PLACES = 1_000;

const PlaceParams = Type.Object({
  ...TrialStoreParams.properties,
  place_id: Type.String({ description: 'The id of the place, not its code', examples: [exampleIds.place] }),
});

type PlaceRequest = RouteRequest<{ place_id: string }> & {
  readonly store: { readonly id: string; readonly storeKey: number };
};

/** The places at which guests order. */
export function placeRoutes(originOf: PublicOrigin, { bills }: Pick<Orders, 'bills'>): Route[] {
  const show = (place: StoredPlace, { request }: Pick<RouteRequest, 'request'>) =>
    withoutNulls({ ...place, url: `${originOf(request)}/order/${place.code}` });
  const common = { tag: 'Places', permission: 'store:write' } as const;
  const ofPlace = {
    ...common,
    params: PlaceParams,
    findResource: async ({ db, store, params }: PlaceRequest) => {
      const { place_id: id } = params;
      return requireFound(isResourceId(id) ? await getPlace(db, store.storeKey, id) : undefined, 'Place');
    },
  };
  return [
    storeRoute('POST', '/manage/v1/stores/{store_id}/places', 'create_place', {
      ...common,
      summary: 'Add a place where guests order',
      description: `A table or a pick-up point, with a code of its own. A store has at most ${MOST_PLACES.toLocaleString('en')} places.`,
      params: TrialStoreParams,
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: PlaceCreate, example: { label: 'Table 7', kind: 'table' } },
      responses: [
        { status: 201, description: 'The place', schema: GuestPlace },
        problem(409, 'The store has a place with this external_id, or has too many'),
      ],
      handler: (call) =>
        respondOnce(call, async (tx) => {
          const { store, body } = call;
          await lockStore(tx, store.id);
          if ((await countPlaces(tx, store.storeKey)) >= MOST_PLACES)
            throw new Conflict(`A store has at most ${MOST_PLACES} places`);
          const made = await insertPlace(tx, store.storeKey, body);
          if (made === undefined) throw new Conflict('A place with this external_id already exists');
          await audit(tx, 'place.created', { storeId: store.id, subject: made.id, after: partsOf(made) });
          return { status: 201, body: show(made, call) };
        }),
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/places', 'list_places', {
      ...common,
      summary: 'List the places of a store',
      description: 'Oldest first, including disabled ones, with what the guests of each owe.',
      permission: 'kitchen:read',
      params: StoreParams,
      query: SkipLimit,
      responses: [{ status: 200, description: 'The places', schema: Type.Array(ListedPlace) }],
      handler: async (call) => {
        const places = await listPlaces(call.db, call.store.storeKey, call.query);
        return json(places.map((place) => show(place, call)));
      },
    }),
    storeRoute('PATCH', '/manage/v1/stores/{store_id}/places/{place_id}', 'change_place', {
      ...ofPlace,
      summary: 'Rename, disable or enable a place',
      description: 'Its code stays. Orders show the new label; only `/v1` shows the one they were made with.',
      body: { kind: 'json', schema: PlacePatch, example: { label: 'Terrace 7' } },
      responses: [{ status: 200, description: 'The place', schema: GuestPlace }],
      handler: async (call) => json(show(await change(call, 'place.changed', call.body), call)),
    }),
    storeRoute('POST', '/manage/v1/stores/{store_id}/places/{place_id}/rotate', 'rotate_place', {
      ...ofPlace,
      summary: 'Give a place a new code',
      description: 'The old code ends with the next request. Print the new QR code.',
      responses: [{ status: 200, description: 'The place with its new code', schema: GuestPlace }],
      handler: async (call) => json(show(await change(call, 'place.rotated', { code: newCode() }), call)),
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/places/{place_id}/bill', 'get_bill', {
      ...ofPlace,
      summary: 'Get what is owed at a place',
      description:
        'Its orders that are not rejected or cancelled and have something due: the oldest 100, the totals being theirs.',
      permission: 'read',
      responses: [{ status: 200, description: 'The bill', schema: Bill }],
      handler: async ({ db, store, resource }) => jsonText(await bills.read(db, store, resource.id)),
    }),
    storeRoute('POST', '/manage/v1/stores/{store_id}/places/{place_id}/bill/settle', 'settle_bill', {
      ...ofPlace,
      summary: 'Record that the bill of a place was paid',
      description: 'Adds a payment of what is due to each of its orders: to all of them or to none.',
      permission: 'orders:write',
      body: { kind: 'json', schema: SettleRequest, example: { method: 'card', expected_due: 2450 } },
      responses: [
        { status: 200, description: 'The bill with the payments', schema: Bill },
        { status: 409, description: 'Something else is due by now, with the bill', schema: BillConflict },
      ],
      handler: async ({ store, resource, body, by }) => {
        const { method, expected_due: expectedDue } = body;
        return jsonText(await bills.settle(store, resource.id, { method, expectedDue, by }));
      },
    }),
    storeRoute('DELETE', '/manage/v1/stores/{store_id}/places/{place_id}', 'delete_place', {
      ...ofPlace,
      summary: 'Remove a place',
      description: 'Its code ends with the next request. Its orders stay, and guests can still follow them.',
      responses: [{ status: 204, description: 'The place is gone' }],
      handler: async ({ db, store, resource }) => {
        await db.transaction(async (tx) => {
          if (!(await deletePlace(tx, store.storeKey, resource.id))) throw new NotFound('Place');
          await audit(tx, 'place.deleted', {
            storeId: store.id,
            subject: resource.id,
            before: partsOf(resource),
          });
        });
        return noContent();
      },
    }),
  ];
}

/** Changes a place, and says so in the audit log; a new code is told as such, never itself. */
function change(
  { db, store, resource }: PlaceRequest & { readonly resource: StoredPlace },
  type: 'place.changed' | 'place.rotated',
  wanted: Parameters<typeof updatePlace>[3],
): Promise<StoredPlace> {
  return db.transaction(async (tx) => {
    const changed = requireFound(await updatePlace(tx, store.storeKey, resource.id, wanted), 'Place');
    const { label } = changed;
    const parts =
      type === 'place.changed'
        ? { before: partsOf(resource), after: partsOf(changed) }
        : { after: { label } };
    await audit(tx, type, { storeId: store.id, subject: resource.id, ...parts });
    return changed;
  });
}

function partsOf({ label, kind, status }: StoredPlace): object {
  return { label, kind, status };
}
