import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { chain, menuClient } from '../harness/menu.js';
import { takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createMerchant, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();

interface Overview {
  readonly stores: readonly { readonly store_id: string; readonly [more: string]: unknown }[];
  readonly cursor?: string;
  readonly has_more: boolean;
}

const overview = (key: string, query = '') =>
  ask<Overview>(`${service.url}/manage/v1/overview?${query}`, { key });
const manage = (method: string, path: string, body: object) =>
  ask(`${service.url}/manage/v1/${path}`, { method, key: service.operatorKey, body });
const idsOf = ({ stores }: Overview) => stores.map(({ store_id: id }) => id);

it('tells what is waiting, late, paused and failing, store by store', async () => {
  const tenant = await createTenant(service);
  const { merchantId, key } = tenant;
  const [busy, paused, failing, fresh] = [
    tenant.storeId,
    await createStore(service, merchantId),
    await createStore(service, merchantId),
    await createStore(service, merchantId),
  ];
  await menuClient(service, { storeId: busy, key: service.operatorKey }).post(chain());
  const ready_by = new Date(Date.now() - 60_000).toISOString();
  const first = await takeIn(service, tenant, { ready_by });
  await takeIn(service, tenant, { ready_by: new Date(Date.now() + 3_600_000).toISOString() });
  const last = await takeIn(service, tenant, { ready_by, status: 'FULFILLED' });
  await manage('PATCH', `stores/${paused}/intake`, { pause: { note: 'Fire' } });
  const webhook = await manage('POST', 'webhooks', {
    merchant_id: merchantId,
    store_ids: [failing],
    url: 'http://127.0.0.1:9/',
  });
  await service.db.query({
    name: 'test_fail',
    text: 'UPDATE webhooks SET failing_since = now() WHERE id = $1',
    values: [(webhook.body as { id: string }).id],
  });

  const nothing = {
    name: { translations: { en: 'Centro' } },
    state: 'open',
    waiting: 0,
    late: 0,
    menu_version: 0,
    webhooks_failing: 0,
    printers_in_trouble: 0,
  };
  const all = [
    {
      ...nothing,
      store_id: busy,
      waiting: 2,
      late: 1,
      oldest_waiting_at: first.body.created_at,
      last_order_at: last.body.created_at,
      menu_version: 1,
    },
    { ...nothing, store_id: paused, state: 'paused' },
    { ...nothing, store_id: failing, webhooks_failing: 1 },
    { ...nothing, store_id: fresh },
  ];
  expect((await overview(key)).body).toEqual({ stores: all, cursor: fresh, has_more: false });
  const only = async (need: string) => idsOf((await overview(key, `need=${need}`)).body);
  expect(await only('attention')).toEqual([busy]);
  expect(await only('paused')).toEqual([paused]);
  expect(await only('failing')).toEqual([failing]);

  const one = (await overview(key, 'limit=1')).body;
  expect(one).toEqual({ stores: [all[0]], cursor: busy, has_more: true });
  expect(idsOf((await overview(key, `limit=2&cursor=${one.cursor ?? ''}`)).body)).toEqual([paused, failing]);
  expect((await overview(key, `cursor=${fresh}`)).body).toEqual({
    stores: [],
    cursor: fresh,
    has_more: false,
  });

  const intake = await ask<{ stores: { store_id: string; state: string }[] }>(
    `${service.url}/manage/v1/intake?store_ids=${paused},${busy}`,
    { key },
  );
  expect(intake.body.stores).toMatchObject([
    { store_id: paused, state: 'paused', note: 'Fire', revision: 1 },
    { store_id: busy, state: 'open', revision: 0 },
  ]);
  const alone = await ask(`${service.url}/manage/v1/stores/${paused}/intake`, { key });
  expect(intake.body.stores[0]).toEqual({ store_id: paused, ...(alone.body as object) });
});

it('counts an order as late by when it should be ready, however long ago it was made', async () => {
  const tenant = await createTenant(service);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const make = (status: string, made: number, due: number) =>
    takeIn(service, tenant, { status, created_at: ago(made), ready_by: ago(due) });
  await make('ACCEPTED', 10, -1);
  await make('ACCEPTED', 10, 9);
  await make('READY', 10, 1);
  expect(idsOf((await overview(tenant.key, 'need=attention')).body)).toEqual([]);
  await make('ACCEPTED', 10, 0.001);
  await make('ACCEPTED', 300, 7.9);
  const late = { store_id: tenant.storeId, waiting: 0, late: 2 };
  expect((await overview(tenant.key, 'need=attention')).body.stores).toMatchObject([late]);
});

it('shows nobody the stores of others', async () => {
  const [tenant, stranger] = [await createTenant(service), await createTenant(service)];
  const second = await createStore(service, tenant.merchantId);
  const narrow = await createKey(service, {
    merchant_id: tenant.merchantId,
    store_ids: [second],
    permissions: ['read'],
  });
  expect(idsOf((await overview(tenant.key)).body)).toEqual([tenant.storeId, second]);
  expect(idsOf((await overview(narrow.key)).body)).toEqual([second]);
  expect((await overview(tenant.key, `merchant_id=${stranger.merchantId}`)).body).toEqual({
    stores: [],
    cursor: expect.any(String) as string,
    has_more: false,
  });
  expect(idsOf((await overview(service.operatorKey, `merchant_id=${stranger.merchantId}`)).body)).toEqual([
    stranger.storeId,
  ]);
  const foreign = await ask(`${service.url}/manage/v1/intake?store_ids=${stranger.storeId}`, {
    key: tenant.key,
  });
  expect([foreign.status, foreign.body]).toEqual([404, { detail: 'Store not found' }]);
});

it.each([
  ['overview?cursor=here', 'cursor'],
  ['overview?need=money', 'need'],
  ['overview?limit=1001', 'limit'],
  ['intake', 'store_ids'],
  [`intake?store_ids=${Array.from({ length: 201 }, (_, i) => i).join()}`, 'store_ids'],
  ['events?part=0/4', 'part'],
  ['events?part=9/8', 'part'],
  ['events?part=1/65', 'part'],
  ['events?part=1', 'part'],
  ['events/stream?part=01/2', 'part'],
  ['sales?part=-1/4', 'part'],
])('%s is refused', async (path, name) => {
  const { status, body } = await ask(`${service.url}/manage/v1/${path}`, { key: service.operatorKey });
  expect([status, body]).toMatchObject([422, { detail: [{ loc: ['query', name] }] }]);
});

it('a key of more than 200 stores reads its events and sales by parts, each store in one of them', async () => {
  const merchantId = await createMerchant(service);
  const stores = await Promise.all(Array.from({ length: 201 }, () => createStore(service, merchantId)));
  const { key } = await createKey(service, {
    merchant_id: merchantId,
    permissions: ['read', 'orders:write'],
  });
  for (const storeId of stores.slice(0, 8)) await takeIn(service, { storeId, key });
  const get = <T>(path: string) => ask<T>(`${service.url}/manage/v1/${path}`, { key });
  expect((await get('events')).status).toBe(422);
  expect((await get('sales')).status).toBe(422);

  interface Feed {
    readonly events: readonly { readonly store_id: string }[];
    readonly cursor: string;
  }
  const parts = await Promise.all([1, 2, 3].map((i) => get<Feed>(`events?part=${i}/3`)));
  const seen = parts.map(({ body }) => body.events.map(({ store_id: id }) => id));
  expect(seen.flat().sort()).toEqual(stores.slice(0, 8).sort());
  const sold = await Promise.all(
    [1, 2, 3].map((i) => get<{ total: { orders: number } }>(`sales?part=${i}/3&by=status`)),
  );
  expect(sold.map(({ status, body }) => [status, body.total.orders])).toEqual(
    seen.map(({ length }) => [200, length]),
  );

  // One part of all of them: its cursor is of the short kind, and goes on where it stood.
  const whole = await get<Feed>('events?part=1/1');
  expect(whole.body.events).toHaveLength(8);
  await takeIn(service, { storeId: stores[200] ?? '', key });
  const next = await get<Feed>(`events?part=1/1&after=${whole.body.cursor}`);
  expect(next.body.events.map(({ store_id: id }) => id)).toEqual([stores[200]]);
});
