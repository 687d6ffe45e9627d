import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { chain, menuClient } from '../harness/menu.js';
import { LATER, listIds, orderRequest, type OrderBody } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

const ITEMS = [{ external_id: 'i', name: 'Anything', quantity: 2, note: 'no sugar', modifiers: [] }];
const RIGHT = { items: ITEMS, price: 200, tax: 20 };

async function open() {
  const tenant = await createTenant(service);
  const menu = menuClient(service, tenant);
  await menu.post(chain());
  return { ...tenant, menu };
}

const send = (
  { storeId, key }: Pick<Tenant, 'storeId' | 'key'>,
  more: object,
  query = '',
  headers: Record<string, string> = {},
) =>
  ask<OrderBody>(`${service.url}/manage/v1/stores/${storeId}/orders${query}`, {
    method: 'POST',
    key,
    body: orderRequest({ ready_by: LATER, ...more }),
    headers,
  });

const history = (key: string, id: string) =>
  ask<unknown[]>(`${service.url}/manage/v1/orders/${id}/history`, { key });

const soldOut = { method: 'PATCH', body: { in_stock: false } };
const MISMATCH = {
  loc: ['body', 'price'],
  msg: 'The price is 200, not 199',
  type: 'price_mismatch',
  input: 199,
  ctx: { lines: 200, charges: 0, discounts: 0, expected: 200 },
};

describe('an order checked against the menu', () => {
  it.each([
    [{}, '?check=menu'],
    [{ expected_total: { price: 0, tax: 0 } }, ''],
    [{ expected_total: { price: 1, tax: 0 } }, ''],
  ])('is refused without a line: %j%s', async (more, query) => {
    const store = await open();
    const { status, body } = await send(store, { items: [], price: 0, tax: 0, ...more }, query);
    expect([status, body]).toEqual([
      422,
      {
        detail: [
          {
            loc: ['body', 'items'],
            msg: 'List should have at least 1 item after validation, not 0',
            type: 'too_short',
            ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
          },
        ],
      },
    ]);
    expect((await send(store, { items: [], price: 0, tax: 0 })).status).toBe(201);
  });

  it('is taken in as it stands, and keeps the version it was checked against', async () => {
    const store = await open();
    const { status, body } = await send(store, RIGHT, '?check=menu');
    expect([status, body['items'], body['price']]).toEqual([201, ITEMS, 200]);
    const checked = {
      time: expect.any(String) as string,
      key_id: store.keyId,
      field: 'checked_menu_version',
      to: 1,
    };
    expect((await history(store.key, body.id)).body).toEqual([checked]);
    await ask(`${service.url}/manage/v1/orders/${body.id}`, {
      method: 'PATCH',
      key: store.key,
      body: { is_read: true },
    });
    expect((await history(store.key, body.id)).body).toMatchObject([checked, { field: 'is_read', to: true }]);
  });

  it('is refused with everything that is wrong, and nothing is stored', async () => {
    const store = await open();
    const wrong = { ...RIGHT, price: 199 };
    expect(await send(store, wrong, '?check=menu')).toMatchObject({
      status: 422,
      body: { detail: [MISMATCH] },
    });
    const unknown = {
      ...RIGHT,
      items: [
        { external_id: 'x', quantity: 0 },
        { external_id: 'x', quantity: 1 },
      ],
    };
    expect(await send(store, unknown, '?check=menu')).toMatchObject({
      status: 422,
      body: {
        detail: [
          { loc: ['body', 'items', 0, 'quantity'], type: 'greater_than_equal' },
          { loc: ['body', 'items', 0, 'external_id'], type: 'unknown_item' },
          { loc: ['body', 'items', 1, 'external_id'], type: 'unknown_item' },
        ],
      },
    });
    expect(await listIds(service, store)).toEqual([]);
    expect((await send(store, RIGHT, '?check=stock')).status).toBe(422);
  });

  it('is not checked unless someone asks for it', async () => {
    const store = await open();
    const { status, body } = await send(store, { items: [{ anything: true }], price: 1 });
    expect([status, (await history(store.key, body.id)).body]).toEqual([201, []]);
  });

  it('is 409 with a fresh quote where the expected total no longer holds', async () => {
    const store = await open();
    const order = { ...RIGHT, expected_total: { price: 200, tax: 20 } };
    expect((await send(store, order)).status).toBe(201);
    await store.menu.post(chain({ price: 150 }));
    const { status, body } = await send(store, order);
    expect([status, body]).toEqual([
      409,
      {
        detail: 'The total of the order differs from the expected one',
        quote: {
          menu_version: 2,
          stock_revision: expect.any(Number) as number,
          at: expect.any(String) as string,
          items: [
            {
              external_id: 'i',
              name: { translations: { en: 'i' } },
              quantity: 2,
              price: 150,
              tax: 10,
              modifiers: [],
              total_price: 300,
              total_tax: 20,
            },
          ],
          price: 300,
          tax: 20,
          ready_by: LATER,
          prep_minutes: 0,
        },
      },
    ]);
    await store.menu.manage('items/i', soldOut);
    expect(await send(store, order)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'sold_out' }] },
    });
  });

  it('is given back when it comes again, whatever the menu says by now', async () => {
    const store = await open();
    const key = { 'idempotency-key': 'a' };
    const byKey = await send(store, RIGHT, '?check=menu', key);
    const byId = await send(store, { ...RIGHT, external_id: 'x' }, '?check=menu');
    await store.menu.manage('items/i', soldOut);
    expect(await send(store, RIGHT, '?check=menu', key)).toMatchObject({ status: 201, body: byKey.body });
    expect(await send(store, { ...RIGHT, external_id: 'x' }, '?check=menu')).toMatchObject({
      status: 200,
      body: byId.body,
    });
    expect((await send(store, { ...RIGHT, price: 1, external_id: 'x' }, '?check=menu')).status).toBe(409);
    expect((await send(store, RIGHT, '?check=menu')).status).toBe(422);
    expect(await listIds(service, store)).toHaveLength(2);
  });

  it('is every order of a store for which the operator says so', async () => {
    const store = await open();
    const url = `${service.url}/manage/v1/stores/${store.storeId}`;
    const set = (orders_checked: boolean, key = service.operatorKey) =>
      ask<{ orders_checked?: boolean }>(url, { method: 'PATCH', key, body: { orders_checked } });
    expect((await set(true, store.key)).status).toBe(403);
    expect((await set(true)).body.orders_checked).toBe(true);
    expect((await send(store, { ...RIGHT, price: 199 })).body['detail']).toEqual([MISMATCH]);
    expect((await send(store, RIGHT)).status).toBe(201);
    const { body } = await ask(`${service.url}/v1/stores/${store.storeId}`, { key: store.key });
    expect(body).not.toHaveProperty('orders_checked');
    await set(false);
    expect((await send(store, { ...RIGHT, price: 199 })).status).toBe(201);
  });

  it('keeps its version among many that arrive together, checked and not', async () => {
    const store = await open();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => send(store, RIGHT, i % 2 === 0 ? '?check=menu' : '')),
    );
    const histories = await Promise.all(answers.map(({ body }) => history(store.key, body.id)));
    expect(histories.map(({ body }) => body.length)).toEqual(answers.map((_, i) => (i % 2 === 0 ? 1 : 0)));
  });
});
