import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { item, menuClient } from '../harness/menu.js';
import {
  importLines,
  LATER,
  list,
  onV1,
  orderRequest,
  patch,
  takeIn,
  type OrderBody,
} from '../harness/orders.js';
import { expectSalesExact } from '../harness/recount-sales.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';

const service = await useService();

const ANY = expect.any(String) as string;
const FACTS = {
  service: 'delivery',
  source: { name: 'Uber Eats', reference: 'A1B2' },
  references: { till: '146', courier: 'job 9' },
  charges: [{ kind: 'delivery', name: 'Delivery', price: 250, tax: 25 }],
  discounts: [{ name: 'Welcome', price: 100, tax: 10, code: 'HI', paid_by: 'source' }],
  tip: 60,
  delivery: {
    address: { line_1: 'Calle Mayor 1', city: 'Madrid', latitude: 40.4, longitude: -3.7 },
    notes: 'Ring twice',
    courier: { name: 'Eva', tracking_url: 'https://courier.example/9' },
    state: 'assigned',
  },
  custom: { loyalty: { points: 12 } },
};
const PAID = { method: 'online', amount: 500, reference: 'pi_1' };

const get = (key: string, path: string) => ask<OrderBody>(`${service.url}/manage/v1${path}`, { key });
const add = (key: string, id: string, body: object) =>
  ask<OrderBody>(`${service.url}/manage/v1/orders/${id}/payments`, { method: 'POST', key, body });
const history = async (key: string, id: string) =>
  (await get(key, `/orders/${id}/history`)).body as unknown as object[];

const MENU = {
  items: [item('coffee', { price: 300, tax: 30 }), item('cake', { price: 400, tax: 40 }), item('soup')],
  menus: [],
  categories: [],
};

async function open() {
  const tenant = await createTenant(service);
  const menu = menuClient(service, tenant);
  await menu.post(MENU);
  return { ...tenant, menu };
}

const line = (external_id: string, quantity = 1, more: object = {}) => ({ external_id, quantity, ...more });

const check = ({ storeId, key }: Tenant, body: object) =>
  ask<OrderBody & { detail?: unknown }>(`${service.url}/manage/v1/stores/${storeId}/orders?check=menu`, {
    method: 'POST',
    key,
    body: orderRequest({ ready_by: LATER, ...body }),
  });

