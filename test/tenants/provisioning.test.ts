import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createMerchant, createTenant } from '../harness/tenant.js';

const service = await useService();

type Json = Record<string, unknown>;
const error = (loc: unknown[], type: string, msg: string) => ({ loc, msg, type, input: null });
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  ask<Json>(`${service.url}/manage/v1${path}`, { method, key: service.operatorKey, body, headers });

describe('merchants', () => {
  it('are created and changed field by field', async () => {
    const created = await send('POST', '/merchants', { brand_name: 'A', business_type: { name: 'Bar' } });
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    const changed = await send('PATCH', `/merchants/${id}`, { brand_name: 'B', business_type: null });
    const { business_type: _, ...kept } = created.body;
    expect([changed.status, changed.body]).toEqual([200, { ...kept, brand_name: 'B' }]);
    const unnamed = await send('PATCH', `/merchants/${id}`, { brand_name: null });
    expect([unnamed.status, unnamed.body]).toEqual([
      422,
      { detail: [error(['body', 'brand_name'], 'string_type', 'Input should be a valid string')] },
    ]);
    const read = await ask(`${service.url}/v1/merchants/${id}`, { key: service.operatorKey });
    expect([read.status, read.body]).toEqual([200, changed.body]);
  });

  it('are shown to their own keys alone', async () => {
    const mine = await createTenant(service);
    const theirs = await createMerchant(service);
    const list = await ask<Json[]>(`${service.url}/v1/merchants/`, { key: mine.key });
    expect(list.body.map(({ id }) => id)).toEqual([mine.merchantId]);
    const read = await ask(`${service.url}/v1/merchants/${theirs}`, { key: mine.key });
    expect([read.status, read.body]).toEqual([404, { detail: 'Merchant not found' }]);
  });
});

describe('stores', () => {
  it('have an id that ends with their number, as the ids of their orders do', async () => {
    const tenant = await createTenant(service);
    const { body } = await takeIn(service, tenant);
    expect(body.id.slice(-8)).toBe(tenant.storeId.slice(-8));
  });

  it('take their currency from their country unless it is stated', async () => {
    const merchant_id = await createMerchant(service);
    const currencyOf = async (more: Json) =>
      (await send('POST', '/stores', { merchant_id, name: { translations: {} }, ...more })).body['currency'];
    expect(await currencyOf({ country: 'JP' })).toBe('JPY');
    expect(await currencyOf({ country: 'de' })).toBe('EUR');
    expect(await currencyOf({ country: 'DE', currency: 'CHF' })).toBe('CHF');
    expect(await currencyOf({})).toBeUndefined();
  });

  it('keep the id of a phone number that stays', async () => {
    const merchant_id = await createMerchant(service);
    const numbers = (...list: string[]) => ({
      phone_numbers: list.map((phone_number) => ({ phone_number })),
    });
    const { body } = await send('POST', '/stores', {
      merchant_id,
      name: { translations: {} },
      ...numbers('1', '2'),
    });
    const before = body['phone_numbers'] as Json[];
    const patched = await send('PATCH', `/stores/${String(body['id'])}`, numbers('2', '3'));
    const after = patched.body['phone_numbers'] as Json[];
    expect(after[0]).toEqual(before[1]);
    expect(after[1]).toMatchObject({ phone_number: '3' });
  });

  it('change only in what a patch states; null clears', async () => {
    const merchant_id = await createMerchant(service);
    const given = {
      name: { translations: { en: 'A' } },
      city: 'Graz',
      contacts: { a: [1, null] },
      timezone: 'Europe/Vienna',
    };
    const { body } = await send('POST', '/stores', { merchant_id, ...given });
    const change = (patch: Json) => send('PATCH', `/stores/${String(body['id'])}`, patch);
    const patched = await change({ city: 'Wien', timezone: null, address_line_2: null });
    const { timezone: _, ...kept } = body;
    expect([patched.status, patched.body]).toEqual([200, { ...kept, city: 'Wien' }]);
    const unnamed = await change({ name: null, country: null });
    expect([unnamed.status, unnamed.body]).toEqual([
      422,
      {
        detail: [
          {
            ...error(
              ['body', 'name'],
              'model_attributes_type',
              'Input should be a valid dictionary or object to extract fields from',
            ),
            ctx: { hint: 'an object with translations' },
          },
        ],
      },
    ]);
    const numbered = await change({ phone_numbers: [{ phone_number: '1' }], currency: 'EUR' });
    expect(numbered.body).toMatchObject({ phone_numbers: [{ phone_number: '1' }], currency: 'EUR' });
    expect((await change({ phone_numbers: null, currency: null })).body).toEqual(patched.body);
    expect((await change({ timezone: 'Mars/Olympus' })).status).toBe(422);
  });

  it('keep their settings to the manage side, and merge those that have several fields', async () => {
    const { storeId, key } = await createTenant(service);
    const change = async (body: Json) => (await send('PATCH', `/stores/${storeId}`, body)).body;
    expect(await change({ accept: { auto: true }, guest: { enabled: true }, order_days: 30 })).toMatchObject({
      accept: { auto: true, then: 'nothing' },
      guest: { enabled: true, name: 'optional', phone: 'none', most_open: 5 },
      order_days: 30,
    });
    const changed = await change({
      accept: { within_minutes: 5, auto: null },
      guest: null,
      order_days: null,
      in_pos_within_minutes: 10,
    });
    expect(changed).toMatchObject({
      accept: { auto: false, within_minutes: 5, then: 'nothing' },
      in_pos_within_minutes: 10,
    });
    expect(changed).not.toHaveProperty('guest');
    expect(changed).not.toHaveProperty('order_days');
    const shown = await ask<Json>(`${service.url}/v1/stores/${storeId}`, { key });
    const { accept: _, in_pos_within_minutes: __, currency: ___, ...rest } = changed;
    expect(shown.body).toEqual(rest);
  });

  it.each<[Json, unknown[], string]>([
    [{ merchant_id: 'nobody' }, ['merchant_id'], 'unresolved_reference'],
    [{ timezone: 'Mars/Olympus' }, ['timezone'], 'value_error'],
    [{ timezone: '+01:00' }, ['timezone'], 'value_error'],
    [{ currency: 'euro' }, ['currency'], 'value_error'],
    [{ currency: 'constructor' }, ['currency'], 'value_error'],
    [{ name: 'Centro' }, ['name'], 'model_attributes_type'],
    [{ contacts: [] }, ['contacts'], 'dict_type'],
    [{ contacts: { a: '\u0000' } }, ['contacts', 'a'], 'string_unicode'],
    [{ external_id: '' }, ['external_id'], 'string_too_short'],
    [{ phone_numbers: [{}] }, ['phone_numbers', 0, 'phone_number'], 'missing'],
    [{ store_type: { business_type: {} } }, ['store_type', 'business_type', 'name'], 'missing'],
    [
      { restaurant_configuration: { cuisine_type: { name: 5 } } },
      ['restaurant_configuration', 'cuisine_type', 'name'],
      'string_type',
    ],
  ])('are refused with %j', async (change, loc, type) => {
    const merchant_id = await createMerchant(service);
    const { status, body } = await send('POST', '/stores', {
      merchant_id,
      name: { translations: {} },
      ...change,
    });
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', ...loc], type }] }]);
  });
});

