import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { choice, comboLine, comboMenu } from '../harness/combo.js';
import { item, menuClient, text } from '../harness/menu.js';
import { LATER, orderRequest, patch, takeIn, type OrderBody } from '../harness/orders.js';
import { expectSalesExact } from '../harness/recount-sales.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';

const service = await useService();

const coffee = (quantity: number, more: object = {}) => ({ external_id: 'coffee', quantity, ...more });
const menuAt = (price: number, more: object = {}) => ({
  items: [item('coffee', { price, tax: price / 10 })],
  menus: [],
  categories: [],
  ...more,
});

async function open(menu: object = menuAt(100)) {
  const tenant = await createTenant(service);
  const client = menuClient(service, tenant);
  expect((await client.post(menu)).status).toBe(200);
  return { ...tenant, menu: client };
}

async function takeChecked({ storeId, key }: Tenant, quantity: number): Promise<string> {
  const { status, body } = await ask<OrderBody>(
    `${service.url}/manage/v1/stores/${storeId}/orders?check=menu`,
    {
      method: 'POST',
      key,
      body: orderRequest({
        items: [coffee(quantity)],
        price: quantity * 100,
        tax: quantity * 10,
        ready_by: LATER,
      }),
    },
  );
  expect(status).toBe(201);
  return body.id;
}

