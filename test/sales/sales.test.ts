import { describe, expect, it } from 'vitest';
import { backup, restore, rewrite } from '../harness/backup.js';
import { ask } from '../harness/client.js';
import { item, menuClient, text } from '../harness/menu.js';
import { patch, takeIn } from '../harness/orders.js';
import { startService, useService, type Service } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';

interface SalesBody {
  readonly from: string;
  readonly rows: readonly Record<string, unknown>[];
  readonly total: Record<string, unknown>;
}

const service = await useService();
const made = await createTenant(service);
const storeId = await createStore(service, made.merchantId, { timezone: 'Europe/Madrid', currency: 'EUR' });
const tenant = { ...made, storeId };

const menu = {
  items: [item('latte'), item('tea'), item('mug')],
  categories: [
    { external_id: 'drinks', name: text('Drinks'), item_external_ids: ['latte', 'tea'] },
    { external_id: 'best', name: text('=Best'), item_external_ids: ['tea', 'mug'] },
  ],
};
const line = (external_id: string | undefined, quantity: number, price: number) => ({
  external_id,
  quantity,
  price,
  tax: 1,
});
const order = (created_at: string, items: readonly object[], price: number, more: object = {}) =>
  takeIn(service, tenant, { created_at, items, price, tax: 10, ...more });

// Some items have left the menu; one never was on it.
for (const body of [
  { ...menu, items: [...menu.items, ...['old', '=1+1', 'a,"b"', 'Jan-26', 'a;b'].map((id) => item(id))] },
  menu,
])
  await ask(`${service.url}/v1/stores/${storeId}/menu_configuration/`, {
    method: 'POST',
    key: tenant.key,
    body,
  });
// A Monday, just after midnight in Madrid; then on the Tuesday.
await order('2026-07-05T22:30:00Z', [line('latte', 2, 300)], 600);
const moved = await order('2026-07-06T10:00:00Z', [line('tea', 1, 200)], 200);
await patch(service, tenant.key, moved.body.id, { status: 'STORE_CANCELLED' });
await order('2026-07-07T10:59:59Z', [line('tea', 3, 200), line('never', 1, 50)], 650, {
  status: 'FULFILLED',
});
await order('2026-07-07T11:00:00Z', [line('old', 1, 70)], 70, { status: 'REJECTED' });

function read<T = SalesBody>(
  query: string,
  { of = `stores/${storeId}/`, key = tenant.key, accept = 'application/json' } = {},
) {
  return ask<T>(`${service.url}/manage/v1/${of}sales?${query}`, { key, headers: { accept } });
}

const none = { orders: 0, price: 0, tax: 0 };
const WEEK = 'from=2026-07-06&to=2026-07-12';