describe('what an order says beside its lines', () => {
  it('comes back whole everywhere on the manage side, and nowhere on /v1', async () => {
    const tenant = await createTenant(service);
    const { status, body } = await takeIn(service, tenant, { ...FACTS, payments: [PAID] });
    const shown = {
      ...FACTS,
      payments: [{ id: ANY, ...PAID, at: ANY }],
      number: 1,
      due: 390 + 39 + 60 - 500,
    };
    expect([status, body]).toEqual([201, { ...body, ...shown, revision: 1 }]);
    expect((await get(tenant.key, `/orders/${body.id}`)).body).toEqual(body);
    const managed = await get(tenant.key, `/stores/${tenant.storeId}/orders?reference=till:146`);
    expect(managed.body['orders']).toEqual([body]);
    expect(
      (await get(tenant.key, `/stores/${tenant.storeId}/orders?reference=till:147`)).body['orders'],
    ).toEqual([]);
    const events = await get(tenant.key, `/stores/${tenant.storeId}/events?include=order`);
    expect(events.body['events']).toMatchObject([{ data: { number: 1, order: body } }]);
    const { body: v1 } = await list(service, tenant);
    const added = new Set([...Object.keys(FACTS), 'payments']);
    const plain = Object.entries(onV1(body)).filter(([name]) => !added.has(name));
    expect(v1.order_result_list).toEqual([Object.fromEntries(plain)]);
    const again = await takeIn(service, tenant, { ...FACTS, payments: [PAID], external_id: 'x' });
    const repeated = await takeIn(service, tenant, { ...FACTS, payments: [PAID], external_id: 'x' });
    expect([repeated.status, repeated.body]).toEqual([200, again.body]);
    expect((await takeIn(service, tenant, { ...FACTS, tip: 61, external_id: 'x' })).status).toBe(409);
  });

  it('travels with an export, and keeps its number', async () => {
    const [tenant, other] = [await createTenant(service), await createTenant(service)];
    const { body } = await takeIn(service, tenant, { ...FACTS, payments: [PAID] });
    const exported = await ask<string>(`${service.url}/manage/v1/stores/${tenant.storeId}/orders/export`, {
      key: tenant.key,
    });
    const moved = exported.body.replaceAll(tenant.storeId, other.storeId);
    expect((await importLines(service, other.key, moved)).body).toMatchObject({ created: 1, refused: 0 });
    const { body: found } = await get(other.key, `/stores/${other.storeId}/orders?reference=courier:job 9`);
    const { id: _id, store: _store, updated_at: _at, ...same } = body as Record<string, unknown>;
    expect(found['orders']).toMatchObject([same]);
  });

  it('comes back from an export unchanged, whatever was done with it', async () => {
    const [tenant, other] = [await createTenant(service), await createTenant(service)];
    const { key, storeId } = tenant;
    const place = { id: '0199d3a0-0000-7000-8000-000000000001', label: 'Table 7', kind: 'table' };
    const placed = orderRequest({ store_id: storeId, external_id: 'placed', place, number: 41 });
    await importLines(service, key, JSON.stringify(placed));
    const made = [];
    for (const external_id of ['open', 'done', 'cancelled', 'left'])
      made.push((await takeIn(service, tenant, { ...FACTS, payments: [PAID], external_id })).body);
    const { body: found } = await get(key, `/stores/${storeId}/orders?external_id=placed`);
    const change = {
      ...{ is_read: true, in_pos: true, customer_comments: 'No\tsugar\\' },
      ...{ stations_done: ['bar', 'hot'], tip: 70, custom: { ...FACTS.custom, note: 'é\n' } },
      ...{ reason: 'out_of_item', reason_text: 'No cake\nleft' },
    };
    const moves = [
      [],
      [{ status: 'ACCEPTED' }, { status: 'FULFILLED' }],
      [{ status: 'STORE_CANCELLED', reason: 'too_busy', reason_text: 'Sorry' }],
      [{ status: 'CUSTOMER_CANCELLED' }],
      [{ status: 'ACCEPTED' }, { status: 'READY' }],
    ];
    for (const [i, { id }] of [...made, ...(found['orders'] as OrderBody[])].entries())
      for (const step of [change, ...(moves[i] ?? [])])
        expect(await patch(service, key, id, step)).toMatchObject({ status: 200 });
    await add(key, made[0]?.id ?? '', { method: 'cash', amount: -70, external_id: 'back' });
    const exported = async (of: Tenant) =>
      (
        await ask<string>(`${service.url}/manage/v1/stores/${of.storeId}/orders/export`, { key: of.key })
      ).body.replaceAll(of.storeId, other.storeId);
    const lines = await exported(tenant);
    // One is cancelled without a reason.
    expect(lines.match(/"reason_text"/g)).toHaveLength(4);
    const { body: report } = await importLines(service, other.key, lines);
    expect(report).toEqual({ created: 5, existing: 0, refused: 0, errors: [] });
    expect(await exported(other)).toBe(lines);
  });

  it('loses what leads to the person when the customer is erased, and keeps the amounts', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant, { ...FACTS, payments: [PAID] });
    await patch(service, tenant.key, order.id, {
      delivery: { state: 'picked_up' },
      custom: { secret: 'Calle' },
    });
    const erased = await ask(`${service.url}/manage/v1/customers/erase`, {
      method: 'POST',
      key: service.operatorKey,
      body: { order_ids: [order.id] },
    });
    expect(erased.status).toBe(200);
    const { delivery: _1, references: _2, custom: _3, ...kept } = order as Record<string, unknown>;
    expect((await get(tenant.key, `/orders/${order.id}`)).body).toEqual({
      ...kept,
      customer: { name: '', phone: '' },
      payments: [{ id: ANY, method: 'online', amount: 500, at: ANY }],
      ...{ revision: 3, updated_at: ANY },
    });
    expect(JSON.stringify(await history(tenant.key, order.id))).not.toMatch(/Calle|job 9/);
    const { body: found } = await get(tenant.key, `/stores/${tenant.storeId}/orders?reference=till:146`);
    expect(found['orders']).toEqual([]);
  });

  it('names the key as its source unless another is stated', async () => {
    const tenant = await createTenant(service);
    const { key } = await createKey(service, {
      merchant_id: tenant.merchantId,
      permissions: ['read', 'orders:write'],
      label: 'Front till',
    });
    expect((await takeIn(service, { ...tenant, key })).body['source']).toEqual({ name: 'Front till' });
    const { body } = await takeIn(service, { ...tenant, key }, { source: { reference: '7' } });
    expect(body['source']).toEqual({ name: 'Front till', reference: '7' });
    const { status } = await takeIn(service, tenant, { source: { reference: '7' } });
    expect(status).toBe(422);
  });

  it.each([
    [{ service: 'drone' }, ['service'], 'enum'],
    [{ charges: Array.from({ length: 21 }, () => FACTS.charges[0]) }, ['charges'], 'too_long'],
    [{ charges: [{ ...FACTS.charges[0], kind: 'bribe' }] }, ['charges', 0, 'kind'], 'enum'],
    [{ discounts: [{ name: 'x', price: -1, tax: 0 }] }, ['discounts', 0, 'price'], 'greater_than_equal'],
    [{ tip: -1 }, ['tip'], 'greater_than_equal'],
    [{ payments: [{ method: 'gold', amount: 1 }] }, ['payments', 0, 'method'], 'enum'],
    [
      { delivery: { address: { line_1: 'x', latitude: 91 } } },
      ['delivery', 'address', 'latitude'],
      'less_than_equal',
    ],
    [
      { delivery: { address: { line_1: 'x' }, courier: { tracking_url: 'http://x.example' } } },
      ['delivery', 'courier', 'tracking_url'],
      'value_error',
    ],
    [{ references: { 'a:b': 'c' } }, ['references'], 'value_error'],
    [{ custom: { text: 'x'.repeat(16_384) } }, ['custom'], 'value_error'],
    [{ price: Number.MAX_SAFE_INTEGER, tax: 1 }, ['tax'], 'total_too_large'],
    [{ tip: Number.MAX_SAFE_INTEGER }, ['tip'], 'total_too_large'],
    [
      { payments: ['a', 'b', 'a'].map((external_id) => ({ ...PAID, external_id })) },
      ['payments', 2, 'external_id'],
      'value_error',
    ],
    [{ payments: [{ ...PAID, amount: -Number.MAX_SAFE_INTEGER }] }, ['payments'], 'total_too_large'],
  ])('is refused at its place: %j', async (more, place, type) => {
    const tenant = await createTenant(service);
    const { status, body } = await takeIn(service, tenant, more);
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', ...place], type }] }]);
    expect((await list(service, tenant)).body.count).toBe(0);
  });
});

