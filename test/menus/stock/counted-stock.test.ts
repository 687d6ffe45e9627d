import { describe, expect, it } from 'vitest';
import { settleDueStock } from '../../../src/menus/stock/settle.js';
import { ask, type Answer } from '../../harness/client.js';
import { comboLine, comboMenu } from '../../harness/combo.js';
import { readFeed } from '../../harness/events.js';
import { item, itemsOf, menuClient } from '../../harness/menu.js';
import { LATER, orderRequest, patch, type OrderBody } from '../../harness/orders.js';
import { useService, type Service } from '../../harness/service.js';
import { createStore, createTenant } from '../../harness/tenant.js';

const service = await useService();

interface Mark {
  readonly external_id: string;
  readonly in_stock: boolean;
  readonly left?: number;
  readonly until?: string;
  readonly prep_type?: string;
  readonly detail?: unknown;
}

async function open(more: object = {}, body: unknown = comboMenu()) {
  const tenant = await createTenant(service);
  const storeId = await createStore(service, tenant.merchantId, more);
  const reader = { storeId, key: tenant.key };
  const menu = menuClient(service, reader);
  expect((await menu.post(body)).status).toBe(200);
  const mark = (path: string, wanted: object) => menu.manage<Mark>(path, { method: 'PATCH', body: wanted });
  return {
    ...tenant,
    storeId,
    menu,
    mark,
    item: (id: string, wanted: object = {}) => mark(`items/${id}`, wanted),
    order: (line: object, { from = service, check = true } = {}): Promise<Answer<OrderBody>> =>
      ask(`${from.url}/manage/v1/stores/${storeId}/orders${check ? '?check=menu' : ''}`, {
        method: 'POST',
        key: tenant.key,
        body: orderRequest({ items: [line], ...sumOf(line), ready_by: LATER }),
      }),
    quote: (line: object) =>
      ask<{ detail?: unknown }>(`${service.url}/manage/v1/stores/${storeId}/quote`, {
        method: 'POST',
        key: tenant.key,
        body: { items: [line] },
      }),
    events: async () => {
      const { body } = await readFeed(service, reader, { types: 'menu.stock_changed', limit: '1000' });
      return body.events.map(({ data }) => data);
    },
  };
}

const PRICES: Record<string, number> = { combo: 1000, fries: 300, salad: 350 };
const sumOf = (line: object) => {
  const { external_id, quantity } = line as { external_id: string; quantity: number };
  const price = (PRICES[external_id] ?? 0) * quantity;
  return { price, tax: price / 10 };
};
const fries = (quantity = 1) => ({ external_id: 'fries', quantity });
const inTree = async ({ menu }: Awaited<ReturnType<typeof open>>, id: string) =>
  itemsOf(await menu.tree()).find(({ external_id }) => external_id === id)?.in_stock;
const later = (ms: number) => new Date(Date.now() + ms).toISOString();
const DAY = 86_400_000;

