import { expect, it } from 'vitest';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { call, openSession } from '../console/browser-session.js';
import { ask } from '../harness/client.js';
import { chain, menuClient } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();

interface List {
  readonly entries: readonly Record<string, unknown>[];
  readonly cursor?: string;
  readonly has_more: boolean;
}

const read = async (key: string, query = '') =>
  (await ask<List>(`${service.url}/manage/v1/audit?${query}`, { key })).body;
const types = ({ entries }: List) => entries.map(({ type }) => type);

const PERMISSIONS = ['read', 'stock:write', 'menu:write', 'store:write', 'keys:write'];

it('tells who changed what, before and after, newest first and page by page', async () => {
  const tenant = await createTenant(service, PERMISSIONS);
  const { key, storeId: store_id, merchantId: merchant_id } = tenant;
  const boss = await createKey(service, { merchant_id, permissions: PERMISSIONS, label: 'Boss' });
  const change = (path: string, body: object) =>
    ask(`${service.url}/manage/v1/stores/${store_id}${path}`, { method: 'PATCH', key: boss.key, body });
  await menuClient(service, { storeId: store_id, key: boss.key }).post(chain());
  const renamed = await change('', { city: 'Porto', timezone: 'Europe/Lisbon' });
  await change('', { city: 'Porto' });
  await change('/menu/items/i', { in_stock: false });
  await change('/menu/items/i', { in_stock: false });

  const all = await read(key);
  expect(types(all)).toEqual([
    'stock.marked',
    'store.changed',
    'menu.published',
    'key.issued',
    'key.issued',
    'store.created',
    'merchant.created',
  ]);
  expect(all.entries[1]).toEqual({
    id: expect.any(String) as string,
    at: expect.any(String) as string,
    key_id: boss.id,
    label: 'Boss',
    via: 'api',
    type: 'store.changed',
    merchant_id,
    store_id,
    subject: store_id,
    before: {},
    after: { city: 'Porto', timezone: 'Europe/Lisbon' },
    request_id: renamed.headers.get('x-request-id'),
  });
  expect(all.entries[0]).toMatchObject({
    subject: 'i',
    before: { in_stock: true },
    after: { in_stock: false },
  });

  expect(types(await read(key, `key_id=${boss.id}`))).toEqual([
    'stock.marked',
    'store.changed',
    'menu.published',
  ]);
  expect(types(await read(key, 'type=menu.published'))).toEqual(['menu.published']);
  expect(types(await read(key, `store_id=${store_id}&type=store.created`))).toEqual(['store.created']);
  const pages: unknown[] = [];
  let page = await read(key, 'limit=3');
  for (; page.has_more; page = await read(key, `limit=3&after=${page.cursor ?? ''}`))
    pages.push(...types(page));
  expect([...pages, ...types(page)]).toEqual(types(all));
  const end = await read(key, `after=${all.cursor ?? ''}`);
  expect(end).toEqual({ entries: [], cursor: all.cursor, has_more: false });
});

it('shows a key what concerns its own merchant, and one of some stores those stores alone', async () => {
  const [tenant, stranger] = [
    await createTenant(service, PERMISSIONS),
    await createTenant(service, PERMISSIONS),
  ];
  const { merchantId: merchant_id } = tenant;
  const second = await createStore(service, merchant_id);
  const narrow = await createKey(service, { merchant_id, store_ids: [second], permissions: PERMISSIONS });
  const nothing = { entries: [], cursor: expect.any(String) as string, has_more: false };
  expect(await read(tenant.key, `merchant_id=${stranger.merchantId}`)).toEqual(nothing);
  expect(await read(tenant.key, `store_id=${stranger.storeId}`)).toEqual(nothing);
  expect(await read(tenant.key, 'store_id=none')).toEqual(nothing);
  expect(await read(narrow.key, `store_id=${tenant.storeId}`)).toEqual(nothing);
  expect(await read(tenant.key, 'type=no.such')).toEqual(nothing);
  const { cursor = '' } = await read(tenant.key, 'type=no.such');
  expect((await read(tenant.key, `after=${cursor}`)).entries.length).toBeGreaterThan(0);
  expect((await read(narrow.key)).entries).toMatchObject([{ type: 'store.created', store_id: second }]);
  expect(types(await read(service.operatorKey, `merchant_id=${stranger.merchantId}`))).toEqual([
    'key.issued',
    'store.created',
    'merchant.created',
  ]);
  const reader = await createKey(service, { merchant_id, permissions: ['read'] });
  const url = `${service.url}/manage/v1/audit`;
  expect((await ask(url, { key: reader.key })).status).toBe(403);
  const broken = await ask(`${url}?after=yesterday`, { key: tenant.key });
  expect(broken).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'after'] }] } });
});