describe('the total of a checked order', () => {
  it('is lines and charges without discounts, and the quote says the same', async () => {
    const store = await open();
    const items = [line('coffee', 2)];
    const { charges, discounts, tip } = FACTS;
    const quoted = await ask<{ price: number; tax: number }>(
      `${service.url}/manage/v1/stores/${store.storeId}/quote`,
      { method: 'POST', key: store.key, body: { items, charges, discounts, tip } },
    );
    expect(quoted.body).toMatchObject({ price: 750, tax: 75, charges, discounts, tip });
    const taken = await check(store, { items, price: 750, tax: 75, charges, discounts, tip });
    expect([taken.status, taken.body['due']]).toEqual([201, 885]);
    const refused = await check(store, { items, price: 600, tax: 60, charges, discounts });
    const ctx = { charges: 250, discounts: 100 };
    expect(refused.body.detail).toMatchObject([
      { loc: ['body', 'price'], type: 'price_mismatch', ctx: { ...ctx, lines: 600, expected: 750 } },
      {
        loc: ['body', 'tax'],
        type: 'tax_mismatch',
        ctx: { charges: 25, discounts: 10, lines: 60, expected: 75 },
      },
    ]);
    const moved = await check(store, {
      items,
      price: 750,
      tax: 75,
      charges,
      discounts,
      tip,
      expected_total: { price: 1, tax: 1 },
    });
    expect(moved).toMatchObject({
      status: 409,
      body: { quote: { price: 750, tax: 75, charges, discounts, tip } },
    });
    const below = await check(store, {
      items,
      price: 0,
      tax: 0,
      discounts: [{ name: 'x', price: 601, tax: 0 }],
    });
    expect([below.status, below.body.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'discounts'], type: 'negative_total' }],
    ]);
  });
});