describe('sales of a store', () => {
  it('by day, on the clock of the store, with every day', async () => {
    const { status, body } = await read('from=2026-07-05&to=2026-07-07');
    expect([status, body]).toEqual([
      200,
      {
        from: '2026-07-05',
        to: '2026-07-07',
        timezone: 'Europe/Madrid',
        currency: 'EUR',
        by: 'day',
        rows: [
          { day: '2026-07-05', ...none, cancelled: none, rejected: none },
          {
            day: '2026-07-06',
            orders: 1,
            price: 600,
            tax: 10,
            cancelled: { orders: 1, price: 200, tax: 10 },
            rejected: none,
          },
          {
            day: '2026-07-07',
            orders: 1,
            price: 650,
            tax: 10,
            cancelled: none,
            rejected: { orders: 1, price: 70, tax: 10 },
          },
        ],
        total: {
          orders: 2,
          price: 1250,
          tax: 20,
          cancelled: { orders: 1, price: 200, tax: 10 },
          rejected: { orders: 1, price: 70, tax: 10 },
        },
      },
    ]);
  });

  it('by hour of the day, weekday and status', async () => {
    const { body: hours } = await read(`${WEEK}&by=hour`);
    expect(hours.rows).toHaveLength(24);
    expect(hours.rows.filter(({ orders }) => orders !== 0)).toMatchObject([
      { hour: 0, orders: 1, price: 600 },
      { hour: 12, orders: 1, price: 650 },
    ]);
    expect(hours.rows[13]).toMatchObject({ hour: 13, rejected: { orders: 1, price: 70 } });
    const { body: weekdays } = await read(`${WEEK}&by=weekday`);
    expect(weekdays.rows.map(({ weekday, price }) => [weekday, price])).toEqual([
      ['Monday', 600],
      ['Tuesday', 650],
      ...['Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((day) => [day, 0]),
    ]);
    const { body: statuses } = await read(`${WEEK}&by=status`);
    expect(statuses.rows.filter(({ orders }) => orders !== 0)).toEqual([
      { status: 'PENDING', orders: 1, price: 600, tax: 10 },
      { status: 'STORE_CANCELLED', orders: 1, price: 200, tax: 10 },
      { status: 'REJECTED', orders: 1, price: 70, tax: 10 },
      { status: 'FULFILLED', orders: 1, price: 650, tax: 10 },
    ]);
  });

  it('by item and by the first category of the item, best first', async () => {
    const zero = { units: 0, price: 0, tax: 0 };
    const { body: items } = await read(`${WEEK}&by=item`);
    expect(items.rows).toEqual([
      {
        external_id: 'tea',
        name: text('tea'),
        units: 3,
        price: 600,
        tax: 3,
        cancelled: { units: 1, price: 200, tax: 1 },
        rejected: zero,
      },
      {
        external_id: 'latte',
        name: text('latte'),
        units: 2,
        price: 600,
        tax: 2,
        cancelled: zero,
        rejected: zero,
      },
      { units: 1, price: 50, tax: 1, cancelled: zero, rejected: zero },
      { external_id: 'old', ...zero, cancelled: zero, rejected: { units: 1, price: 70, tax: 1 } },
    ]);
    const { body: categories } = await read(`${WEEK}&by=category`);
    expect(categories.rows).toMatchObject([
      { external_id: 'drinks', name: text('Drinks'), units: 5, price: 1200 },
      { units: 1, price: 50, rejected: { units: 1 } },
    ]);
    expect(categories.total).toEqual(items.total);
  });

  it('by item and by category, by how many were sold, then by what they brought', async () => {
    const fresh = await createStore(service, made.merchantId, { currency: 'EUR' });
    const categories = menu.items.map(({ external_id: id }) => ({
      external_id: `of ${id}`,
      name: text(id),
      item_external_ids: [id],
    }));
    await menuClient(service, { storeId: fresh, key: tenant.key }).post({ ...menu, categories });
    const items = [line('latte', 1, 900), line('mug', 3, 100), line('tea', 3, 200)];
    await takeIn(service, { storeId: fresh, key: tenant.key }, { items });
    const idsBy = async (by: string) =>
      (await read(`by=${by}`, { of: `stores/${fresh}/` })).body.rows.map(({ external_id: id }) => id);
    expect(await idsBy('item')).toEqual(['tea', 'mug', 'latte']);
    expect(await idsBy('category')).toEqual(['of tea', 'of mug', 'of latte']);
  });

  it('by item, category and source, without what a change of an order took away', async () => {
    const fresh = { ...tenant, storeId: await createStore(service, made.merchantId, { currency: 'EUR' }) };
    await menuClient(service, fresh).post(menu);
    const { body } = await takeIn(service, fresh, {
      items: [line('latte', 1, 300), line('mug', 1, 100)],
      source: { name: 'Web' },
    });
    await patch(service, tenant.key, body.id, {
      items: [line('latte', 1, 300)],
      expected_revision: 1,
      source: { name: 'Till' },
    });
    const rowsBy = async (by: string) =>
      (await read(`by=${by}`, { of: `stores/${fresh.storeId}/` })).body.rows;
    expect(await rowsBy('item')).toMatchObject([{ external_id: 'latte', units: 1 }]);
    expect(await rowsBy('category')).toMatchObject([{ external_id: 'drinks', units: 1 }]);
    expect(await rowsBy('source')).toMatchObject([{ source: 'Till', orders: 1 }]);
  });

  it('by item and by category, no more than asked for, and the rest as one row', async () => {
    const zero = { units: 0, price: 0, tax: 0 };
    const cancelled = { units: 1, price: 200, tax: 1 };
    const rejected = { units: 1, price: 70, tax: 1 };
    const { body: items } = await read(`${WEEK}&by=item&limit=1`);
    const first = { external_id: 'tea', name: text('tea'), units: 3, price: 600, tax: 3 };
    expect(items.rows).toEqual([
      { ...first, cancelled, rejected: zero },
      { rest: 3, units: 3, price: 650, tax: 3, cancelled: zero, rejected },
    ]);
    expect(items.total).toEqual((await read(`${WEEK}&by=item`)).body.total);
    const { body: categories } = await read(`${WEEK}&by=category&limit=1`);
    expect(categories.rows).toEqual([
      {
        external_id: 'drinks',
        name: text('Drinks'),
        units: 5,
        price: 1200,
        tax: 5,
        cancelled,
        rejected: zero,
      },
      { rest: 1, units: 1, price: 50, tax: 1, cancelled: zero, rejected },
    ]);
    const both = await read(`${WEEK}&by=item&limit=1&store_ids=${storeId}`, { of: '' });
    expect(both.body.rows).toEqual(items.rows);
    const { body: csv } = await read<string>(`${WEEK}&by=item&limit=1`, { accept: 'text/csv' });
    expect(csv.split('\r\n').slice(1)).toEqual([
      'tea,tea,3,6.00,0.03,1,2.00,0.01,0,0.00,0.00,EUR',
      ',and 3 more,3,6.50,0.03,0,0.00,0.00,1,0.70,0.01,EUR',
      '',
    ]);
  });

  it('by service, source and method, with charges, discounts and tips of their own', async () => {
    const other = await createTenant(service);
    const take = async (more: object) => {
      const { status, body } = await takeIn(service, other, { created_at: '2026-07-06T10:00:00Z', ...more });
      expect([status, body]).toMatchObject([201, {}]);
      return body;
    };
    const glovo = await take({
      service: 'delivery',
      source: { name: 'Glovo' },
      charges: [{ kind: 'delivery', name: 'Fee', price: 100, tax: 10 }],
      discounts: [{ name: 'First', price: 40, tax: 4 }],
      tip: 50,
      price: 1000,
      tax: 100,
      payments: [{ method: 'online', amount: 1000 }],
    });
    await take({ service: 'pickup', source: { name: 'Web' }, price: 500, tax: 50 });
    await take({ source: { name: 'Web' }, price: 300, tax: 30 });
    const gone = await take({ service: 'delivery', source: { name: 'Glovo' }, price: 70, tax: 7, tip: 5 });
    const url = `${service.url}/manage/v1/orders/${glovo.id}`;
    await ask(`${url}/payments`, { method: 'POST', key: other.key, body: { method: 'cash', amount: 150 } });
    await patch(service, other.key, glovo.id, { tip: 60, charges: [], price: 890, tax: 90 });
    await patch(service, other.key, gone.id, { status: 'REJECTED', reason: 'too_busy' });
    const get = async <T = SalesBody>(by: string, headers = {}) => {
      const path = `stores/${other.storeId}/sales?from=2026-07-06&to=2026-07-06&by=${by}`;
      return (await ask<T>(`${service.url}/manage/v1/${path}`, { key: other.key, headers })).body;
    };
    const none = { orders: 0, price: 0, tax: 0 };
    const kept = (orders: number, price: number, tax: number) => ({
      ...{ orders, price, tax },
      cancelled: none,
      rejected: none,
    });
    const rejected = { orders: 1, price: 70, tax: 7 };
    const total = { ...kept(3, 1690, 170), rejected };
    expect(await get('service')).toMatchObject({
      rows: [
        { service: 'delivery', ...kept(1, 890, 90), rejected },
        { service: 'pickup', ...kept(1, 500, 50) },
        kept(1, 300, 30),
      ],
      total,
    });
    expect((await get('source')).rows).toEqual([
      { source: 'Glovo', ...kept(1, 890, 90), rejected },
      { source: 'Web', ...kept(2, 800, 80) },
    ]);
    expect((await get('source&limit=1')).rows.slice(1)).toEqual([{ rest: 1, ...kept(2, 800, 80) }]);
    expect(await get('method')).toMatchObject({
      rows: [
        { method: 'online', ...kept(1, 1000, 0) },
        { method: 'cash', ...kept(1, 150, 0) },
      ],
      total: kept(2, 1150, 0),
    });
    const parts = { discounts: { price: 40, tax: 4 }, tip: 60 };
    expect(await get('day')).toMatchObject({
      rows: [{ day: '2026-07-06', ...total, ...parts }],
      total: { ...total, ...parts },
    });
    const rows = (await get('weekday')).rows;
    expect(rows.find((row) => row['weekday'] === 'Monday')).toEqual({
      weekday: 'Monday',
      ...total,
      ...parts,
    });
    const csv = await get<string>('day', { accept: 'text/csv' });
    expect(csv.split('\r\n')[1]).toBe('2026-07-06,3,1690,170,0,0,0,1,70,7,0,0,40,4,60,');
    const sources = await get<string>('source', { accept: 'text/csv' });
    expect(sources.split('\r\n').slice(0, 2)).toEqual([
      'source,orders,price,tax,cancelled_orders,cancelled_price,cancelled_tax,rejected_orders,rejected_price,rejected_tax,currency',
      'Glovo,1,890,90,0,0,0,1,70,7,',
    ]);
  });

  it('over a year give the same as over its days', async () => {
    for (const by of ['hour', 'item', 'weekday', 'status']) {
      const { body: week } = await read(`${WEEK}&by=${by}`);
      const { body: year } = await read(`from=2026-01-02&to=2026-12-30&by=${by}`);
      expect([by, year.rows, year.total]).toEqual([by, week.rows, week.total]);
    }
  });

  it('as CSV, quoted where needed, and no formula for a spreadsheet', async () => {
    const { headers, body } = await read<string>('from=2026-07-06&to=2026-07-06', { accept: 'text/csv' });
    expect([headers.get('content-type'), headers.get('vary')]).toEqual([
      'text/csv; charset=utf-8; header=present',
      'accept',
    ]);
    expect(body).toBe(
      'day,orders,price,tax,cancelled_orders,cancelled_price,cancelled_tax,rejected_orders,rejected_price,rejected_tax,' +
        'charges_price,charges_tax,discounts_price,discounts_tax,tip,currency\r\n' +
        '2026-07-06,1,6.00,0.10,1,2.00,0.10,0,0.00,0.00,0.00,0.00,0.00,0.00,0.00,EUR\r\n',
    );
    await order(
      '2026-08-01T10:00:00Z',
      [line('=1+1', 1, 5), line('a,"b"', 1, 4), line('Jan-26', 1, 3), line('a;b', 1, 2)],
      14,
    );
    const { body: items } = await read<string>('from=2026-08-01&to=2026-08-01&by=item', {
      accept: 'text/csv, */*',
    });
    expect(items.split('\r\n').slice(1, 5)).toEqual([
      `'=1+1,,1,0.05,0.01,0,0.00,0.00,0,0.00,0.00,EUR`,
      `"a,""b""",,1,0.04,0.01,0,0.00,0.00,0,0.00,0.00,EUR`,
      `'Jan-26,,1,0.03,0.01,0,0.00,0.00,0,0.00,0.00,EUR`,
      `"a;b",,1,0.02,0.01,0,0.00,0.00,0,0.00,0.00,EUR`,
    ]);
    const { headers: preferred } = await read('', { accept: 'application/json, text/csv' });
    expect(preferred.get('content-type')).toBe('application/json');
  });

  it.each([
    ['from=2026-07-06&to=2026-07-05', 'to'],
    ['by=item&limit=0', 'limit'],
    ['by=item&limit=1001', 'limit'],
    ['by=hour&from=2024-01-01&to=2024-01-02', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2024-01-01&to=2026-07-05', 'to'],
    ['from=2020-01-01', 'from'],
    ['from=9000-01-01', 'from'],
    ['by=year', 'by'],
  ])('refuse %s', async (query, at) => {
    const { status, body } = await read<{ detail: { loc: unknown }[] }>(query);
    expect([status, body.detail.map(({ loc }) => loc)]).toEqual([422, [['query', at]]]);
  });

  it('need the permission to read', async () => {
    const { key } = await createKey(service, {
      merchant_id: tenant.merchantId,
      permissions: ['orders:write'],
    });
    expect((await read(WEEK, { key })).status).toBe(403);
    expect((await read(WEEK, { key, of: '' })).status).toBe(403);
  });
});

describe('sales of several stores', () => {
  const of = '';

  it('add up, each by its own clock', async () => {
    const lima = await createStore(service, made.merchantId, { timezone: 'America/Lima', currency: 'EUR' });
    await takeIn(
      service,
      { ...tenant, storeId: lima },
      { created_at: '2026-07-06T04:00:00Z', price: 5, tax: 0 },
    );
    const ids = `store_ids=${storeId},${lima}`;
    const { status, body } = await read(`from=2026-07-05&to=2026-07-06&${ids}`, { of });
    expect([status, body.rows.map(({ price }) => price), 'timezone' in body]).toEqual([200, [5, 600], false]);
    // The first store of the merchant has no currency.
    const mixed = await read(WEEK, { of });
    expect([mixed.status, mixed.body]).toMatchObject([422, { detail: [{ loc: ['query', 'store_ids'] }] }]);
  });

  it('hide a store of another merchant, and one that is no store', async () => {
    const other = await createTenant(service);
    for (const id of [other.storeId, 'nonsense', '01980c6e-5c00-7000-8000-00000000ffff']) {
      const { status, body } = await read(`store_ids=${storeId},${id}`, { of });
      expect([status, body]).toEqual([404, { detail: 'Store not found' }]);
    }
    const { body } = await read(WEEK, { of, key: other.key });
    expect(body.total).toMatchObject({ orders: 0 });
  });
});

describe('sales in a backup', () => {
  const total = async (of: Service) => {
    const url = `${of.url}/manage/v1/stores/${storeId}/sales?${WEEK}&by=item`;
    return (await ask<SalesBody>(url, { key: of.operatorKey })).body.total;
  };

  it('come back, also those of orders that are gone; an archive whose orders they do not count is refused', async () => {
    const archive = await backup(service);
    const withoutOrders = rewrite(archive, (lines) => withoutTable(lines, 'orders'));
    const restored = await startService();
    expect((await restore(restored, withoutOrders)).status).toBe(200);
    expect(await total(restored)).toEqual(await total(service));
    await restored.stop();

    const old = rewrite(archive, (lines) =>
      withoutTable(withoutTable(lines, 'order_sales'), 'item_sales').map((text) =>
        text.replace(/,"local_hour":\d+/, '').replace(/^(\{"table":"orders".*),"local_hour"/, '$1'),
      ),
    );
    const half = rewrite(archive, (lines) =>
      lines.flatMap((text) => {
        if (!text.startsWith('{"table":"sales_progress"')) return text;
        const row = {
          store_key: 1,
          timezone: 'UTC',
          counted_from: 'infinity',
          counted_id: storeId,
          is_done: false,
        };
        return [text, JSON.stringify(row)];
      }),
    );
    const refusing = await startService();
    for (const uncounted of [old, half]) {
      const { status, body } = await restore(refusing, uncounted);
      expect([status, body]).toEqual([
        409,
        {
          detail:
            'The sales do not count all orders of the archive, as in those of version 0.1.0. Restore it with version ' +
            '0.2.0, which counts them, and make a new backup there after a few minutes.',
        },
      ]);
    }
    await refusing.stop();
  }, 60_000);
});

/** The lines of an archive without the rows of a table and the line that opens them. */
function withoutTable(lines: readonly string[], table: string): string[] {
  let isInside = false;
  return lines.filter((text) => {
    if (text.startsWith('{"table":')) isInside = text.startsWith(`{"table":"${table}"`);
    return !isInside;
  });
}
