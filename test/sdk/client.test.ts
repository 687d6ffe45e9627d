import {
  AuthenticationError,
  ComandaError,
  ConflictError,
  ConnectionError,
  createClient,
  NotFoundError,
  PermissionError,
  ValidationError,
} from '#sdk';
import { describe, expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';

const service = await useService();

const as = (apiKey: string) => createClient({ baseUrl: service.url, apiKey });

describe('createClient', () => {
  it('reads, creates and changes what the service holds', async () => {
    const operator = as(service.operatorKey);
    const merchant = await operator.createMerchant({ brand_name: 'Ñandú & Söhne' });
    const store = await operator.createStore({
      merchant_id: merchant.id,
      name: { translations: { es: 'Centro' } },
      country: 'ES',
    });
    expect(store).toMatchObject({ currency: 'EUR', merchant });
    expect(await operator.changeStore(store.id, { city: 'Madrid' })).toEqual({ ...store, city: 'Madrid' });
    expect(await operator.getMerchant(merchant.id)).toEqual(merchant);
    expect(await operator.revokeKey((await keyFor(merchant.id)).id)).toBeUndefined();
  });

  it('takes a base URL with slashes at its end', async () => {
    const { key, storeId } = await createTenant(service);
    const client = createClient({ baseUrl: `${service.url}//`, apiKey: key });
    expect((await client.getStore(storeId)).id).toBe(storeId);
  });

  it('refuses a base URL that is none, and a path parameter that leads to another path', async () => {
    expect(() => createClient({ baseUrl: 'localhost:8080' })).toThrow(ComandaError);
    for (const id of ['', '.', '..'])
      await expect(as('x').getStore(id)).rejects.toThrow(
        'store_service_id must be a number or a non-empty string, and not . or ..',
      );
    // It was the path of the store.
    const { storeId } = await createTenant(service);
    const operator = as(service.operatorKey);
    await expect(operator.deletePlace(storeId, '..')).rejects.toThrow('place_id must be');
    expect((await operator.getStore(storeId)).id).toBe(storeId);
  });

  it('gives status and headers to whoever asks', async () => {
    const { key, storeId } = await createTenant(service);
    const { status, headers, body } = await as(key).withAnswer.getStore(storeId);
    expect([status, headers.get('content-type'), body.id]).toEqual([200, 'application/json', storeId]);
  });

  it('sends any other request, and follows a redirect within the service', async () => {
    const { key, merchantId } = await createTenant(service);
    const { body } = await as(key).request({ path: '/v1/merchants' });
    expect(body).toMatchObject([{ id: merchantId }]);
  });

  it('iterates over lists page by page', async () => {
    const { key, merchantId, storeId } = await createTenant(service);
    const second = await createStore(service, merchantId);
    const ids: string[] = [];
    for await (const store of as(key).iterateStores()) ids.push(store.id);
    expect(ids).toEqual([storeId, second]);
  });
});

describe('errors', () => {
  it('carry the errors of a 422', async () => {
    const error: unknown = await as(service.operatorKey)
      .createMerchant({ brand_name: '' })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      name: 'ValidationError',
      message: '422 body.brand_name: String should have at least 1 character',
      status: 422,
      errors: [{ loc: ['body', 'brand_name'], type: 'string_too_short' }],
    });
    expect((error as ValidationError).requestId).toMatch(/^[\w-]{36}$/);
  });

  it('have a class for each refusal', async () => {
    const { key, storeId } = await createTenant(service);
    await expect(as('no such key').getStore(storeId)).rejects.toThrow(AuthenticationError);
    await expect(as(key).createMerchant({ brand_name: 'x' })).rejects.toThrow(PermissionError);
    await expect(as(key).getStore('nothing')).rejects.toThrow(NotFoundError);
    const operator = as(service.operatorKey);
    const once = { idempotencyKey: 'one key, two bodies' };
    await operator.createMerchant({ brand_name: 'a' }, once);
    await expect(operator.createMerchant({ brand_name: 'b' }, once)).rejects.toThrow(ConflictError);
  });

  it('say why no answer came', async () => {
    const nowhere = createClient({ baseUrl: 'http://127.0.0.1:2', apiKey: 'x' });
    await expect(nowhere.listStores()).rejects.toThrow(ConnectionError);
  });
});

async function keyFor(merchantId: string) {
  return as(service.operatorKey).issueKey({ merchant_id: merchantId, permissions: ['read'] });
}
