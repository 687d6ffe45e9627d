import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { chain, item, menuClient, modifierGroup, modifierItem, numberedMenu, text } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

const MENU = {
  ...chain({ modifier_external_ids: ['g', 'free'] }),
  modifier_groups: [
    modifierGroup('g', { group_min: 1, modifier_item_external_ids: ['o', 'p'] }),
    modifierGroup('free', { charge_after: 1, modifier_item_external_ids: ['p'] }),
  ],
  modifier_items: [
    modifierItem('o'),
    modifierItem('p', { price_change: 50, tax_change: -2, max_quantity: 9 }),
  ],
};
const LINE = {
  external_id: 'i',
  quantity: 2,
  modifiers: [
    { group_external_id: 'g', external_id: 'o' },
    { group_external_id: 'free', external_id: 'p', quantity: 3 },
  ],
};
const QUOTED = {
  external_id: 'i',
  name: text('i'),
  quantity: 2,
  price: 100,
  tax: 10,
  modifiers: [
    {
      group_external_id: 'g',
      external_id: 'o',
      name: text('o'),
      quantity: 1,
      free_quantity: 0,
      price_change: 5,
      tax_change: 1,
    },
    {
      group_external_id: 'free',
      external_id: 'p',
      name: text('p'),
      quantity: 3,
      free_quantity: 1,
      price_change: 50,
      tax_change: -2,
    },
  ],
  total_price: 410,
  total_tax: 10,
};

async function open(more: object = {}) {
  const tenant = await createTenant(service);
  const storeId = await createStore(service, tenant.merchantId, more);
  return { ...tenant, storeId, menu: menuClient(service, { ...tenant, storeId }) };
}

interface QuoteBody {
  readonly menu_version: number;
  readonly stock_revision: number;
  readonly price: number;
  readonly items: readonly { readonly price: number }[];
  readonly detail: readonly { readonly type: string }[];
}

const quote = ({ storeId, key }: Pick<Tenant, 'storeId' | 'key'>, body: unknown) =>
  ask<QuoteBody>(`${service.url}/manage/v1/stores/${storeId}/quote`, { method: 'POST', key, body });

