import { describe, expect, it } from 'vitest';
import { gramsOfSearch } from '../../src/orders/list/search-text.js';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { byClock, readAudit } from '../harness/audit.js';
import { ask } from '../harness/client.js';
import { readFeed } from '../harness/events.js';
import { list, orderRequest, patch, takeIn, type OrderBody } from '../harness/orders.js';
import { startReceiver } from '../harness/receiver.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';
import { createWebhook, webhookClient } from '../harness/webhooks.js';
import { erase, tablesWith } from './customers.js';

const service = await useService({}, { delivers: true });

const NAME = 'Quintília Zwaardvechter';
const PHONE = '+351 968 275 413';
const DIGITS = '351968275413';
const TRACES = [NAME, 'quintilia', 'zwaardvechter', PHONE, DIGITS, '968275413', 'shellfish'];
const FOUR_DIGITS = Array.from({ length: DIGITS.length - 3 }, (_, i) => DIGITS.slice(i, i + 4));

const ITEMS = [
  {
    external_id: 'soup',
    name: 'Soup',
    quantity: 2,
    price: 12.5,
    comments: `no shellfish for ${NAME}`,
    modifiers: [
      {
        external_id: 'bread',
        comments: 'shellfish!',
        modifiers: [{ external_id: 'seed', comments: 'shellfish' }],
      },
    ],
  },
  { quantity: 1, comments: 'shellfish', external_id: 'tea' },
];
const ITEMS_LEFT = [
  {
    external_id: 'soup',
    name: 'Soup',
    quantity: 2,
    price: 12.5,
    modifiers: [{ external_id: 'bread', modifiers: [{ external_id: 'seed' }] }],
  },
  { quantity: 1, external_id: 'tea' },
];

