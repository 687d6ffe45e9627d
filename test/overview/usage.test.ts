import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { guestClient, openForGuests } from '../harness/guest.js';
import { png } from '../harness/images.js';
import { chain, menuClient } from '../harness/menu.js';
import { takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createMerchant, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();

const manage = <T = Record<string, unknown>>(method: string, path: string, body?: object) =>
  ask<T>(`${service.url}/manage/v1/${path}`, { method, key: service.operatorKey, body });

it('counts orders of the month per store, as JSON and CSV', async () => {
  const tenant = await openForGuests(service);
  const { merchantId, storeId, place } = tenant;
  const silent = await createStore(service, merchantId);
  await takeIn(service, tenant);
  await takeIn(service, tenant, { created_at: '2020-02-29T23:59:59Z' });
  const guest = await guestClient(service).order(place.code);
  expect(guest.status, JSON.stringify(guest.body)).toBe(201);
  const month = new Date().toISOString().slice(0, 7);
  const usage = await manage<{ stores: { bytes: number; events: number }[] }>(
    'GET',
    `usage?month=${month}&merchant_id=${merchantId}`,
  );
  const [first] = usage.body.stores;
  expect(usage.body).toEqual({
    month,
    stores: [
      {
        store_id: storeId,
        merchant_id: merchantId,
        orders: 2,
        guest_orders: 1,
        events: first?.events,
        bytes: first?.bytes,
      },
      { store_id: silent, merchant_id: merchantId, orders: 0, guest_orders: 0, events: 0, bytes: 0 },
    ],
    cursor: silent,
    has_more: false,
  });
  expect(first?.events).toBeGreaterThanOrEqual(4);
  expect(first?.bytes).toBeGreaterThan(0);
  const csv = await ask<string>(`${service.url}/manage/v1/usage?month=2020-02&merchant_id=${merchantId}`, {
    key: service.operatorKey,
    headers: { accept: 'text/csv' },
  });
  expect(csv.body.split('\r\n')).toEqual([
    'store_id,merchant_id,orders,guest_orders,events,bytes',
    `${storeId},${merchantId},1,0,${first?.events},${first?.bytes}`,
    `${silent},${merchantId},0,0,0,0`,
    '',
  ]);
  expect((await ask(`${service.url}/manage/v1/usage?month=2020-02`, { key: tenant.key })).status).toBe(403);
});

it.each(['2020-13', '2020', 'now', '1969-12', ''])('the month %j is refused', async (month) => {
  const { status, body } = await manage('GET', `usage?month=${month}`);
  expect([status, body]).toMatchObject([422, { detail: [{ loc: ['query', 'month'] }] }]);
});

it('a store like another gets its settings, hours, places and printers, and its menu where that is wanted', async () => {
  const tenant = await createTenant(service, ['read', 'store:write', 'menu:write', 'orders:write']);
  const { merchantId: merchant_id, storeId: like } = tenant;
  await menuClient(service, { storeId: like, key: tenant.key }).post(chain());
  await manage('PATCH', `stores/${like}`, {
    timezone: 'Europe/Madrid',
    currency: 'EUR',
    city: 'Madrid',
    accept: { auto: true },
    print_within_minutes: 5,
    ready_when_done: true,
    customer_days: 30,
  });
  const printer = await manage<{ url: string }>('POST', `stores/${like}/printers`, {
    label: 'Bar',
    protocol: 'epson',
    prep_types: ['bar'],
    copies: 2,
  });
  const shut = await manage('POST', `stores/${like}/places`, { label: 'Terrace', kind: 'table' });
  await manage('PATCH', `stores/${like}/places/${String(shut.body['id'])}`, { status: 'disabled' });
  await ask(`${service.url}/manage/v1/stores/${like}/menu/items/i/photo`, {
    method: 'PUT',
    key: tenant.key,
    body: png(4, 3),
    headers: { 'content-type': 'image/png' },
  });
  await manage('PATCH', `stores/${like}/intake/settings`, { prep_minutes: 25 });
  await manage('PATCH', `stores/${like}/intake`, { pause: { note: 'Fire' } });
  const place = await manage<{ code: string }>('POST', `stores/${like}/places`, {
    label: 'Table 7',
    kind: 'table',
    external_id: 't7',
  });

  const name = { translations: { en: 'Second' } };
  const create = (more: object) =>
    manage<{ id: string }>('POST', 'stores', { merchant_id, name, like, ...more });
  const made = await create({ customer_days: 10 });
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      ...{ name, timezone: 'Europe/Madrid', currency: 'EUR', accept: { auto: true }, customer_days: 10 },
      ...{ print_within_minutes: 5, ready_when_done: true },
    },
  ]);
  expect(made.body).not.toHaveProperty('city');
  const { id } = made.body;
  expect((await manage('GET', `stores/${id}/intake`)).body).toMatchObject({
    settings: { prep_minutes: 25 },
    revision: 1,
  });
  expect((await manage('GET', `stores/${id}/intake`)).body['state']).not.toBe('paused');
  const places = await manage<{ code: string }[]>('GET', `stores/${id}/places`);
  expect(places.body).toMatchObject([
    { label: 'Terrace', status: 'disabled' },
    { label: 'Table 7', kind: 'table', external_id: 't7', status: 'active' },
  ]);
  const printers = await manage<{ url: string }[]>('GET', `stores/${id}/printers`);
  expect(printers.body).toMatchObject([{ label: 'Bar', protocol: 'epson', prep_types: ['bar'], copies: 2 }]);
  expect(printers.body[0]?.url).not.toBe(printer.body.url);
  expect(places.body[1]?.code).not.toBe(place.body.code);
  const menuOf = (storeId: string) =>
    ask<{ items: object[] }>(`${service.url}/v1/stores/${storeId}/menu_configuration/flat`, {
      key: tenant.key,
    });
  expect((await menuOf(id)).body.items).toEqual([]);
  const full = await create({ menu: true });
  expect((await menuOf(full.body.id)).body.items).toMatchObject([{ external_id: 'i' }]);
  const photos = await manage<{ photos: object[] }>('GET', `stores/${full.body.id}/menu/photos`);
  expect(photos.body.photos).toMatchObject([{ external_id: 'i', width: 4 }]);
  const abroad = await create({ currency: 'JPY', menu: true });
  expect([abroad.status, abroad.body]).toMatchObject([422, { detail: [{ type: 'currency_differs' }] }]);
  expect((await create({ currency: 'JPY' })).status).toBe(201);
  expect((await create({ country: 'JP' })).body).toMatchObject({ currency: 'JPY' });

  const other = await createStore(service, await createMerchant(service));
  for (const wrong of [other, 'nothing']) {
    const { status, body } = await create({ like: wrong });
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'like'] }] }]);
  }
  const alone = await create({ like: undefined, menu: true });
  expect([alone.status, alone.body]).toMatchObject([422, { detail: [{ loc: ['body', 'like'] }] }]);
});
