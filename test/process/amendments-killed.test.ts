import { expect, it, onTestFinished } from 'vitest';
import { item, menuClient } from '../harness/menu.js';
import { patch, takeIn, type OrderBody } from '../harness/orders.js';
import { wrongCounts } from '../harness/recount.js';
import { expectSalesExact } from '../harness/recount-sales.js';
import { startService } from '../harness/service.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { ask } from '../harness/client.js';
import { createTenant, storeKeyOf } from '../harness/tenant.js';

const AMENDMENTS = 1_000;
const ORDERS = 20;
const LEFT = 100_000;

it('keeps stock, sales and counts exact when a process is killed among a thousand amendments', async () => {
  const lasting = await startService();
  onTestFinished(() => lasting.stop());
  let killed = await startProcessOn(lasting.connection, {});
  const tenant = await createTenant(lasting);
  const menu = menuClient(lasting, tenant);
  await menu.post({ items: ['a', 'b', 'c'].map((id) => item(id)), menus: [], categories: [] });
  for (const id of ['a', 'b']) await menu.manage(`items/${id}`, { method: 'PATCH', body: { left: LEFT } });
  const line = () => ({
    external_id: 'abc'[Math.floor(Math.random() * 3)],
    quantity: 1 + Math.floor(Math.random() * 9),
    price: 100,
    tax: 10,
  });
  const orders = await Promise.all(
    Array.from({ length: ORDERS }, () => {
      const first = line();
      const total = { price: 100 * first.quantity, tax: 10 * first.quantity };
      return takeIn(lasting, tenant, { items: [first], ...total });
    }),
  );

  let done = 0;
  const amend = async (id: string, i: number): Promise<void> => {
    while (done < AMENDMENTS) {
      const service = i % 2 === 0 ? asService(killed) : lasting;
      const found = await ask<OrderBody>(`${lasting.url}/manage/v1/orders/${id}`, { key: tenant.key });
      const items = Array.from({ length: Math.floor(Math.random() * 4) }, line);
      const body = { items, expected_revision: found.body['revision'], tip: items.length };
      const answer = await patch(service, tenant.key, id, body).catch(() => undefined);
      if (answer?.status === 200) done += 1;
      else if (answer !== undefined) expect([409, 503]).toContain(answer.status);
    }
  };
  const clients = orders.map(({ body }, i) => amend(body.id, i));
  for (const at of [200, 500, 800]) {
    await expect.poll(() => done, { timeout: 240_000, interval: 50 }).toBeGreaterThanOrEqual(at);
    killed.child.kill('SIGKILL');
    killed = await startProcessOn(lasting.connection, {});
  }
  await Promise.all(clients);

  const storeKey = await storeKeyOf(lasting, tenant);
  expect(await expectSalesExact(lasting.db, storeKey)).toBe(ORDERS);
  expect(await wrongCounts(lasting.db)).toEqual([]);
  const wrong = await lasting.db.query({
    name: 'test-wrong-portions',
    text: `
      SELECT e.external_id, m.remaining, sum(l.quantity) FROM menu_marks m
      JOIN menu_entities e ON e.store_key = m.store_key AND e.id = m.entity_id
      LEFT JOIN (
        SELECT l.external_id, l.quantity FROM orders o, json_to_recordset(o.items::json) AS l (external_id text, quantity integer)
        WHERE o.store_key = $1) l ON l.external_id = e.external_id
      WHERE m.store_key = $1 AND m.remaining IS NOT NULL
      GROUP BY 1, 2 HAVING m.remaining + coalesce(sum(l.quantity), 0) <> $2`,
    values: [storeKey, LEFT],
  });
  expect(wrong).toEqual([]);
}, 600_000);