async function take(
  tenant: Tenant,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<OrderBody> {
  const own = { customer: { name: NAME, phone: PHONE }, items: ITEMS, customer_comments: 'Hates shellfish' };
  const { status, body } = await takeIn(service, tenant, { ...own, ...more }, headers);
  expect(status).toBe(201);
  return body;
}

const read = async (tenant: Tenant, id: string) =>
  (await ask<OrderBody>(`${service.url}/manage/v1/orders/${id}`, { key: tenant.key })).body;

describe('erasing a customer', () => {
  it('keeps no response of a receiver that was still about to repeat the order', async () => {
    const tenant = await createTenant(service);
    let finish = () => undefined as unknown;
    const receiver = await startReceiver((request, response) => {
      if (receiver.requests.length > 1) response.end();
      else finish = () => response.end(request.body);
    });
    const hooks = webhookClient(service, tenant.key);
    const hook = await createWebhook(hooks, { url: receiver.url, include_order: true });
    await take(tenant);
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect((await erase(service, tenant.key, { phone: PHONE })).body.orders).toBe(1);
    finish();
    await expect.poll(async () => (await hooks.get(hook.id)).body.lag[0]?.behind).toBe(0);
    const deliveries = await hooks.deliveries(hook.id);
    expect(deliveries.map(({ status, response }) => [status, response])).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect(await tablesWith(service, TRACES)).toEqual([]);
  });

  it('leaves nothing of the person in any table, nor in any answer, and everything else', async () => {
    const tenant = await createTenant(service);
    const receiver = await startReceiver((request, response) => response.end(request.body));
    const hooks = webhookClient(service, tenant.key);
    const hook = await createWebhook(hooks, { url: receiver.url, include_order: true });
    const order = await take(tenant, { external_id: 'erased-1' }, { 'idempotency-key': 'erased' });
    const other = await take(tenant, {
      customer: { name: 'Ben', phone: '555 7777' },
      customer_comments: 'Hurry',
      items: [],
    });
    await patch(service, tenant.key, order.id, { customer_comments: `Shellfish kills ${NAME}` });
    await patch(service, tenant.key, order.id, {
      status: 'REJECTED',
      reason: 'other',
      reason_text: `Sorry, "${NAME}"\\`,
    });
    await expect.poll(async () => (await hooks.get(hook.id)).body.lag[0]?.behind).toBe(0);
    expect(await tablesWith(service, TRACES)).toEqual([
      'events',
      'order_history',
      'order_search',
      'orders',
      'webhook_deliveries',
    ]);
    const before = await read(tenant, order.id);

    const { status, body } = await erase(service, tenant.key, { phone: '00351 968-275-413'.slice(2) });
    expect([status, body]).toEqual([
      200,
      { dry_run: false, orders: 1, stores: [{ store_id: tenant.storeId, orders: 1 }] },
    ]);
    await expect.poll(async () => (await hooks.get(hook.id)).body.lag[0]?.behind).toBe(0);
    expect(await tablesWith(service, TRACES)).toEqual([]);
    for (const digits of FOUR_DIGITS)
      expect([digits, (await list(service, tenant, { phone_number: digits })).body.count]).toEqual([
        digits,
        0,
      ]);
    for (const name of ['quin', 'zwaard'])
      expect((await list(service, tenant, { customer_name: name })).body.count).toBe(0);
    const grams = gramsOfSearch(await storeKeyOf(service, tenant), '', DIGITS).map(({ gram }) => gram);
    const left = await service.db.query({
      name: 'test-grams',
      text: 'SELECT id FROM order_search WHERE grams && $1::integer[]',
      values: [grams],
    });
    expect([grams.length, left]).toEqual([FOUR_DIGITS.length, []]);

    const { customer_comments: _comments, reason_text: _text, ...kept } = before;
    expect(await read(tenant, order.id)).toEqual({
      ...kept,
      customer: { name: '', phone: '' },
      items: ITEMS_LEFT,
      revision: 4,
      updated_at: expect.any(String) as string,
    });
    expect((await read(tenant, other.id)).customer).toEqual({ name: 'Ben', phone: '555 7777' });
    expect(await hooks.deliveries(hook.id)).toContainEqual(
      expect.objectContaining({ response: expect.stringContaining('Hurry') as string }),
    );
    const { body: feed } = await readFeed(service, tenant, { include: 'order' });
    expect(feed.events.at(-1)).toMatchObject({
      type: 'order.updated',
      data: {
        order_id: order.id,
        revision: 4,
        status: 'REJECTED',
        changed: ['customer'],
        reason: 'other',
        key_id: tenant.keyId,
      },
    });
    expect(JSON.stringify(feed)).not.toMatch(/quint|shellfish|968 ?275 ?413/i);
    const history = await ask(`${service.url}/manage/v1/orders/${order.id}/history`, { key: tenant.key });
    expect(history.body).toContainEqual({
      time: expect.any(String) as string,
      key_id: tenant.keyId,
      field: 'customer_comments',
    });
    // The person does not come back when the order is sent again.
    for (const headers of [{ 'idempotency-key': 'erased' }, {}] as Record<string, string>[]) {
      const again = { customer: { name: NAME, phone: PHONE }, items: ITEMS, external_id: 'erased-1' };
      expect((await takeIn(service, tenant, again, headers)).status).toBe(409);
    }
  });

  it('counts and changes nothing in a dry run, and counts nothing twice', async () => {
    const tenant = await createTenant(service);
    const store = await createStore(service, tenant.merchantId);
    const ids = [
      (await take(tenant)).id,
      (await take(tenant, { status: 'FULFILLED' })).id,
      (await take({ ...tenant, storeId: store })).id,
    ];
    const stores = [
      { store_id: tenant.storeId, orders: 2 },
      { store_id: store, orders: 1 },
    ];
    for (const by of [{ phone: PHONE }, { order_ids: ids }]) {
      const { body } = await erase(service, tenant.key, { ...by, dry_run: true });
      expect(body).toEqual({ dry_run: true, orders: 3, stores });
    }
    expect((await list(service, tenant, { phone_number: '5413' })).body.count).toBe(2);
    const one = await erase(service, tenant.key, { phone: PHONE, store_ids: [store] });
    expect(one.body).toEqual({ dry_run: false, orders: 1, stores: [stores[1]] });
    const rest = await erase(service, tenant.key, { order_ids: ids });
    expect(rest.body).toEqual({ dry_run: false, orders: 2, stores: [stores[0]] });
    for (const by of [{ phone: PHONE }, { order_ids: ids }])
      expect((await erase(service, tenant.key, by)).body).toEqual({ dry_run: false, orders: 0, stores: [] });
  });

  it('erases again what was written about an order since', async () => {
    const tenant = await createTenant(service);
    const { id } = await take(tenant);
    expect((await erase(service, tenant.key, { order_ids: [id] })).body.orders).toBe(1);
    await patch(service, tenant.key, id, { is_read: true });
    expect((await erase(service, tenant.key, { order_ids: [id] })).body.orders).toBe(0);
    await patch(service, tenant.key, id, { customer_comments: 'shellfish' });
    expect((await erase(service, tenant.key, { order_ids: [id] })).body.orders).toBe(1);
    expect(await read(tenant, id)).not.toHaveProperty('customer_comments');
  });

  it('finds only the whole number, however it is written, and very long ones', async () => {
    const tenant = await createTenant(service);
    const phones = ['968 275 413', '+351.968.275.413', '٣٥١٩٦٨٢٧٥٤١٣', `${'9'.repeat(80)}1`];
    for (const phone of phones) await take(tenant, { customer: { name: 'Someone', phone } });
    const { body } = await erase(service, tenant.key, { phone: PHONE });
    expect(body.orders).toBe(2);
    expect((await erase(service, tenant.key, { phone: `${'9'.repeat(80)}1` })).body.orders).toBe(1);
    expect((await list(service, tenant, { phone_number: '5413' })).body.count).toBe(1);
  });

  it('erases more orders than one statement takes, with large ones among them', async () => {
    const tenant = await createTenant(service);
    const large = [{ external_id: 'x', comments: 'shellfish', text: 'x'.repeat(700_000) }];
    await Promise.all(Array.from({ length: 8 }, () => take(tenant, { items: large })));
    await Promise.all(Array.from({ length: 250 }, () => take(tenant)));
    expect((await erase(service, tenant.key, { phone: PHONE })).body.orders).toBe(258);
    expect((await list(service, tenant, { phone_number: DIGITS })).body.count).toBe(0);
  });
});

describe('a key', () => {
  it('reaches only its own stores and orders, and nothing is half erased', async () => {
    const [tenant, stranger] = [await createTenant(service), await createTenant(service)];
    const second = await createStore(service, tenant.merchantId);
    const own = await take(tenant);
    const hidden = await take({ ...tenant, storeId: second });
    const theirs = await take(stranger);
    const { key } = await createKey(service, {
      merchant_id: tenant.merchantId,
      store_ids: [tenant.storeId],
      permissions: ['read', 'orders:write'],
    });
    const UNKNOWN = `${own.id.slice(0, 9)}ffff-7fff-bfff-ffff${own.id.slice(-8)}`;
    const unresolved = (loc: unknown[]) =>
      expect.objectContaining({ loc: ['body', ...loc], type: 'unresolved_reference' }) as object;
    for (const [body, ...locs] of [
      [{ order_ids: [own.id, theirs.id, hidden.id] }, ['order_ids', 1], ['order_ids', 2]],
      [{ order_ids: [own.id, UNKNOWN, 'nonsense'] }, ['order_ids', 1], ['order_ids', 2]],
      [
        { phone: PHONE, store_ids: [tenant.storeId, stranger.storeId, 'nonsense'] },
        ['store_ids', 1],
        ['store_ids', 2],
      ],
      [{ order_ids: [own.id], store_ids: [second] }, ['store_ids', 0], ['order_ids', 0]],
    ] as [object, ...unknown[][]][]) {
      const { status, body: answer } = await erase(service, key, body);
      expect([body, status, answer]).toEqual([body, 422, { detail: locs.map(unresolved) }]);
    }
    for (const [by, id] of [
      [tenant, own.id],
      [tenant, hidden.id],
      [stranger, theirs.id],
    ] as const)
      expect((await read(by, id)).customer.name).toBe(NAME);
    expect((await erase(service, key, { phone: PHONE })).body.orders).toBe(1);
    expect((await read(tenant, hidden.id)).customer.name).toBe(NAME);
    expect((await read(stranger, theirs.id)).customer.name).toBe(NAME);
    const { body } = await erase(service, service.operatorKey, {
      phone: PHONE,
      store_ids: [second, stranger.storeId],
    });
    expect(body.stores).toEqual([
      { store_id: stranger.storeId, orders: 1 },
      { store_id: second, orders: 1 },
    ]);
  });

  it('tells each merchant in the audit log what was erased, and nobody what was not', async () => {
    const tenants = [await createTenant(service), await createTenant(service), await createTenant(service)];
    const [one, other, spared] = tenants as [Tenant, Tenant, Tenant];
    const phone = '+351 968 275 499';
    for (const tenant of [one, other, other]) await take(tenant, { customer: { name: NAME, phone } });
    const request = { phone, store_ids: tenants.map(({ storeId }) => storeId) };
    const answer = await erase(service, service.operatorKey, request);
    expect(answer.body.orders).toBe(3);
    await erase(service, service.operatorKey, request);
    const entriesOf = ({ merchantId }: Tenant) =>
      readAudit(service, { merchant_id: merchantId, type: 'customers.erased' });
    const entry = ({ merchantId, storeId }: Tenant, orders: number) => ({
      ...byClock({ type: 'customers.erased', via: 'api', subject: 'phone', after: { orders } }),
      ...{ key_id: 'operator', merchant_id: merchantId, store_id: storeId },
      request_id: answer.headers.get('x-request-id'),
    });
    expect(await entriesOf(one)).toEqual([entry(one, 1)]);
    expect(await entriesOf(other)).toEqual([entry(other, 2)]);
    expect(await entriesOf(spared)).toEqual([]);
  });

  it('needs orders:write', async () => {
    const { key } = await createTenant(service, ['read', 'store:write']);
    expect((await erase(service, key, { phone: PHONE })).status).toBe(403);
  });

  it.each([
    [{}, ['body'], 'value_error'],
    [{ phone: PHONE, order_ids: ['x'] }, ['body'], 'value_error'],
    [{ phone: '12 3' }, ['body', 'phone'], 'value_error'],
    [{ phone: 351968275413 }, ['body', 'phone'], 'string_type'],
    [{ order_ids: [] }, ['body', 'order_ids'], 'too_short'],
    [{ phone: PHONE, store_ids: [] }, ['body', 'store_ids'], 'too_short'],
    [{ phone: PHONE, dry_run: 'yes' }, ['body', 'dry_run'], 'bool_type'],
    [{ order_ids: Array.from({ length: 1_001 }, () => 'x') }, ['body', 'order_ids'], 'too_long'],
  ])('is told what is wrong with %j', async (body, loc, type) => {
    const { key } = await createTenant(service);
    const answer = await erase(service, key, body);
    expect([answer.status, answer.body.detail]).toEqual([422, [expect.objectContaining({ loc, type })]]);
  });
});

describe('customer_days', () => {
  it('erases the customers of older final orders by itself, once, and tells of it', async () => {
    const tenant = await createTenant(service);
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const old = await take(tenant, { status: 'FULFILLED', completed_at: days(4) });
    const nameless = await take(tenant, {
      ...orderRequest(),
      ...{
        status: 'FULFILLED',
        completed_at: days(4),
        customer: { name: '', phone: '' },
        customer_comments: null,
      },
    });
    const young = await take(tenant, { status: 'FULFILLED', completed_at: days(2) });
    const open = await take(tenant, { created_at: days(9) });
    const url = `${service.url}/manage/v1/stores/${tenant.storeId}`;
    await ask(url, { method: 'PATCH', key: service.operatorKey, body: { customer_days: 3 } });
    await cleanUp(service.db, 30);
    await cleanUp(service.db, 30);
    expect((await read(tenant, old.id)).customer).toEqual({ name: '', phone: '' });
    expect((await read(tenant, young.id)).customer.name).toBe(NAME);
    expect((await read(tenant, open.id)).customer.name).toBe(NAME);
    expect((await read(tenant, nameless.id))['revision']).toBe(1);
    const { body } = await readFeed(service, tenant, { types: 'order.updated' });
    expect(body.events.map(({ data }) => [data['order_id'], data['changed'], data['key_id']])).toEqual([
      [old.id, ['customer'], null],
    ]);
    const { merchantId: merchant_id, storeId: store_id } = tenant;
    const entry = { type: 'customers.erased', merchant_id, store_id };
    expect(await readAudit(service, { store_id, type: 'customers.erased' })).toEqual([
      byClock({ ...entry, subject: 'customer_days', after: { orders: 2 } }),
    ]);
  });
});

describe('an export of what is held about a customer', () => {
  const exportOf = (key: string, query: Record<string, string>) =>
    ask<string>(`${service.url}/manage/v1/customers/export?${new URLSearchParams(query).toString()}`, {
      key,
    });

  it('has every order with its history, from the stores of the key alone', async () => {
    const [tenant, stranger] = [await createTenant(service), await createTenant(service)];
    const order = await take(tenant, { external_id: 'mine' });
    await patch(service, tenant.key, order.id, { customer_comments: 'Call me' });
    await take(tenant, { customer: { name: 'Ben', phone: '555 7777' } });
    await take(stranger);
    const { status, body } = await exportOf(tenant.key, { phone: PHONE });
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect([status, lines]).toEqual([
      200,
      [
        {
          store_id: tenant.storeId,
          order: await read(tenant, order.id),
          history: [
            expect.objectContaining({ field: 'customer_comments', from: 'Hates shellfish', to: 'Call me' }),
          ],
        },
      ],
    ]);
    expect((await exportOf(tenant.key, { phone: '555 0000' })).body).toBe('');
    const foreign = await exportOf(tenant.key, { phone: PHONE, store_ids: stranger.storeId });
    expect([foreign.status, foreign.body]).toEqual([404, { detail: 'Store not found' }]);
    const all = { phone: PHONE, store_ids: `${tenant.storeId},${stranger.storeId}` };
    const both = await exportOf(service.operatorKey, all);
    expect(both.body.trimEnd().split('\n')).toHaveLength(2);
    for (const { merchantId: merchant_id, storeId: store_id } of [tenant, stranger])
      expect((await readAudit(service, { merchant_id, limit: '1' }))[0]).toMatchObject({
        type: 'customer.exported',
        request_id: both.headers.get('x-request-id'),
        store_id,
        after: { stores: 1 },
      });
  });

  it('needs a phone number', async () => {
    const { key } = await createTenant(service);
    expect((await exportOf(key, { phone: 'none' })).status).toBe(422);
  });
});