describe('a payment', () => {
  it('is recorded once under its external_id, and in any status', async () => {
    const { key, ...tenant } = await createTenant(service);
    const { body: order } = await takeIn(service, { ...tenant, key }, { status: 'FULFILLED' });
    const card = { method: 'card', amount: 400, external_id: 'p1' };
    const paid = await add(key, order.id, card);
    expect([paid.status, paid.body]).toEqual([
      201,
      { ...order, payments: [{ id: ANY, ...card, at: ANY }], due: 29, revision: 2, updated_at: ANY },
    ]);
    const again = await add(key, order.id, card);
    expect([again.status, again.body]).toEqual([200, paid.body]);
    expect((await add(key, order.id, { ...card, amount: 1 })).status).toBe(409);
    expect((await add(key, order.id, { method: 'cash', amount: -400 })).body['due']).toBe(429);
    expect(await history(key, order.id)).toMatchObject([
      { field: 'payments', to: card },
      { field: 'payments' },
    ]);
    expect((await add(key, order.id, { method: 'iou', amount: 1 })).status).toBe(422);
    const cash = { method: 'cash', amount: 1, external_id: 'p2' };
    const many = await Promise.all(Array.from({ length: 10 }, () => add(key, order.id, cash)));
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(many.filter(({ status }) => status === 200)).toHaveLength(9);
  });
});

