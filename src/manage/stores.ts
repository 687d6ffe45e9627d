import Type from 'typebox';
import { getStore } from '../db/stores.js';
import { exampleIds } from '../domain/example-ids.js';
import { ManagedStore, StoreCreate, StorePatch } from '../domain/store/shapes.js';
import { json } from '../http/answer.js';
import { route, storeRoute, type Route } from '../http/route.js';
import { changeStore, createStore } from '../operations/stores.js';
import { answerOnce, IdempotencyHeaders } from './idempotency-key.js';

export const StoreParams = Type.Object({
  store_id: Type.String({ description: 'The id of the store', examples: [exampleIds.store] }),
});

/** For routes whose examples write: they lead to a store of the demo that is there to be tried on, not to one that is shown. */
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

export function storeRoutes(): Route[] {
  return [
    route({
      method: 'POST',
      path: '/manage/v1/stores',
      operationId: 'create_store',
      tag: 'Stores',
      summary: 'Create a store',
      description: 'The currency, where it is not stated, is that of the country (a two-letter code).',
      permission: 'operator',
      headers: IdempotencyHeaders,
      body: { kind: 'json', schema: StoreCreate, example: STORE_EXAMPLE },
      answers: [{ status: 201, description: 'The store', schema: ManagedStore }],
      handler: (call) =>
        answerOnce(call, async (tx) => ({ status: 201, body: await createStore(tx, call.body) })),
    }),
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}',
      operationId: 'get_managed_store',
      tag: 'Stores',
      summary: 'Get a store with its currency',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_id',
      answers: [{ status: 200, description: 'The store', schema: ManagedStore }],
      handler: async ({ db, store }) => json(await getStore(db, store.id)),
    }),
    storeRoute({
      method: 'PATCH',
      path: '/manage/v1/stores/{store_id}',
      operationId: 'change_store',
      tag: 'Stores',
      summary: 'Change a store',
      description:
        'Fields that are left out stay as they are; null clears one. A phone number that stays keeps its id.',
      permission: 'operator',
      params: StoreParams,
      storeParam: 'store_id',
      body: { kind: 'json', schema: StorePatch, example: { timezone: 'Europe/Madrid', currency: 'EUR' } },
      answers: [{ status: 200, description: 'The store', schema: ManagedStore }],
      handler: async ({ db, store: { id, storeKey }, body, principal }) =>
        json(
          await db.transaction((tx) => changeStore(tx, { id, storeKey, patch: body, keyId: principal.id })),
        ),
    }),
  ];
}
