import { Type } from '../support/shape/type.js';
import { listMerchants, findMerchant } from './merchants.sql.js';
import { exampleIds } from '../support/example-ids.js';
import { MerchantResponse, Store, type ManagedStore } from './shapes.js';
import { json } from '../http/response.js';
import { SkipLimit } from '../support/shape/common-shapes.js';
import { route, type Route, storeRoute } from '../http/route.js';
import { getStore, listStores } from './stores.sql.js';
import { requireFound } from '../support/errors.js';
import { scopeOf } from '../access/principal.js';

export function merchantRoutes(): Route[] {
  return [
    route('GET', '/v1/merchants/', 'list_merchants', {
      tag: 'Merchants',
      summary: 'List merchants',
      description: 'The merchants this key may see, oldest first.',
      permission: 'kitchen:read',
      query: SkipLimit,
      responses: [{ status: 200, description: 'The merchants', schema: Type.Array(MerchantResponse) }],
      handler: async ({ db, principal, query }) =>
        json(
          await listMerchants(db, principal.kind === 'operator' ? undefined : principal.merchantId, query),
        ),
    }),
    route('GET', '/v1/merchants/{merchant_service_id}', 'get_merchant', {
      tag: 'Merchants',
      summary: 'Get merchant',
      description: 'The merchant as it is now.',
      permission: 'kitchen:read',
      params: Type.Object({
        merchant_service_id: Type.String({
          description: 'The id of the merchant',
          examples: [exampleIds.merchant],
        }),
      }),
      responses: [{ status: 200, description: 'The merchant', schema: MerchantResponse }],
      findResource: (call) => findMerchant(call, call.params.merchant_service_id),
      handler: ({ resource }) => json(resource),
    }),
  ];
}

export const StoreParams = Type.Object({
  store_service_id: Type.String({ description: 'The id of the store', examples: [exampleIds.store] }),
});

export function storeRoutes(): Route[] {
  return [
    route('GET', '/v1/stores/', 'list_stores', {
      tag: 'Stores',
      summary: 'List stores',
      description: 'The stores this key may see, oldest first.',
      permission: 'kitchen:read',
      query: SkipLimit,
      responses: [{ status: 200, description: 'The stores', schema: Type.Array(Store) }],
      handler: async ({ db, principal, query }) =>
        json((await listStores(db, scopeOf(principal), query)).map(withoutSettings)),
    }),
    storeRoute('GET', '/v1/stores/{store_service_id}', 'get_store', {
      tag: 'Stores',
      summary: 'Get store',
      description: 'The store as it is now.',
      permission: 'kitchen:read',
      params: StoreParams,
      responses: [{ status: 200, description: 'The store', schema: Store }],
      handler: async ({ db, store }) => {
        const found = requireFound(await getStore(db, store.id), 'Store');
        return json(withoutSettings(found));
      },
    }),
  ];
}

/** Drops the settings, which only the manage side shows. */
function withoutSettings(store: ManagedStore): Store {
  const fields = Object.entries(store).filter(([field]) => field in Store.properties);
  return Object.fromEntries(fields) as unknown as Store;
}