describe('a change of what was ordered', () => {
  it('moves stock, sales, search and total both ways, and tells the difference', async () => {
    const store = await open();
    await store.menu.manage('items/coffee', { method: 'PATCH', body: { left: 10 } });
    const { body: order } = await check(store, {
      items: [line('coffee', 4), line('cake')],
      price: 1600,
      tax: 160,
    });
    const fewer = await patch(service, store.key, order.id, {
      items: [line('coffee', 2), line('soup')],
      expected_revision: 1,
      customer: { name: 'Zoë', phone: '12345' },
      reason: 'out_of_item',
      reason_text: 'No cake left',
    });
    expect([fewer.status, fewer.body]).toEqual([
      200,
      {
        ...order,
        items: [line('coffee', 2), line('soup')],
        ...{ price: 700, tax: 70, due: 770, revision: 2, updated_at: ANY },
        customer: { name: 'Zoë', phone: '12345' },
        ...{ reason: 'out_of_item', reason_text: 'No cake left' },
      },
    ]);
    expect(await left(store, 'coffee')).toBe(8);
    expect((await list(service, store, { customer_name: 'zoe' })).body.count).toBe(1);
    const { body: feed } = await get(store.key, `/stores/${store.storeId}/events?types=order.updated`);
    expect(feed['events']).toMatchObject([
      {
        data: {
          changed: ['reason', 'reason_text', 'items', 'price', 'tax', 'customer'],
          difference: { price: -900, tax: -90 },
        },
      },
    ]);
    const noted = await history(store.key, order.id);
    expect(noted).toContainEqual(
      expect.objectContaining({ field: 'items', from: order['items'], to: fewer.body['items'] }),
    );
    const tooMany = await patch(service, store.key, order.id, {
      items: [line('coffee', 11)],
      expected_revision: 2,
    });
    expect([tooMany.status, tooMany.body['detail']]).toMatchObject([
      422,
      [{ loc: ['body', 'items', 0, 'external_id'], type: 'sold_out', ctx: { left: 8 } }],
    ]);
    const more = await patch(service, store.key, order.id, {
      items: [line('coffee', 10)],
      expected_revision: 2,
    });
    expect([more.status, more.body['price']]).toEqual([200, 3000]);
    expect(await left(store, 'coffee')).toBe(0);
    await expectSalesExact(service.db, await storeKeyOf(service, store));
  });

  it('does not check again what stays, and asks for the revision that it is based on', async () => {
    const store = await open();
    const { body: order } = await check(store, {
      items: [line('coffee', 2), line('cake')],
      price: 1000,
      tax: 100,
    });
    await store.menu.manage('items/coffee', { method: 'PATCH', body: { in_stock: false } });
    const stays = await patch(service, store.key, order.id, {
      items: [line('coffee', 2)],
      expected_revision: 1,
    });
    expect([stays.status, stays.body['price']]).toEqual([200, 600]);
    const adds = await patch(service, store.key, order.id, {
      items: [line('coffee', 3)],
      expected_revision: 2,
    });
    expect([adds.status, adds.body['detail']]).toMatchObject([
      422,
      [{ loc: ['body', 'items', 0, 'external_id'], type: 'sold_out' }],
    ]);
    const blind = await patch(service, store.key, order.id, { items: [] });
    expect([blind.status, blind.body['detail']]).toMatchObject([
      422,
      [{ loc: ['body', 'expected_revision'], type: 'missing' }],
    ]);
    const asks = await Promise.all(
      [1, 2].map((quantity) =>
        patch(service, store.key, order.id, { items: [line('cake', quantity)], expected_revision: 2 }),
      ),
    );
    expect(asks.map(({ status }) => status).sort()).toEqual([200, 409]);
    const wrong = await patch(service, store.key, order.id, { price: 1, expected_revision: 3 });
    expect([wrong.status, wrong.body['detail']]).toMatchObject([
      422,
      [{ loc: ['body', 'price'], type: 'price_mismatch' }],
    ]);
    await patch(service, store.key, order.id, { status: 'REJECTED' });
    expect((await patch(service, store.key, order.id, { tip: 1 })).status).toBe(409);
  });

  it('is none where members of what is there come in another order', async () => {
    const store = await open();
    const { body: order } = await check(store, {
      items: [line('coffee', 2)],
      price: 850,
      tax: 85,
      charges: FACTS.charges,
    });
    const reversed = (some: object) => Object.fromEntries(Object.entries(some).reverse());
    const same = await patch(service, store.key, order.id, {
      items: [reversed(line('coffee', 2))],
      charges: FACTS.charges.map(reversed),
      expected_revision: 1,
    });
    expect([same.status, same.body]).toEqual([200, order]);
  });

  it('is none where an empty list replaces none', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant);
    const empty = { charges: [], discounts: [], references: {} };
    expect((await patch(service, tenant.key, order.id, empty)).body).toEqual(order);
    expect(await history(tenant.key, order.id)).toEqual([]);
  });

  it('merges references and delivery, and takes the rest as values', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant, FACTS);
    const { body } = await patch(service, tenant.key, order.id, {
      references: { till: null, pos: '9' },
      delivery: { notes: null, courier: { name: 'Leo' }, state: 'picked_up' },
      custom: { a: 1 },
      tip: null,
      discounts: null,
    });
    const { tip: _tip, discounts: _discounts, ...rest } = order as Record<string, unknown>;
    const { notes: _notes, ...delivery } = FACTS.delivery;
    expect(body).toEqual({
      ...rest,
      references: { courier: 'job 9', pos: '9' },
      delivery: { ...delivery, courier: { ...delivery.courier, name: 'Leo' }, state: 'picked_up' },
      custom: { a: 1 },
      ...{ price: 490, tax: 49, due: 539, revision: 2, updated_at: ANY },
    });
    const wrong = await patch(service, tenant.key, order.id, { delivery: { address: { latitude: 91 } } });
    expect([wrong.status, wrong.body['detail']]).toMatchObject([
      422,
      [{ loc: ['body', 'delivery', 'address', 'latitude'] }],
    ]);
    const found = async (reference: string) =>
      (
        (await get(tenant.key, `/stores/${tenant.storeId}/orders?reference=${reference}`)).body[
          'orders'
        ] as object[]
      ).length;
    expect([await found('till:146'), await found('pos:9')]).toEqual([0, 1]);
  });
});

async function left(store: Tenant, externalId: string): Promise<number | undefined> {
  const [row] = await service.db.query<{ remaining: number }>({
    name: 'test-left',
    text: `SELECT m.remaining FROM menu_marks m JOIN menu_entities e ON e.store_key = m.store_key AND e.id = m.entity_id
           WHERE m.store_key = $1 AND e.kind = 'item' AND e.external_id = $2`,
    values: [await storeKeyOf(service, store), externalId],
  });
  return row?.remaining;
}