describe('sold out until', () => {
  it('is lifted once, by whichever process looks, with an event that is nobody’s', async () => {
    const store = await open();
    const replica = await service.replica();
    const until = later(1_500);
    expect((await store.item('fries', { in_stock: false, until })).body).toMatchObject({
      in_stock: false,
      until,
    });
    await store.mark('modifier_items/aioli', { in_stock: false, until: later(DAY) });
    await settleDueStock(service.db);
    expect(await inTree(store, 'fries')).toBe(false);
    await expect.poll(() => Date.now() > Date.parse(until), { timeout: 60_000 }).toBe(true);
    await Promise.all([settleDueStock(service.db), settleDueStock(replica.db), settleDueStock(service.db)]);
    expect(await inTree(store, 'fries')).toBe(true);
    expect(await store.events()).toEqual([
      { kind: 'item', external_id: 'fries', in_stock: false, until, key_id: store.keyId },
      {
        kind: 'modifier_item',
        external_id: 'aioli',
        in_stock: false,
        until: expect.any(String) as string,
        key_id: store.keyId,
      },
      { kind: 'item', external_id: 'fries', in_stock: true, key_id: null },
    ]);
    await replica.stop();
  });

  it('ends with the day at the next 06:00 of the store', async () => {
    const store = await open({ timezone: 'Asia/Tokyo' });
    const { body } = await store.item('fries', { in_stock: false, until: 'end_of_day' });
    const ahead = Date.parse(body.until ?? '') - Date.now();
    expect([body.until?.slice(11), ahead > 0 && ahead <= DAY]).toEqual(['21:00:00.000Z', true]);
  });

  it('gives way to a mark without an end, and to a publication that states in_stock', async () => {
    const store = await open();
    const until = later(DAY);
    await store.item('fries', { in_stock: false, until });
    expect((await store.item('fries', { prep_type: 'fryer' })).body.until).toBe(until);
    expect((await store.item('fries', { in_stock: false })).body).not.toHaveProperty('until');
    await store.item('fries', { in_stock: false, until });
    expect((await store.item('fries', { until: null })).body).toMatchObject({ in_stock: false });
    expect((await store.item('fries')).body).not.toHaveProperty('until');
    await store.item('fries', { in_stock: false, until });
    const { items, ...rest } = comboMenu();
    await store.menu.post({ ...rest, items: items.map((one) => ({ ...one, in_stock: false })) });
    expect((await store.item('fries')).body).toMatchObject({ in_stock: false });
    expect((await store.item('fries')).body).not.toHaveProperty('until');
  });

  it.each([
    [{ in_stock: false, until: later(-1_000) }, 'value_error', 'until'],
    [{ in_stock: false, until: later(367 * DAY) }, 'value_error', 'until'],
    [{ in_stock: false, until: 'tomorrow' }, 'datetime_from_date_parsing', 'until'],
    [{ in_stock: true, until: later(DAY) }, 'value_error', 'until'],
    [{ until: 'end_of_day' }, 'value_error', 'until'],
    [{ left: -1 }, 'greater_than_equal', 'left'],
    [{ left: 100_001 }, 'less_than_equal', 'left'],
    [{ left: '3' }, 'int_type', 'left'],
  ])('refuses %j', async (wanted, type, field) => {
    const store = await open();
    expect(await store.item('fries', wanted)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', field], type }] },
    });
    expect(await store.events()).toEqual([]);
  });
});

