import Type from 'typebox';
import { getStore, listStores } from '../../db/stores.js';
import { NotFound } from '../../domain/errors.js';
import { exampleIds } from '../../domain/example-ids.js';
import { scopeOf } from '../../domain/key/principal.js';
import { Store, type ManagedStore } from '../../domain/store/shapes.js';
import { json } from '../../http/answer.js';
import { SkipLimit } from '../../domain/shape/common-shapes.js';
import { route, storeRoute, type Route } from '../../http/route.js';

export const StoreParams = Type.Object({
  store_service_id: Type.String({ description: 'The id of the store', examples: [exampleIds.store] }),
});

export function storeRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/stores/',
      operationId: 'list_stores',
      tag: 'Stores',
      summary: 'List stores',
      description: 'The stores this key may see, oldest first.',
      permission: 'read',
      query: SkipLimit,
      answers: [{ status: 200, description: 'The stores', schema: Type.Array(Store) }],
      handler: async ({ db, principal, query }) =>
        json((await listStores(db, scopeOf(principal), query)).map(withoutSettings)),
    }),
    storeRoute({
      method: 'GET',
      path: '/v1/stores/{store_service_id}',
      operationId: 'get_store',
      tag: 'Stores',
      summary: 'Get store',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_service_id',
      answers: [{ status: 200, description: 'The store', schema: Store }],
      handler: async ({ db, store }) => {
        const found = await getStore(db, store.id);
        if (found === undefined) throw new NotFound('Store');
        return json(withoutSettings(found));
      },
    }),
  ];
}

/** The interface's Store has no settings; the manage side shows them. */
function withoutSettings({ currency, orders_checked, ...store }: ManagedStore): Store {
  return store;
}