describe('a quote', () => {
  it('answers every line priced, and what it is valid for', async () => {
    const store = await open({ currency: 'EUR' });
    await store.menu.post(MENU);
    const { status, body, headers } = await quote(store, {
      items: [LINE, LINE],
      at: '2026-11-16T10:00:00+01:00',
    });
    expect([status, body]).toEqual([
      200,
      {
        menu_version: 1,
        stock_revision: expect.any(Number) as number,
        at: '2026-11-16T09:00:00.000Z',
        currency: 'EUR',
        items: [QUOTED, QUOTED],
        price: 820,
        tax: 20,
        ready_by: '2026-11-16T09:15:00.000Z',
        prep_minutes: 0,
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('takes the body of an intake, and back what it has answered', async () => {
    const store = await open();
    await store.menu.post(MENU);
    const { body } = await quote(store, {
      items: [LINE],
      customer: { name: 'x' },
      price: null,
    });
    expect(body).toMatchObject({ items: [QUOTED], price: 410, tax: 10 });
    expect(body).not.toHaveProperty('currency');
    const { items, price, tax, at, ready_by } = body as unknown as Record<string, unknown>;
    expect((await quote(store, { items, price, tax, at, ready_by })).body).toEqual(body);
    const { body: api } = await ask<{ components: { schemas: Record<string, { properties: object }> } }>(
      `${service.url}/manage/openapi.json`,
    );
    const namesOf = (shape: string) => Object.keys(api.components.schemas[shape]?.properties ?? {});
    const others = namesOf('OrderRequest').filter((name) => !namesOf('QuoteRequest').includes(name));
    expect(others).toContain('delivery');
    const unread = Object.fromEntries(others.map((name) => [name, 'not looked at']));
    expect((await quote(store, { ...unread, items, at, ready_by })).body).toEqual(body);
    expect((await quote(store, { items: [LINE], itmes: [] })).body).toMatchObject({
      detail: [{ loc: ['body', 'itmes'], type: 'extra_forbidden' }],
    });
  });

  it('tells everything that is wrong at once', async () => {
    const store = await open();
    await store.menu.post(MENU);
    const { status, body } = await quote(store, {
      items: [
        { external_id: 'j', quantity: 1 },
        { external_id: 'i', quantity: '1' },
        { ...LINE, price: 99, modifiers: [] },
      ],
      price: 5,
    });
    expect([status, body]).toEqual([
      422,
      {
        detail: [
          {
            loc: ['body', 'items', 0, 'external_id'],
            msg: "No item has the external_id 'j'",
            type: 'unknown_item',
            input: 'j',
          },
          {
            loc: ['body', 'items', 1, 'quantity'],
            msg: 'Input should be a valid integer',
            type: 'int_type',
            input: '1',
          },
          {
            loc: ['body', 'items', 2, 'price'],
            msg: 'The price is 100, not 99',
            type: 'price_mismatch',
            input: 99,
            ctx: { expected: 100 },
          },
          {
            loc: ['body', 'items', 2, 'modifiers'],
            msg: "The modifier group 'g' requires at least 1 selected per item, not 0",
            type: 'group_min',
            ctx: { group_external_id: 'g', group_min: 1, group_max: 0, selected: 0 },
          },
        ],
      },
    ]);
  });

  it('knows of no item before the first publication, and of every change after it', async () => {
    const store = await open();
    const typesOf = async (body: unknown) => (await quote(store, body)).body.detail.map(({ type }) => type);
    const order = { items: [LINE] };
    expect(await typesOf(order)).toEqual(['unknown_item']);
    expect((await quote(store, { items: [] })).body).toMatchObject({
      menu_version: 0,
      items: [],
      price: 0,
      tax: 0,
    });
    await store.menu.post(MENU);
    const first = (await quote(store, order)).body;
    await store.menu.manage('items/i', { method: 'PATCH', body: { in_stock: false } });
    expect(await typesOf(order)).toEqual(['sold_out']);
    await store.menu.manage('items/i', { method: 'PATCH', body: { in_stock: true } });
    await store.menu.manage('modifier_items/p', { method: 'PATCH', body: { in_stock: false } });
    expect(await typesOf(order)).toEqual(['sold_out']);
    await store.menu.manage('modifier_items/p', { method: 'PATCH', body: { in_stock: true } });
    const second = (await quote(store, order)).body;
    expect(second).toMatchObject({ menu_version: 1, price: first.price });
    expect(second.stock_revision).toBeGreaterThan(first.stock_revision);
    await store.menu.post({
      ...MENU,
      items: [item('i', { price: 7, modifier_external_ids: ['g', 'free'] })],
    });
    expect((await quote(store, order)).body).toMatchObject({ menu_version: 2, price: 224 });
    await store.menu.manage('versions/1/restore', { method: 'POST' });
    expect((await quote(store, order)).body).toMatchObject({ menu_version: 3, price: 410 });
  });

  it("follows the hours of the menus on the store's clock", async () => {
    const store = await open({ timezone: 'Asia/Tokyo' });
    const lunch = [{ day_of_week: 'Monday', time_periods: [{ start_time: '11:00', end_time: '14:00' }] }];
    await store.menu.post({ ...MENU, menus: [{ ...MENU.menus[0], availability: lunch }] });
    const at = (time: string) => quote(store, { items: [LINE], at: time });
    expect((await at('2026-11-16T02:00:00Z')).status).toBe(200);
    expect((await at('2026-11-16T05:00:00Z')).body).toEqual({
      detail: [
        {
          loc: ['body', 'items', 0, 'external_id'],
          msg: "The item 'i' is not available until 2026-11-23T02:00:00.000Z",
          type: 'outside_hours',
          ctx: { next_at: '2026-11-23T02:00:00.000Z' },
        },
      ],
    });
  });

  it('needs the permission to read, and shows nothing of another merchant', async () => {
    const store = await open();
    await store.menu.post(MENU);
    const { key } = await createKey(service, {
      merchant_id: store.merchantId,
      permissions: ['orders:write'],
    });
    expect((await quote({ ...store, key }, { items: [LINE] })).status).toBe(403);
    const other = await createTenant(service);
    expect((await quote({ ...store, key: other.key }, { items: [LINE] })).status).toBe(404);
  });

  it('is of one version as a whole while others are published', async () => {
    const store = await open();
    await store.menu.post(numberedMenu(1, 50));
    const items = Array.from({ length: 50 }, (_, i) => ({ external_id: `i${i}`, quantity: 1 }));
    const progress = { isDone: false };
    const publishing = (async () => {
      for (let number = 2; number < 12; number += 1) await store.menu.post(numberedMenu(number, 50));
      progress.isDone = true;
    })();
    let newest = 0;
    while (!progress.isDone) {
      for (const { body } of await Promise.all([quote(store, { items }), quote(store, { items })])) {
        expect(new Set(body.items.map(({ price }) => price))).toEqual(new Set([body.menu_version]));
        expect(body.menu_version).toBeGreaterThanOrEqual(newest);
      }
      newest = (await quote(store, { items })).body.menu_version;
    }
    await publishing;
    expect((await quote(store, { items })).body).toMatchObject({ menu_version: 11, price: 550 });
  });

  it('prices a thousand lines by the largest menu, and bounds what it spends on hints', async () => {
    const store = await open();
    await store.menu.post(numberedMenu(3, 10_000));
    const items = Array.from({ length: 1000 }, (_, i) => ({ external_id: `i${i * 10}`, quantity: 10_000 }));
    const { status, body } = await quote(store, { items });
    expect([status, body.price]).toEqual([200, 3 * 1000 * 10_000]);
    const unknown = items.map(({ quantity }, i) => ({ external_id: `ix${i}`, quantity }));
    expect((await quote(store, { items: unknown })).body.detail).toHaveLength(101);
  });
});