describe('merchant keys', () => {
  it('may not provision: 403 for their own, 404 for what is not theirs', async () => {
    const { key, storeId, merchantId } = await createTenant(service);
    const other = await createTenant(service);
    const statusOf = async (method: string, path: string) =>
      (await ask(`${service.url}/manage/v1${path}`, { method, key, body: {} })).status;
    expect(await statusOf('POST', '/merchants')).toBe(403);
    expect(await statusOf('POST', '/stores')).toBe(403);
    expect(await statusOf('POST', '/keys')).toBe(403);
    expect(await statusOf('PATCH', `/stores/${storeId}`)).toBe(403);
    expect(await statusOf('PATCH', `/stores/${other.storeId}`)).toBe(404);
    expect(await statusOf('PATCH', `/merchants/${merchantId}`)).toBe(403);
    expect(await statusOf('PATCH', `/merchants/${other.merchantId}`)).toBe(404);
  });

  it('without read see nothing of what they may see', async () => {
    const { key, storeId } = await createTenant(service, ['orders:write']);
    const { status, body } = await ask(`${service.url}/v1/stores/${storeId}`, { key });
    expect([status, body]).toEqual([403, { detail: 'This key lacks the permission read' }]);
  });
});

describe('Idempotency-Key', () => {
  it('gives the first answer again and creates nothing', async () => {
    const headers = { 'idempotency-key': 'till-1' };
    const first = await send('POST', '/merchants', { brand_name: 'Once' }, headers);
    const again = await send('POST', '/merchants', { brand_name: 'Once' }, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const different = await send('POST', '/merchants', { brand_name: 'Twice' }, headers);
    expect(different.status).toBe(409);
  });

  it('holds when the same request arrives many times at once', async () => {
    const headers = { 'idempotency-key': 'rush' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send('POST', '/merchants', { brand_name: 'Rush' }, headers)),
    );
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  });

  it('is free again after a refusal', async () => {
    const headers = { 'idempotency-key': 'refused' };
    expect((await send('POST', '/merchants', {}, headers)).status).toBe(422);
    expect((await send('POST', '/merchants', { brand_name: 'Fine' }, headers)).status).toBe(201);
  });

  it('is refused beyond 255 characters', async () => {
    const { status } = await send(
      'POST',
      '/merchants',
      { brand_name: 'x' },
      { 'idempotency-key': 'k'.repeat(256) },
    );
    expect(status).toBe(422);
  });

  it('shows the secret of a key in the first answer alone', async () => {
    const merchant_id = await createMerchant(service);
    const wanted = { merchant_id, permissions: ['read'] };
    const first = await send('POST', '/keys', wanted, { 'idempotency-key': 'key' });
    const again = await send('POST', '/keys', wanted, { 'idempotency-key': 'key' });
    const { key, ...rest } = first.body;
    expect(key).toMatch(/^comanda_/);
    expect([again.status, again.body]).toEqual([201, rest]);
  });
});