it('records a sign-in, and that a change came through the console', async () => {
  const tenant = await createTenant(service, PERMISSIONS);
  const cookie = await openSession(service, tenant.key);
  const { status } = await call(service, cookie, `/manage/v1/stores/${tenant.storeId}`, {
    method: 'PATCH',
    body: { city: 'Lisboa' },
    headers: { origin: service.url },
  });
  expect(status).toBe(200);
  const { entries } = await read(tenant.key, 'limit=2');
  expect(entries).toMatchObject([
    { type: 'store.changed', via: 'console', key_id: tenant.keyId },
    { type: 'key.signed_in', via: 'console', key_id: tenant.keyId, merchant_id: tenant.merchantId },
  ]);
});

it('tells of a pause and a busy kitchen as the API does', async () => {
  const tenant = await createTenant(service, [...PERMISSIONS, 'orders:write']);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const body = { pause: { until, note: 'Fire' }, busy: { until, extra_minutes: 20 } };
  const url = `${service.url}/manage/v1/stores/${tenant.storeId}/intake`;
  expect((await ask(url, { method: 'PATCH', key: tenant.key, body })).status).toBe(200);
  await ask(url, { method: 'PATCH', key: tenant.key, body: { busy: null } });
  const { busy } = body;
  expect((await read(tenant.key, 'limit=2')).entries).toMatchObject([{ before: { busy } }, { after: body }]);
});

it('tells a long value by its length', async () => {
  const tenant = await createTenant(service, PERMISSIONS);
  const special_days = Array.from({ length: 100 }, (_, day) => ({
    date: new Date(Date.UTC(2030, 0, 1 + day)).toISOString().slice(0, 10),
    closed: true,
  }));
  await ask(`${service.url}/manage/v1/stores/${tenant.storeId}/intake/settings`, {
    method: 'PATCH',
    key: tenant.key,
    body: { special_days },
  });
  const { entries } = await read(tenant.key, 'limit=1');
  const { length } = JSON.stringify(special_days);
  expect(entries).toMatchObject([
    { type: 'intake.changed', after: { special_days: { characters: length } } },
  ]);
});

it('a change that is rolled back leaves no entry, and the cleanup removes old ones', async () => {
  const tenant = await createTenant(service, PERMISSIONS);
  const before = await read(tenant.key);
  const refused = await ask(`${service.url}/manage/v1/keys`, {
    method: 'POST',
    key: tenant.key,
    body: { permissions: ['webhooks:write'] },
  });
  expect(refused.status).toBe(403);
  expect(await read(tenant.key)).toEqual(before);
  await cleanUp(service.db, 30, { auditDays: 1 });
  expect(await read(tenant.key)).toEqual(before);
  await cleanUp(service.db, 30, { auditDays: -1 });
  expect(await read(tenant.key)).toEqual({
    entries: [],
    cursor: expect.any(String) as string,
    has_more: false,
  });
});

it('tells with which settings a store began, and like which other', async () => {
  const { merchantId: merchant_id, storeId } = await createTenant(service, PERMISSIONS);
  const create = (body: object) =>
    ask<{ id: string }>(`${service.url}/manage/v1/stores`, {
      method: 'POST',
      key: service.operatorKey,
      body: { merchant_id, name: { translations: { en: 'New' } }, ...body },
    });
  await ask(`${service.url}/manage/v1/stores/${storeId}`, {
    method: 'PATCH',
    key: service.operatorKey,
    body: { ready_when_done: true },
  });
  const { body: plain } = await create({ timezone: 'Asia/Tokyo', currency: 'JPY' });
  const { body: alike } = await create({ like: storeId });
  const created = async (id: string) =>
    (await read(service.operatorKey, `store_id=${id}&type=store.created`)).entries;
  expect(await created(plain.id)).toMatchObject([{ after: { timezone: 'Asia/Tokyo', currency: 'JPY' } }]);
  expect(await created(alike.id)).toMatchObject([{ after: { like: storeId, ready_when_done: true } }]);
});
