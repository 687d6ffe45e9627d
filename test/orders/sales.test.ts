import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldSales } from '../../src/orders/sales/fold.sql.js';
import { readLines } from '../../src/orders/lines.js';
import { localHourOf, soldLines } from '../../src/orders/sales/sales.js';
import { hourOf } from '../../src/orders/list/counts.sql.js';
import { ask } from '../harness/client.js';
import { item } from '../harness/menu.js';
import { importLines, orderRequest, patch, takeIn } from '../harness/orders.js';
import { expectSalesExact } from '../harness/recount-sales.js';
import { useService } from '../harness/service.js';
import { createStore, createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';

const service = await useService();
const replica = await service.replica();

async function zonedTenant(timezone: string): Promise<Tenant> {
  const tenant = await createTenant(service);
  const storeId = await createStore(service, tenant.merchantId, { timezone });
  await publish({ ...tenant, storeId }, ['latte']);
  return { ...tenant, storeId };
}

async function publish({ storeId, key }: Tenant, ids: readonly string[]): Promise<void> {
  const url = `${service.url}/v1/stores/${storeId}/menu_configuration/`;
  const { status } = await ask(url, { method: 'POST', key, body: { items: ids.map((id) => item(id)) } });
  expect(status).toBe(200);
}

const statuses = fc.constantFrom('PENDING', 'ACCEPTED', 'READY', 'FULFILLED', 'REJECTED', 'STORE_CANCELLED');
const amounts = fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constant(10 ** 9));
const odd = fc.constantFrom<unknown>(-3, 1.5, '2', null, true, [], [[1]], {}, { quantity: 2 }, 'nonsense');
const modifiers = fc.array(
  fc.record(
    {
      external_id: fc.constantFrom('oat', 'large'),
      quantity: fc.oneof(fc.integer({ min: 1, max: 3 }), odd),
      free_quantity: fc.integer({ min: 0, max: 2 }),
      price_change: fc.integer({ min: -50, max: 100 }),
      tax_change: fc.oneof(fc.integer({ min: -5, max: 10 }), odd),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 3 },
);
const lines = fc.array(
  fc.record(
    {
      external_id: fc.oneof(fc.constantFrom('latte', 'tea', '', 'x'.repeat(300), '\u0001tip'), odd),
      quantity: fc.oneof(fc.integer({ min: 1, max: 5 }), odd),
      price: fc.oneof(amounts, odd),
      tax: fc.oneof(amounts, odd),
      modifiers: fc.oneof(modifiers, odd),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 4 },
);
const created = fc
  .integer({ min: Date.UTC(2026, 2, 28), max: Date.UTC(2026, 3, 2) })
  .map((ms) => new Date(ms).toISOString());
const priced = fc.array(
  fc.record({
    kind: fc.constant('delivery'),
    name: fc.constant('Fee'),
    price: amounts,
    tax: fc.integer({ min: 0, max: 90 }),
  }),
  { maxLength: 2 },
);
const payments = fc.record({
  method: fc.constantFrom('cash', 'card', 'voucher'),
  amount: fc.integer({ min: -900, max: 9_000 }),
});
const facts = {
  service: fc.constantFrom('dine_in', 'delivery'),
  source: fc.constantFrom({ name: 'Glovo' }, { name: 'a "quoted" \\ name, and more' }, { name: '\u0001tip' }),
  charges: priced,
  discounts: priced.map((list) => list.map(({ kind: _, ...discount }) => discount)),
  tip: fc.integer({ min: 0, max: 500 }),
};
const orders = fc
  .record(
    {
      items: lines,
      price: fc.integer({ min: 0, max: 100_000 }),
      tax: fc.integer({ min: 0, max: 9_000 }),
      created_at: created,
      status: statuses,
      payments: fc.array(payments, { maxLength: 3 }),
      ...facts,
    },
    { requiredKeys: ['items', 'price', 'tax', 'created_at', 'status'] },
  )
  // JSON has no undefined, and a source by itself must have a name.
  .map((order) => JSON.parse(JSON.stringify(order)) as object);
const { service: _service, ...amended } = facts;
/** A step names an order by its place among those there are. */
const steps = fc.oneof(
  fc.record({ kind: fc.constant('take in' as const), order: orders }),
  fc.record({ kind: fc.constant('move' as const), which: fc.nat(20), to: statuses }),
  fc.record({ kind: fc.constant('pay' as const), which: fc.nat(20), payment: payments }),
  fc.record({
    kind: fc.constant('amend' as const),
    which: fc.nat(20),
    change: fc.record({ items: lines, ...amended, price: amounts, tax: amounts }, { requiredKeys: [] }),
  }),
  fc.record({ kind: fc.constant('import' as const), orders: fc.array(orders, { maxLength: 4 }) }),
);

describe('the sales of a store', () => {
  it('equal a recount after any storePace, imports and moves, by two processes at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (all) => {
        const tenant = await zonedTenant('Australia/Adelaide');
        const made: string[] = [];
        let imported = 0;
        for (const [i, step] of all.entries()) {
          const by = i % 2 === 0 ? service : replica;
          if (step.kind === 'take in') {
            const { status, body } = await takeIn(by, tenant, step.order);
            expect([status, body]).toMatchObject([201, {}]);
            made.push(body.id);
          } else if (step.kind === 'import') {
            // The second line of each meets the first one again.
            const texts = step.orders.flatMap((order) => {
              imported += 1;
              const line = { ...orderRequest(order), store_id: tenant.storeId, external_id: `i-${imported}` };
              return [JSON.stringify(line), JSON.stringify(line)];
            });
            const { body } = await importLines(by, tenant.key, texts.join('\n'));
            expect(body).toMatchObject({ created: step.orders.length, existing: step.orders.length });
          } else if (made.length > 0) {
            const id = made[step.which % made.length] ?? '';
            const order = `${by.url}/manage/v1/orders/${id}`;
            if (step.kind === 'move') await patch(by, tenant.key, id, { status: step.to });
            else if (step.kind === 'pay')
              await ask(`${order}/payments`, { method: 'POST', key: tenant.key, body: step.payment });
            else {
              const { body } = await ask<{ revision: number }>(order, { key: tenant.key });
              await patch(by, tenant.key, id, { ...step.change, expected_revision: body.revision });
            }
          }
        }
        expect(await expectSalesExact(service.db, await storeKeyOf(service, tenant))).toBe(
          made.length + imported,
        );
      }),
      { numRuns: 12 },
    );
  }, 240_000);

  it('are exact under many writers and movers at once', async () => {
    const tenant = await zonedTenant('America/New_York');
    const write = async (writer: number) => {
      for (let i = 0; i < 8; i += 1) {
        const by = (writer + i) % 2 === 0 ? service : replica;
        const { body } = await takeIn(by, tenant, { price: writer * 100 + i });
        await Promise.all(
          ['ACCEPTED', 'STORE_CANCELLED', 'READY'].map((status) =>
            patch(by, tenant.key, body.id, { status }),
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    expect(await expectSalesExact(service.db, await storeKeyOf(service, tenant))).toBe(64);
  }, 120_000);

  it('stay in the hour of the clock at which the order came, when the store moves to another time zone', async () => {
    const tenant = await zonedTenant('Europe/Madrid');
    const storeKey = await storeKeyOf(service, tenant);
    const { body } = await takeIn(service, tenant, { created_at: '2026-07-01T23:30:00Z' });
    await service.db.query({
      name: 'test-move-store',
      text: `UPDATE stores SET timezone = 'America/Lima' WHERE store_key = $1`,
      values: [storeKey],
    });
    await patch(service, tenant.key, body.id, { status: 'STORE_CANCELLED' });
    await expectSalesExact(service.db, storeKey);
    const [row] = await service.db.query<{ local_hour: number }>({
      name: 'test-local-hour',
      text: 'SELECT local_hour FROM orders WHERE store_key = $1',
      values: [storeKey],
    });
    expect(row?.local_hour).toBe(hourOf(Date.UTC(2026, 6, 2, 1)));
  });

  it('stay in the hour in which 0.2.0 counted an order of 0.1.0, whose row has none', async () => {
    const tenant = await zonedTenant('Asia/Kathmandu');
    const storeKey = await storeKeyOf(service, tenant);
    const made = await Promise.all([1, 2, 3].map((price) => takeIn(service, tenant, { price })));
    for (const [name, text] of [
      ['test-no-hours', 'UPDATE orders SET local_hour = NULL WHERE store_key = $1'],
      [
        'test-progress',
        `INSERT INTO sales_progress
         SELECT $1, 'Asia/Kathmandu', min(created_at), '00000000-0000-0000-0000-000000000000', true FROM orders WHERE store_key = $1`,
      ],
      ['test-move-store', `UPDATE stores SET timezone = 'America/Lima' WHERE store_key = $1`],
    ] as const)
      await service.db.query({ name, text, values: [storeKey] });
    const [cancelled = '', amended = ''] = made.map(({ body }) => body.id);
    await patch(service, tenant.key, cancelled, { status: 'STORE_CANCELLED' });
    const items = [{ external_id: 'latte', price: 7 }];
    await patch(service, tenant.key, amended, { items, price: 7, expected_revision: 1 });
    expect(await expectSalesExact(service.db, storeKey)).toBe(3);
  });

  it('count what is on no menu as one, and give back the same after a menu has it', async () => {
    const tenant = await zonedTenant('UTC');
    const storeKey = await storeKeyOf(service, tenant);
    const items = ['latte', 'tea', 'cake'].map((external_id) => ({ external_id, quantity: 2, price: 10 }));
    const one = await takeIn(service, tenant, { items });
    const line = { ...orderRequest({ items }), store_id: tenant.storeId, external_id: 'imported' };
    await importLines(service, tenant.key, JSON.stringify(line));
    const counted = () =>
      service.db.query({
        name: 'test-items',
        text: `SELECT external_id, outcome, sum(units)::integer AS units FROM item_sales
               WHERE store_key = $1 AND level = 0 GROUP BY 1, 2 HAVING sum(units) <> 0 ORDER BY 1, 2`,
        values: [storeKey],
      });
    expect(await counted()).toEqual([
      { external_id: '', outcome: 'sold', units: 8 },
      { external_id: 'latte', outcome: 'sold', units: 4 },
    ]);
    await publish(tenant, ['latte', 'tea']);
    await patch(service, tenant.key, one.body.id, { status: 'STORE_CANCELLED' });
    await takeIn(service, tenant, { items });
    expect(await counted()).toEqual([
      { external_id: '', outcome: 'cancelled', units: 4 },
      { external_id: '', outcome: 'sold', units: 6 },
      { external_id: 'latte', outcome: 'cancelled', units: 2 },
      { external_id: 'latte', outcome: 'sold', units: 4 },
      { external_id: 'tea', outcome: 'sold', units: 2 },
    ]);
    expect(await expectSalesExact(service.db, storeKey)).toBe(3);
  });
});

describe('the counters of past days', () => {
  const DAY_MS = 86_400_000;
  const shapeOf = async (storeKey: number) => {
    const [row] = await service.db.query<{ rows: number; shards: number; hours: number }>({
      name: 'test-counter-rows',
      text: `SELECT (SELECT count(*) FROM order_sales WHERE store_key = $1 AND level = 0)::integer AS hours,
               (SELECT count(DISTINCT slot) FROM item_sales WHERE store_key = $1 AND level = 0)::integer AS shards,
               (SELECT count(*) FROM item_sales WHERE store_key = $1)::integer AS rows`,
      values: [storeKey],
    });
    return row;
  };

  it('are added up over processes, without those that came to nothing, while others write', async () => {
    const tenant = await zonedTenant('Europe/Madrid');
    const storeKey = await storeKeyOf(service, tenant);
    const created_at = new Date(Date.now() - 5 * DAY_MS).toISOString();
    const items = [{ external_id: 'latte', price: 10 }];
    for (const by of [service, replica])
      for (let i = 0; i < 3; i += 1) {
        const { body } = await takeIn(by, tenant, { created_at, items });
        await patch(by, tenant.key, body.id, { status: i === 0 ? 'ACCEPTED' : 'STORE_CANCELLED' });
      }
    const moving = await Promise.all(
      Array.from({ length: 6 }, () => takeIn(service, tenant, { created_at, items })),
    );
    await Promise.all([
      foldSales(service.db),
      ...moving.map(({ body }) => patch(service, tenant.key, body.id, { status: 'STORE_CANCELLED' })),
    ]);
    expect(await expectSalesExact(service.db, storeKey)).toBe(12);
    await foldSales(service.db);
    expect(await expectSalesExact(service.db, storeKey)).toBe(12);
    // ACCEPTED and STORE_CANCELLED of one hour; the items of the day, and of their stretch of 32 days if that is over.
    expect(await shapeOf(storeKey)).toMatchObject({ hours: 2, shards: 1 });
  });

  it('are kept for ever, but hours for 400 days', async () => {
    const tenant = await zonedTenant('UTC');
    const storeKey = await storeKeyOf(service, tenant);
    for (const days of [399, 403])
      await takeIn(service, tenant, { created_at: new Date(Date.now() - days * DAY_MS).toISOString() });
    const days = await shapeOf(storeKey);
    await foldSales(service.db);
    expect(await shapeOf(storeKey)).toEqual({ ...days, hours: 1 });
  });
});

const sold = (items: readonly unknown[]) => soldLines(readLines(items));

describe('the lines of an order', () => {
  it('come to their price with all that was chosen, times their quantity', () => {
    const [line] = sold([
      {
        external_id: 'combo',
        quantity: 2,
        price: 1_000,
        tax: 100,
        modifiers: [
          { external_id: 'cola', quantity: 2, free_quantity: 1, price_change: 50, tax_change: 5 },
          { external_id: 'no-fries', price_change: -100, free_quantity: 1, modifiers: [{ price_change: 7 }] },
        ],
      },
    ]);
    expect(line).toEqual({ external_id: 'combo', units: 2, price: 2 * (1_000 + 50 - 100 + 7), tax: 2 * 105 });
  });

  it('count under no name where they have none, and past the first thousand items', () => {
    const items = Array.from({ length: 1_500 }, (_, i) => ({ external_id: `i${i}`, price: 1 }));
    const found = sold([{ price: 5 }, 'nonsense', { external_id: 7 }, ...items]);
    expect(found).toHaveLength(1_000);
    expect(found[0]).toEqual({ external_id: '', units: 3 + 501, price: 5 + 501, tax: 0 });
  });

  it('of any form come to whole numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), lines)), (items) => {
        for (const { units, price, tax } of sold(items.flat()))
          expect([units, price, tax].map(Number.isSafeInteger)).toEqual([true, true, true]);
      }),
    );
  });
});

it('numbers every hour that an order can have', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') }),
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/Lima', 'Pacific/Kiritimati'),
      (ms, timezone) => {
        const hour = localHourOf(ms, timezone);
        expect([Number.isSafeInteger(hour), Math.abs(hour - hourOf(ms)) <= 15]).toEqual([true, true]);
      },
    ),
  );
});