describe('what is left', () => {
  it('goes down with every order, to sold out at 0, and comes back with those that are given up', async () => {
    const store = await open();
    const before = (await store.menu.tree()).headers.get('etag');
    expect((await store.item('fries', { left: 5 })).body).toMatchObject({ in_stock: true, left: 5 });
    const first = await store.order(fries(2));
    expect([first.status, (await store.item('fries')).body.left]).toEqual([201, 3]);

    const short = {
      loc: ['body', 'items', 0, 'external_id'],
      msg: "Of the item 'fries' only 3 are left, not 4",
      type: 'sold_out',
      ctx: { left: 3 },
    };
    expect((await store.quote(fries(4))).body.detail).toEqual([short]);
    expect(await store.order(fries(4))).toMatchObject({ status: 422, body: { detail: [short] } });
    const combos = await store.quote(comboLine(4));
    expect(combos.body.detail).toMatchObject([
      {
        loc: ['body', 'items', 0, 'modifiers', 1, 'external_id'],
        type: 'sold_out',
        ctx: { menu_item_external_id: 'fries', left: 3 },
      },
      { type: 'group_min' },
    ]);

    // One that nobody checks is taken, and takes what there is.
    const second = await store.order(comboLine(4), { check: false });
    expect(second.status).toBe(201);
    expect((await store.item('fries')).body).toMatchObject({ in_stock: false, left: 0 });
    const tree = await store.menu.tree();
    expect([await inTree(store, 'fries'), tree.headers.get('etag') === before]).toEqual([false, false]);
    expect((await store.quote(fries())).body.detail).toMatchObject([{ type: 'sold_out', ctx: { left: 0 } }]);

    await patch(service, store.key, second.body.id, { status: 'CUSTOMER_CANCELLED' });
    expect((await store.item('fries')).body).toMatchObject({ in_stock: true, left: 3 });
    expect(await inTree(store, 'fries')).toBe(true);
    await patch(service, store.key, first.body.id, { status: 'ACCEPTED' });
    await patch(service, store.key, first.body.id, { status: 'STORE_CANCELLED' });
    expect((await store.item('fries')).body.left).toBe(5);
    const about = { kind: 'item', external_id: 'fries', key_id: store.keyId };
    expect(await store.events()).toEqual([
      { ...about, in_stock: true, left: 5 },
      { ...about, in_stock: false, left: 0 },
      { ...about, in_stock: true, left: 3 },
    ]);
    expect((await store.item('fries', { left: 5 })).body.left).toBe(5);
    expect((await store.item('fries', { left: null })).body).not.toHaveProperty('left');
    expect(await store.events()).toHaveLength(4);
    expect((await store.order(fries(9))).status).toBe(201);
  });

  it('counts an order once, however often it is sent', async () => {
    const store = await open();
    await store.item('fries', { left: 5 });
    const send = (check: string) =>
      ask(`${service.url}/manage/v1/stores/${store.storeId}/orders${check}`, {
        method: 'POST',
        key: store.key,
        body: orderRequest({ items: [fries(3)], price: 900, tax: 90, external_id: 'x', ready_by: LATER }),
        headers: { 'idempotency-key': 'k' },
      });
    expect((await send('?check=menu')).status).toBe(201);
    expect([(await send('?check=menu')).status, (await send('')).status]).toEqual([201, 201]);
    expect((await store.item('fries')).body.left).toBe(2);
  });

  it('is believed until someone says that it is in stock, and is no business of orders that are given up', async () => {
    const store = await open();
    await store.item('fries', { left: 0 });
    expect(await inTree(store, 'fries')).toBe(false);
    expect((await store.item('fries', { in_stock: true })).body).toMatchObject({ in_stock: true });
    expect((await store.item('fries')).body).not.toHaveProperty('left');
    await store.item('fries', { left: 2 });
    const url = `${service.url}/manage/v1/stores/${store.storeId}/orders`;
    const body = orderRequest({ items: [fries()], status: 'REJECTED' });
    expect((await ask(url, { method: 'POST', key: store.key, body })).status).toBe(201);
    const odd = orderRequest({ items: [{ external_id: 7 }, { ...fries(), quantity: 'x' }, 'fries', null] });
    await ask(url, {
      method: 'POST',
      key: store.key,
      body: { ...odd, items: (odd['items'] as unknown[]).slice(0, 2) },
    });
    // A quantity that cannot be read is one.
    expect((await store.item('fries')).body.left).toBe(1);
  });

  it('gives way at 0 to a publication that states that it is in stock, and to no other', async () => {
    const stating = (in_stock?: boolean) => {
      const { items, ...others } = comboMenu();
      return { ...others, items: items.map((one) => ({ ...one, in_stock })) };
    };
    const store = await open({}, stating(true));
    const post = async (body: object) => {
      const { status, headers } = await store.menu.post(body);
      return [status, headers.get('etag')];
    };
    await store.item('fries', { left: 3, prep_type: 'fryer' });
    const counted = await post(stating(true));
    expect((await store.item('fries')).body).toMatchObject({ in_stock: true, left: 3 });
    expect((await store.order(fries(3))).status).toBe(201);
    const before = await store.events();
    expect(before.at(-1)).toMatchObject({ in_stock: false, left: 0 });

    for (const in_stock of [undefined, false]) {
      await post(stating(in_stock));
      expect((await store.item('fries')).body).toMatchObject({ in_stock: false, left: 0 });
    }
    const out = await post(stating(false));
    expect(await post(stating(false))).toEqual(out);

    const back = await post(stating(true));
    expect((await store.item('fries')).body).toEqual({
      id: expect.any(Number) as number,
      external_id: 'fries',
      in_stock: true,
      prep_type: 'fryer',
    });
    expect([await inTree(store, 'fries'), (await store.quote(fries(9))).status]).toEqual([true, 200]);
    expect(await post(stating(true))).toEqual(back);
    expect([counted, out]).not.toContainEqual(back);
    expect(await store.events()).toEqual(before);

    // Sold out again, under a menu that states already that it is not.
    await store.item('fries', { left: 0 });
    const changes = [{ kind: 'item', external_id: 'fries', set: { in_stock: true } }];
    expect((await store.mark('../menu', { changes })).status).toBe(200);
    expect([await inTree(store, 'fries'), (await store.item('fries')).body.left]).toEqual([true, undefined]);
  });

  it('is shown by the clock where a process was killed before it could', async () => {
    const store = await open();
    await store.item('fries', { left: 1 });
    await service.db.query({
      name: 'test-take-the-last',
      text: `UPDATE menu_marks SET remaining = 0
        WHERE store_key = (SELECT store_key FROM stores WHERE id = $1) AND remaining = 1`,
      values: [store.storeId],
    });
    expect(await inTree(store, 'fries')).toBe(true);
    await settleDueStock(service.db);
    expect(await inTree(store, 'fries')).toBe(false);
    expect((await store.events()).at(-1)).toMatchObject({ in_stock: false, left: 0, key_id: null });
  });

  it('is never sold twice: fifty clients on two processes ask for the last ten', async () => {
    const store = await open();
    const replica: Service = await service.replica();
    await store.item('fries', { left: 10 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        store.order(i % 5 === 0 ? comboLine() : fries(), { from: i % 2 === 0 ? service : replica }),
      ),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(10);
    for (const { status, body } of answers)
      if (status !== 201)
        expect([status, body['detail']]).toMatchObject([422, [{ type: 'sold_out' }, ...rest(body)]]);
    expect((await store.item('fries')).body).toMatchObject({ in_stock: false, left: 0 });
    await Promise.all(
      taken
        .slice(0, 4)
        .map(({ body }, i) =>
          patch(i % 2 === 0 ? service : replica, store.key, body.id, { status: 'REJECTED' }),
        ),
    );
    expect((await store.item('fries')).body).toMatchObject({ in_stock: true, left: 4 });
    expect(await inTree(store, 'fries')).toBe(true);
    await replica.stop();
  });
});

/** A combo without its side also lacks what the group asks for. */
function rest(body: OrderBody): object[] {
  return (body['detail'] as object[]).slice(1);
}

describe('many items at once', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => item(`i${i}`));
  const menu = {
    items: many,
    menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'] }],
    categories: [
      {
        external_id: 'c',
        name: { translations: {} },
        item_external_ids: many.map(({ external_id }) => external_id),
      },
    ],
  };

  it('are marked together, up to a thousand', async () => {
    const store = await open({}, menu);
    const items = many.map(({ external_id }, i) => ({
      external_id,
      prep_type: i % 2 === 0 ? 'grill' : 'bar',
      ...(i === 3 ? { in_stock: false, until: 'end_of_day' } : {}),
      ...(i === 4 ? { left: 12 } : {}),
    }));
    const { status, body } = await store.mark('items', { items });
    const made = (body as unknown as { items: Mark[] }).items;
    expect([status, made.length, made[3], made[4]]).toMatchObject([
      200,
      1_000,
      { external_id: 'i3', in_stock: false, prep_type: 'bar', until: expect.any(String) as string },
      { external_id: 'i4', in_stock: true, prep_type: 'grill', left: 12 },
    ]);
    expect(itemsOf(await store.menu.tree()).map(({ prep_type }) => prep_type)).toEqual(
      items.map(({ prep_type }) => prep_type),
    );
    expect(await store.events()).toHaveLength(1_000);
    await store.mark('items', { items });
    expect(
      (await readFeed(service, { storeId: store.storeId, key: store.key }, { limit: '1' })).body,
    ).toMatchObject({
      has_more: true,
    });
    expect(await store.events()).toHaveLength(1_000);
  });

  it('are marked all or not at all', async () => {
    const store = await open({}, menu);
    const error = (i: number, id: string) => ({
      loc: ['body', 'items', i, 'external_id'],
      msg: `No item has the external_id '${id}'`,
      type: 'unknown_item',
    });
    const items = [
      { external_id: 'i0', in_stock: false },
      { external_id: 'nothing', in_stock: false },
      { external_id: 'i1', left: 0 },
      { external_id: 'o', in_stock: true },
    ];
    expect(await store.mark('items', { items })).toMatchObject({
      status: 422,
      body: { detail: [error(1, 'nothing'), error(3, 'o')] },
    });
    expect([await inTree(store, 'i0'), await inTree(store, 'i1')]).toEqual([true, true]);
    const bad = [{ external_id: 'i0', until: 'end_of_day' }, { in_stock: false }];
    expect(await store.mark('items', { items: bad })).toMatchObject({
      status: 422,
      body: {
        detail: [
          { loc: ['body', 'items', 0, 'until'], type: 'value_error' },
          { loc: ['body', 'items', 1, 'external_id'], type: 'missing' },
        ],
      },
    });
    const tooMany = Array.from({ length: 1_001 }, () => ({ external_id: 'i0', in_stock: false }));
    expect(await store.mark('items', { items: tooMany })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'items'], type: 'too_long' }] },
    });
    expect(await store.events()).toEqual([]);
  });

  it('need the permission to mark stock', async () => {
    const store = await open({}, menu);
    const { key } = await createTenant(service, ['read']);
    const url = `${service.url}/manage/v1/stores/${store.storeId}/menu/items`;
    const body = { items: [] };
    expect((await ask(url, { method: 'PATCH', key, body })).status).toBe(404);
    const { body: made } = await ask<{ key: string }>(`${service.url}/manage/v1/keys`, {
      method: 'POST',
      key: service.operatorKey,
      body: { merchant_id: store.merchantId, permissions: ['read', 'menu:write', 'orders:write'] },
    });
    expect((await ask(url, { method: 'PATCH', key: made.key, body })).status).toBe(403);
  });
});
