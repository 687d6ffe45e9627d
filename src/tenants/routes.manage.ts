import { Type } from '../support/shape/type.js';
import { exampleIds } from '../support/example-ids.js';
import {
  MerchantCreate,
  MerchantPatch,
  MerchantResponse,
  ManagedStore,
  StoreCreate,
  StorePatch,
} from './shapes.js';
import { json } from '../http/response.js';
import { route, type Route, storeRoute } from '../http/route.js';
import { findMerchant, changeMerchant, createMerchant } from './merchants.sql.js';
import { respondOnce, IdempotencyHeaders } from '../http/idempotency.js';
import { getStore } from './stores.sql.js';
import { changeStore, createStoreLike, type CopyParts } from './stores.js';

export const MerchantParams = Type.Object({
  merchant_id: Type.String({ description: 'The id of the merchant', examples: [exampleIds.merchant] }),
});

const MERCHANT_EXAMPLE = { brand_name: 'Casa Comanda', business_type: { name: 'Restaurant' } };

export function merchantRoutes(): Route[] {
  return [
    route('POST', '/manage/v1/merchants', 'create_merchant', {
      tag: 'Merchants',
      summary: 'Create a merchant',
      description: 'A merchant has stores and keys. Its name is shown to staff and guests.',
      permission: 'operator',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: MerchantCreate, example: MERCHANT_EXAMPLE },
      responses: [{ status: 201, description: 'The merchant', schema: MerchantResponse }],
      handler: (call) =>
        respondOnce(call, async (tx) => ({
          status: 201,
          body: await createMerchant(tx, call.body),
        })),
    }),
    route('PATCH', '/manage/v1/merchants/{merchant_id}', 'change_merchant', {
      tag: 'Merchants',
      summary: 'Change a merchant',
      description: 'Omitted fields stay as they are; null clears a field.',
      permission: 'operator',
      params: MerchantParams,
      body: { kind: 'json', schema: MerchantPatch, example: MERCHANT_EXAMPLE },
      responses: [{ status: 200, description: 'The merchant', schema: MerchantResponse }],
      findResource: (call) => findMerchant(call, call.params.merchant_id),
      handler: async ({ db, params, body }) =>
        json(await db.transaction((tx) => changeMerchant(tx, params.merchant_id, body))),
    }),
  ];
}

export const StoreParams = Type.Object({
  store_id: Type.String({ description: 'The id of the store', examples: [exampleIds.store] }),
});

/** For routes whose examples write: they use the demo store that is meant for trying things out. */
export const TrialStoreParams = Type.Object({
  store_id: Type.String({ description: 'The id of the store', examples: [exampleIds.trialStore] }),
});

const STORE_EXAMPLE = {
  merchant_id: exampleIds.merchant,
  name: { translations: { en: 'Corner Café', es: 'Café de la Esquina' } },
  store_phone: '+34 910 000 000',
  phone_numbers: [{ phone_number: '+34 910 000 000' }],
  contacts: { email: 'hello@example.com' },
  address_line_1: 'Calle Mayor 1',
  city: 'Madrid',
  postal_code: '28013',
  country: 'ES',
  timezone: 'Europe/Madrid',
  currency: 'EUR',
};

export function storeRoutes(copyParts: CopyParts): Route[] {
  return [
    route('POST', '/manage/v1/stores', 'create_store', {
      tag: 'Stores',
      summary: 'Create a store',
      description:
        'The default currency is that of the country (a two-letter code). With `like`, it gets the settings, hours, places and ' +
        'printers of another store of the merchant, and its menu with `menu`.',
      permission: 'operator',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: StoreCreate, example: STORE_EXAMPLE },
      responses: [{ status: 201, description: 'The store', schema: ManagedStore }],
      handler: (call) =>
        respondOnce(call, async (tx) => ({
          status: 201,
          body: await createStoreLike(tx, call.body, copyParts),
        })),
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}', 'get_managed_store', {
      tag: 'Stores',
      summary: 'Get a store with its currency',
      description: 'The store with its settings, which the interface does not show.',
      permission: 'kitchen:read',
      params: StoreParams,
      responses: [{ status: 200, description: 'The store', schema: ManagedStore }],
      handler: async ({ db, store }) => json(await getStore(db, store.id)),
    }),
    storeRoute('PATCH', '/manage/v1/stores/{store_id}', 'change_store', {
      tag: 'Stores',
      summary: 'Change a store',
      description:
        'Omitted fields stay as they are; null clears a field. A phone number that does not change keeps its id.',
      permission: 'store:write',
      params: StoreParams,
      body: { kind: 'json', schema: StorePatch, example: { timezone: 'Europe/Madrid', currency: 'EUR' } },
      responses: [{ status: 200, description: 'The store', schema: ManagedStore }],
      handler: async ({ db, store: { id, storeKey }, body, principal }) =>
        json(
          await db.transaction((tx) => changeStore(tx, { id, storeKey, patch: body, keyId: principal.id })),
        ),
    }),
  ];
}