/** Until another connection waits for a lock of this one. */
async function untilBlocked(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity a WHERE pg_backend_pid() = ANY (pg_blocking_pids(a.pid))`,
    );
    if (rows.length > 0) return;
  }
}

const setLines = ({ key }: Tenant, id: string, revision: number, items: object[], more: object = {}) =>
  patch(service, key, id, { items, expected_revision: revision, ...more });

describe('units of a checked line that were added at another price', () => {
  it('are taken away by their share of the line, in whole amounts', async () => {
    const store = await open();
    const id = await takeChecked(store, 2);
    await store.menu.post(menuAt(150));
    const total = async (revision: number, ...quantities: number[]) => {
      const { status, body } = await setLines(
        store,
        id,
        revision,
        quantities.map((quantity) => coffee(quantity)),
      );
      return [status, body['price'], body['tax']];
    };
    expect(await total(1, 3)).toEqual([200, 350, 35]);
    expect(await total(2, 2)).toEqual([200, 233, 23]);
    expect(await total(3, 3)).toEqual([200, 383, 38]);
    // Split over lines, units come to what they came to together.
    expect(await total(4, 1, 2)).toEqual([200, 383, 38]);
    expect(await total(5, 1, 1)).toEqual([200, 256, 26]);
    expect(await total(6, 1, 1, 1)).toEqual([200, 406, 41]);
    await expectSalesExact(service.db, await storeKeyOf(service, store));
  });
});

describe('a line that stays', () => {
  it.each([[0], [-1], ['2'], [undefined]])(
    'has a quantity that intake would take, not %j',
    async (quantity) => {
      const store = await open();
      const id = await takeChecked(store, 2);
      const { status, body } = await setLines(store, id, 1, [{ external_id: 'coffee', quantity }]);
      expect([status, body['detail']]).toMatchObject([422, [{ loc: ['body', 'items', 0, 'quantity'] }]]);
    },
  );

  it('is there, as in every order that is checked', async () => {
    const store = await open();
    const id = await takeChecked(store, 2);
    const { status, body } = await setLines(store, id, 1, []);
    expect([status, body['detail']]).toMatchObject([422, [{ loc: ['body', 'items'], type: 'too_short' }]]);
  });

  it('keeps its price and its last units under another note and another order of keys', async () => {
    const store = await open();
    await store.menu.manage('items/coffee', { method: 'PATCH', body: { left: 2 } });
    const id = await takeChecked(store, 2);
    await store.menu.post(menuAt(150));
    const noted = await setLines(store, id, 1, [{ comments: 'no sugar', ...coffee(2) }]);
    expect([noted.status, noted.body['price']]).toEqual([200, 200]);
  });

  it('leaves what it gives up to the lines that are added', async () => {
    const store = await open(comboMenu());
    await store.menu.manage('items/fries', { method: 'PATCH', body: { left: 2 } });
    const request = orderRequest({ items: [comboLine(2)], price: 2000, tax: 200, ready_by: LATER });
    const taken = await ask<OrderBody>(`${service.url}/manage/v1/stores/${store.storeId}/orders?check=menu`, {
      method: 'POST',
      key: store.key,
      body: request,
    });
    expect(taken.status).toBe(201);
    const { id } = taken.body;
    // Both have fries, of which none are left.
    const other = await setLines(store, id, 1, [comboLine(2, [choice('doneness', 'medium')])]);
    expect([other.status, other.body['price']]).toEqual([200, 2000]);
    const plain = await setLines(store, id, 2, [{ external_id: 'fries', quantity: 2 }]);
    expect([plain.status, plain.body['price']]).toEqual([200, 600]);
    const more = await setLines(store, id, 3, [
      { external_id: 'fries', quantity: 1 },
      comboLine(2, [choice('doneness', 'medium')]),
    ]);
    expect([more.status, more.body['detail']]).toMatchObject([
      422,
      [
        { loc: ['body', 'items', 1, 'modifiers', 1, 'external_id'], type: 'sold_out', ctx: { left: 1 } },
        { loc: ['body', 'items', 1, 'modifiers'], type: 'group_min' },
      ],
    ]);
  });
});

it('prices what is added by the menu of its own time, whatever changes are still under way', async () => {
  const store = await open();
  const [held, other] = [await takeChecked(store, 1), await takeChecked(store, 1)];
  const client = new pg.Client(service.connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query('SELECT FROM orders WHERE store_key = $1 AND id = $2 FOR UPDATE', [
    await storeKeyOf(service, store),
    held,
  ]);
  const earlier = patch(service, store.key, held, { is_read: true });
  await untilBlocked(client);
  expect((await store.menu.post(menuAt(150))).status).toBe(200);
  const later = setLines(store, other, 1, [coffee(2)]);
  await ask(`${service.url}/v1/orders/${other}`, { key: store.key });
  await client.query('COMMIT');
  expect((await earlier).status).toBe(200);
  expect((await later).body['price']).toBe(250);
});

it('keeps counted what an unchecked order still asks for, where it had asked for more than was left', async () => {
  const store = await open();
  const setLeft = (body: object) => store.menu.manage('items/coffee', { method: 'PATCH', body });
  const readLeft = async () => (await setLeft({})).body;
  await setLeft({ left: 2 });
  const { body: order } = await takeIn(service, store, { items: [coffee(4)] });
  expect(await readLeft()).toMatchObject({ left: 0 });
  await setLines(store, order.id, 1, [coffee(3)]);
  expect(await readLeft()).toMatchObject({ left: 0 });
  await setLines(store, order.id, 2, [coffee(1)]);
  expect(await readLeft()).toMatchObject({ left: 1 });
  await patch(service, store.key, order.id, { status: 'REJECTED' });
  expect(await readLeft()).toMatchObject({ left: 2 });
});

it('gives back what it had of a counted item that has left the menu', async () => {
  const store = await open();
  const setLeft = (body: object) => store.menu.manage('items/coffee', { method: 'PATCH', body });
  await setLeft({ left: 10 });
  const [fewer, none] = [await takeChecked(store, 4), await takeChecked(store, 3)];
  await store.menu.post({ items: [item('cake', { price: 100, tax: 10 })], menus: [], categories: [] });
  const cake = { external_id: 'cake', quantity: 1 };
  expect((await setLines(store, fewer, 1, [coffee(1), cake])).status).toBe(200);
  expect((await setLines(store, none, 1, [cake])).status).toBe(200);
  await store.menu.post(menuAt(100));
  expect((await setLeft({})).body).toMatchObject({ left: 9 });
  for (const id of [fewer, none]) await patch(service, store.key, id, { status: 'REJECTED' });
  expect((await setLeft({})).body).toMatchObject({ left: 10 });
});

describe('the last unit', () => {
  const SOLD_OUT = { loc: ['body', 'items', 0, 'external_id'], type: 'sold_out', ctx: { left: 0 } };

  it('goes to one of two changes at the same time, and the other is told', async () => {
    const store = await open();
    const ids = [await takeChecked(store, 1), await takeChecked(store, 1)];
    await store.menu.manage('items/coffee', { method: 'PATCH', body: { left: 1 } });
    const asked = await Promise.all(ids.map((id) => setLines(store, id, 1, [coffee(2)])));
    const [taken, refused] = asked.sort((a, b) => a.status - b.status);
    expect([taken?.status, taken?.body['price']]).toEqual([200, 200]);
    expect([refused?.status, refused?.body['detail']]).toMatchObject([422, [SOLD_OUT]]);
  });

  it('may go to somebody else while a change waits for it', async () => {
    const store = await open();
    const id = await takeChecked(store, 1);
    await store.menu.manage('items/coffee', { method: 'PATCH', body: { left: 1 } });
    const client = new pg.Client(service.connection);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('BEGIN');
    const storeKey = await storeKeyOf(service, store);
    await client.query('UPDATE menu_marks SET remaining = 0 WHERE store_key = $1', [storeKey]);
    const asked = setLines(store, id, 1, [coffee(2)]);
    await untilBlocked(client);
    await client.query('COMMIT');
    const { status, body } = await asked;
    expect([status, body['detail']]).toMatchObject([422, [SOLD_OUT]]);
  });
});

it('judges added units by the hours at which the order is to be ready', async () => {
  const at = new Date(LATER);
  const hour = (add: number) => `${String(at.getUTCHours() + add).padStart(2, '0')}:00`;
  const availability = [
    {
      day_of_week: at.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }),
      time_periods: [{ start_time: hour(0), end_time: hour(1) }],
    },
  ];
  const store = await open(
    menuAt(100, {
      menus: [{ external_id: 'm', availability, category_external_ids: ['c'] }],
      categories: [{ external_id: 'c', name: text('c'), item_external_ids: ['coffee'] }],
    }),
  );
  const id = await takeChecked(store, 1);
  const added = await setLines(store, id, 1, [coffee(2)]);
  expect([added.status, added.body['price']]).toEqual([200, 200]);
  const nextDay = new Date(at.getTime() + 86_400_000).toISOString();
  const moved = await setLines(store, id, 2, [coffee(3)], { ready_by: nextDay });
  expect([moved.status, moved.body['detail']]).toMatchObject([
    422,
    [{ loc: ['body', 'items', 0, 'external_id'], type: 'outside_hours' }],
  ]);
});

it('keeps the name of the source where only its reference changes', async () => {
  const tenant = await createTenant(service);
  const { key } = await createKey(service, {
    merchant_id: tenant.merchantId,
    permissions: ['read', 'orders:write'],
    label: 'Front till',
  });
  const { body: named } = await takeIn(service, tenant, { source: { name: 'Uber Eats' } });
  const { body: unnamed } = await takeIn(service, tenant);
  const source = async (id: string, wanted: object) =>
    (await patch(service, key, id, { source: wanted })).body['source'];
  expect(await source(named.id, { reference: 'A12' })).toEqual({ name: 'Uber Eats', reference: 'A12' });
  expect(await source(named.id, { name: 'Web' })).toEqual({ name: 'Web' });
  expect(await source(unnamed.id, { reference: 'A12' })).toEqual({ name: 'Front till', reference: 'A12' });
});

it('takes no more than 768 KiB of items, as at intake', async () => {
  const tenant = await createTenant(service);
  const items = [{ name: 'x'.repeat(786_432) }];
  const [refused, { body: order }] = [
    await takeIn(service, tenant, { items }),
    await takeIn(service, tenant),
  ];
  const asked = await setLines(tenant, order.id, 1, items);
  expect([asked.status, asked.body]).toEqual([422, refused.body]);
  const most = [{ name: 'x'.repeat(786_432 - 13) }];
  expect((await setLines(tenant, order.id, 1, most)).status).toBe(200);
});

it('refuses what it does not know of a delivery, as at intake', async () => {
  const tenant = await createTenant(service);
  const delivery = { address: { line_1: 'Calle Mayor 1', floor: 2 }, note: 'Ring twice' };
  const refused = await takeIn(service, tenant, { delivery });
  expect(refused.status).toBe(422);
  const { body: order } = await takeIn(service, tenant);
  const asked = await patch(service, tenant.key, order.id, { delivery });
  expect([asked.status, asked.body]).toEqual([422, refused.body]);
});

it('refuses sums that could not be imported again, as at intake', async () => {
  const tenant = await createTenant(service);
  const most = { kind: 'other', name: 'x', price: Number.MAX_SAFE_INTEGER, tax: 0 };
  const wanted = { charges: [most, most], price: 1, tax: 0 };
  const refused = await takeIn(service, tenant, wanted);
  expect(refused.body).toMatchObject({ detail: [{ loc: ['body', 'charges'], type: 'total_too_large' }] });
  const { body: order } = await takeIn(service, tenant);
  const asked = await patch(service, tenant.key, order.id, wanted);
  expect([asked.status, asked.body]).toEqual([422, refused.body]);
});

describe('lines of a checked order that stay', () => {
  const choiceOf = (more: object = {}) => ({ group_external_id: 'milk', external_id: 'oat', ...more });
  const priced = (price: number) => ({
    items: [
      item('coffee', { price, tax: 0, modifier_external_ids: ['milk'] }),
      item('cake', { price: 50, tax: 0 }),
    ],
    menus: [],
    categories: [],
    modifier_groups: [
      {
        external_id: 'milk',
        type: 'CHOICE',
        name: text('Milk'),
        group_min: 0,
        group_max: 0,
        charge_after: 0,
        modifier_item_external_ids: ['oat'],
      },
    ],
    modifier_items: [
      {
        external_id: 'oat',
        name: text('Oat'),
        price_change: 10,
        tax_change: 0,
        min_quantity: 0,
        max_quantity: 5,
        default_quantity: 0,
      },
    ],
  });
  const oat = choiceOf({ name: 'Oat', price_change: 10, tax_change: 0 });
  const ordered = [
    {
      ...coffee(2),
      name: 'Coffee',
      price: 100,
      tax: 0,
      modifiers: [{ ...oat, quantity: 1 }],
    },
    { external_id: 'cake', quantity: 1, name: 'Cake', price: 50, tax: 0 },
  ] as const;

  async function take() {
    const tenant = await open(priced(100));
    const { body } = await ask<OrderBody>(
      `${service.url}/manage/v1/stores/${tenant.storeId}/orders?check=menu`,
      {
        method: 'POST',
        key: tenant.key,
        body: orderRequest({ items: [...ordered], price: 270, tax: 0, ready_by: LATER }),
      },
    );
    await tenant.menu.post(priced(130));
    return { ...tenant, id: body.id };
  }

  it('cost what they did and keep their names, however they are spelled', async () => {
    const { id, ...tenant } = await take();
    const cake = { external_id: 'cake', quantity: 1, modifiers: [] };
    const brief = [{ ...coffee(2), modifiers: [choiceOf()] }, cake];
    const { status, body } = await setLines(tenant, id, 1, brief);
    expect([status, body['price']]).toEqual([200, 270]);
    expect(body['items']).toEqual([
      { ...ordered[0], modifiers: [oat] },
      { ...ordered[1], modifiers: [] },
    ]);
    const renamed = [{ ...coffee(2), name: 'Kaffee', price: null, modifiers: [choiceOf({ quantity: 1 })] }];
    const { body: other } = await setLines(tenant, id, 2, [...renamed, cake]);
    expect(other).toMatchObject({ price: 270, items: [{ name: 'Kaffee', price: 100 }, { name: 'Cake' }] });
  });

  it('can stay when their item has sold out since', async () => {
    const { id, menu: _, ...tenant } = await take();
    await ask(`${service.url}/manage/v1/stores/${tenant.storeId}/menu/items/coffee`, {
      method: 'PATCH',
      key: tenant.key,
      body: { in_stock: false },
    });
    const { status, body } = await setLines(tenant, id, 1, [
      { ...coffee(2), modifiers: [choiceOf({ quantity: 1 })] },
    ]);
    expect([status, body['price']]).toEqual([200, 220]);
  });

  it('are new ones when they state another amount or choice', async () => {
    const { id, ...tenant } = await take();
    const types = async (line: object) => {
      const { status, body } = await setLines(tenant, id, 1, [line]);
      return [status, ...((body['detail'] ?? []) as { type: string }[]).map(({ type }) => type)];
    };
    expect(await types({ ...coffee(2), price: 99, modifiers: [choiceOf()] })).toEqual([
      422,
      'price_mismatch',
    ]);
    expect(await types({ ...coffee(2), modifiers: [choiceOf({ price_change: 0 })] })).toEqual([
      422,
      'price_mismatch',
    ]);
    expect(await types({ ...coffee(2), modifiers: 'oat' })).toEqual([422, 'list_type']);
    expect(await types({ ...coffee(2), modifiers: [choiceOf({ quantity: '1' })] })).toEqual([
      422,
      'int_type',
    ]);
    const { body } = await setLines(tenant, id, 1, [
      { ...coffee(2), modifiers: [choiceOf({ quantity: 2 })] },
    ]);
    expect(body['price']).toBe(300);
  });

  it('count towards the limits of an order with the new ones', async () => {
    const tenant = await open();
    const id = await takeChecked(tenant, 10_000);
    const refused = async (items: object[]) => {
      const { status, body } = await setLines(tenant, id, 1, items);
      return [status, body['detail']];
    };
    expect(await refused([coffee(20_000)])).toEqual([
      422,
      [
        expect.objectContaining({
          loc: ['body', 'items', 0, 'quantity'],
          type: 'less_than_equal',
          input: 20_000,
        }),
      ],
    ]);
    expect(await refused(Array.from({ length: 1_001 }, () => coffee(1)))).toEqual([
      422,
      [
        expect.objectContaining({
          loc: ['body', 'items'],
          type: 'too_long',
          msg: 'List should have at most 1000 items after validation, not 1001',
        }),
      ],
    ]);
  });
});
