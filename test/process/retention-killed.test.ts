import pg from 'pg';
import { expect, it } from 'vitest';
import { importLines, list, orderRequest } from '../harness/orders.js';
import { wrongCounts } from '../harness/recount.js';
import { startProcessOn } from '../harness/service-process.js';
import { startService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';

const ORDERS = 5_000;
const KILLS = 3;

it('kill -9 during the removal of orders leaves exact counts, and another process goes on', async () => {
  const service = await startService();
  const tenant = await createTenant(service);
  const storeId = await createStore(service, tenant.merchantId, { order_days: 1 });
  const store = { ...tenant, storeId };
  const old = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const line = (i: number) =>
    JSON.stringify({
      store_id: storeId,
      ...orderRequest(i % 10 === 0 ? {} : { status: 'FULFILLED', completed_at: old(2) }),
      created_at: old(3 + (i % 100) / 10),
    });
  const lines = Array.from({ length: ORDERS }, (_, i) => line(i)).join('\n');
  expect((await importLines(service, tenant.key, lines)).body.created).toBe(ORDERS);
  const count = async () => (await list(service, store)).body.count;

  const client = new pg.Client(service.connection);
  await client.connect();
  const makeDue = () => client.query(`UPDATE upkeep_turns SET next_at = now()`);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = await count();
    const running = await startProcessOn(service.connection, {});
    await makeDue();
    await expect.poll(count, { timeout: 180_000, interval: 50 }).toBeLessThan(before);
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await wrongCounts(service.db)).toEqual([]);
  }
  const last = await startProcessOn(service.connection, {});
  await makeDue();
  await expect.poll(count, { timeout: 240_000, interval: 100 }).toBe(ORDERS / 10);
  expect(await wrongCounts(service.db)).toEqual([]);
  last.child.kill('SIGTERM');
  await last.ended;
  await client.end();
  await service.stop();
}, 600_000);
