import { afterAll, expect, inject, it } from 'vitest';
import { ask } from '../harness/client.js';
import { comboMenu } from '../harness/combo.js';
import { readFeed } from '../harness/events.js';
import { itemsOf, menuClient } from '../harness/menu.js';
import { LATER, list, orderRequest, patch, type OrderBody } from '../harness/orders.js';
import { createDatabase, type Service } from '../harness/service.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { createTenant, type Tenant } from '../harness/tenant.js';

const { connection, drop } = await createDatabase(inject('template'));
afterAll(drop);

const LEFT = 60;
const PATIENCE = { timeout: 60_000, interval: 100 };

const fries = (service: Service, { storeId, key }: Tenant) =>
  ask<OrderBody>(`${service.url}/manage/v1/stores/${storeId}/orders?check=menu`, {
    method: 'POST',
    key,
    body: orderRequest({
      items: [{ external_id: 'fries', quantity: 1 }],
      price: 300,
      tax: 30,
      ready_by: LATER,
    }),
  });

const isInTree = async (service: Service, tenant: Tenant) =>
  itemsOf(await menuClient(service, tenant).tree()).find(({ external_id }) => external_id === 'fries')
    ?.in_stock;

it('keeps the count exact when a process is killed while it sells, and the clock ends what is due', async () => {
  const first = await startProcessOn(connection, {});
  const second = await startProcessOn(connection, {});
  const [one, other] = [asService(first), asService(second)];
  const tenant = await createTenant(one);
  const menu = menuClient(other, tenant);
  await menu.post(comboMenu());
  const mark = (body: object) =>
    menu.manage<{ in_stock: boolean; left?: number }>('items/fries', { method: 'PATCH', body });
  await mark({ left: LEFT });

  let sold = 0;
  const sell = async (service: Service) => {
    for (;;) {
      const answer = await fries(service, tenant).catch(() => undefined);
      if (answer?.status !== 201) return answer;
      sold += 1;
    }
  };
  const clients = Array.from({ length: 16 }, (_, i) => sell(i % 2 === 0 ? one : other));
  await expect.poll(() => sold, PATIENCE).toBeGreaterThanOrEqual(LEFT / 4);
  first.child.kill('SIGKILL');
  const answers = await Promise.all(clients);
  for (const answer of answers.filter((_, i) => i % 2 === 1))
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'sold_out', ctx: { left: 0 } }] } });

  const { count, order_result_list: orders } = (await list(other, tenant, 'page_size=100')).body;
  expect(count).toBe(LEFT);
  expect((await mark({})).body).toMatchObject({ in_stock: false, left: 0 });
  await expect.poll(() => isInTree(other, tenant), PATIENCE).toBe(false);
  await Promise.all(orders.slice(0, 5).map(({ id }) => patch(other, tenant.key, id, { status: 'REJECTED' })));
  expect((await mark({})).body).toMatchObject({ in_stock: true, left: 5 });

  await mark({ left: null, in_stock: false, until: new Date(Date.now() + 1_000).toISOString() });
  await expect.poll(() => isInTree(other, tenant), PATIENCE).toBe(true);
  const { events } = (await readFeed(other, tenant, { types: 'menu.stock_changed', limit: '1000' })).body;
  expect(events.filter(({ data }) => data['key_id'] === null && data['left'] === undefined)).toHaveLength(1);
}, 300_000);
