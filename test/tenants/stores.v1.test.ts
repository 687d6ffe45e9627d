import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';
import { createKey, createMerchant, createStore, createTenant } from '../harness/tenant.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string;

const service = await useService();

describe('GET /v1/stores/{store_service_id}', () => {
  it('shows every field that was given, in the shape of the interface', async () => {
    const merchantId = await createMerchant(service, 'Ñandú');
    const given = {
      external_id: 'till/1',
      store_phone: '+34 910 000 000',
      contacts: { email: 'a@example.com', nested: [{ deep: null }], __proto__x: 1 },
      address_line_1: 'Calle Mayor 1',
      timezone: 'Europe/Madrid',
      city: 'Madrid',
      postal_code: '28013',
      country: 'ES',
      location_name: 'Sol',
      admin_area: 'Madrid',
      store_type: { content: 'Dine-in', business_type: { name: 'Restaurant' } },
      restaurant_configuration: { cuisine_type: { name: 'Spanish' } },
    };
    const name = { translations: { es: 'Centro', ar: 'مركز' } };
    const id = await createStore(service, merchantId, {
      ...given,
      name,
      phone_numbers: [{ phone_number: '1' }],
    });
    const { status, body } = await ask(`${service.url}/v1/stores/${id}`, { key: service.operatorKey });
    expect([status, body]).toEqual([
      200,
      {
        id,
        name,
        created_at: TIME,
        ...given,
        phone_numbers: [{ id: ID, phone_number: '1', create_date_time: TIME }],
        merchant: { id: merchantId, created_at: TIME, brand_name: 'Ñandú' },
      },
    ]);
  });

  it('leaves absent fields out', async () => {
    const { storeId, merchantId, key } = await createTenant(service);
    const { body } = await ask(`${service.url}/v1/stores/${storeId}`, { key });
    expect(body).toEqual({
      id: storeId,
      name: { translations: { en: 'Centro' } },
      created_at: TIME,
      merchant: { id: merchantId, created_at: TIME, brand_name: 'Casa Comanda' },
    });
  });
});

describe('GET /v1/stores/', () => {
  it('lists the stores of the key, oldest first, with skip and limit', async () => {
    const { merchantId, storeId, key } = await createTenant(service);
    const second = await createStore(service, merchantId);
    const third = await createStore(service, merchantId);
    const list = async (query: string) =>
      (await ask<{ id: string }[]>(`${service.url}/v1/stores/${query}`, { key })).body.map(({ id }) => id);
    expect(await list('')).toEqual([storeId, second, third]);
    expect(await list('?skip=1&limit=1')).toEqual([second]);
    expect(await list('?skip=99')).toEqual([]);
    expect(await list('?limit=1&limit=2')).toEqual([storeId, second]);
    // The second question mark belongs to the name, and the interface ignores names it does not know.
    expect(await list('??limit=1')).toEqual([storeId, second, third]);
  });

  it('shows a restricted key its own stores alone', async () => {
    const { merchantId } = await createTenant(service);
    const second = await createStore(service, merchantId);
    const wanted = { merchant_id: merchantId, store_ids: [second], permissions: ['read'] };
    const { key } = await createKey(service, wanted);
    const { body } = await ask<{ id: string }[]>(`${service.url}/v1/stores/`, { key });
    expect(body.map(({ id }) => id)).toEqual([second]);
  });

  it.each([
    ['skip=-1', 'greater_than_equal', 'skip'],
    ['limit=0', 'greater_than_equal', 'limit'],
    ['limit=1001', 'less_than_equal', 'limit'],
    ['limit=1e2', 'int_parsing', 'limit'],
    ['limit=0x10', 'int_parsing', 'limit'],
    ['limit=%2010', 'int_parsing', 'limit'],
    ['limit=', 'int_parsing', 'limit'],
    ['limit=%ff', 'int_parsing', 'limit'],
    ['skip=99999999999999999999', 'less_than_equal', 'skip'],
  ])('refuses ?%s', async (query, type, name) => {
    const { status, body } = await ask(`${service.url}/v1/stores/?${query}`, { key: service.operatorKey });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ type, loc: ['query', name] }] });
  });
});
