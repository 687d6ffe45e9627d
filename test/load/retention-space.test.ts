import { expect, it } from 'vitest';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { importLines, list, orderRequest } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';

const TABLES = ['orders', 'order_history', 'order_search', 'order_counts', 'order_intake_keys'];
const CYCLES = 10;
const ORDERS = 3_000;
const KEPT = 500;
const DAY_MS = 86_400_000;

const service = await useService();
const tenant = await createTenant(service);
const storeId = await createStore(service, tenant.merchantId, { order_days: 1 });
const store = { ...tenant, storeId };
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const run = (text: string) => service.db.withClient((client) => client.query<{ bytes: string }>(text));

async function bytes(): Promise<number> {
  for (const table of TABLES) await run(`VACUUM ${table}`);
  const { rows } = await run(
    `SELECT sum(pg_total_relation_size(t::regclass)) AS bytes FROM unnest('{${TABLES.join()}}'::text[]) AS t`,
  );
  return Number(rows[0]?.bytes);
}

/** Orders of a long time, of all hours: no two cycles fill the same ones. */
async function fill(cycle: number, count: number, more: object): Promise<void> {
  const line = (i: number) =>
    JSON.stringify({
      store_id: storeId,
      ...orderRequest({
        customer: {
          name: `Guest ${cycle * ORDERS + i}`,
          phone: `+34 9${String(cycle * ORDERS + i).padStart(8, '0')}`,
        },
        created_at: ago(400 - 30 * cycle + (20 * i) / count),
        ...more,
      }),
    });
  const lines = Array.from({ length: count }, (_, i) => line(i)).join('\n');
  expect((await importLines(service, tenant.key, lines)).body.created).toBe(count);
  await run(`
    INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, old_value, new_value)
    SELECT o.store_key, o.id, 2, f.field, now(), 'test', 'false', 'true'
    FROM orders o, unnest('{is_read,in_pos,status}'::text[]) AS f (field)
    ON CONFLICT DO NOTHING`);
}

it('uses the space of removed orders again: cycle after cycle, a kept order takes as many bytes', async () => {
  await fill(0, KEPT, {});
  const sizes: number[] = [];
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    await fill(cycle, ORDERS, { status: 'FULFILLED', completed_at: ago(2) });
    await cleanUp(service.db, 30);
    expect((await list(service, store)).body.count).toBe(KEPT);
    sizes.push(await bytes());
  }
  // The first cycles make the room that the others use.
  const [, , third = 0] = sizes;
  expect(Math.max(...sizes.slice(3)) / third).toBeLessThan(1.1);
}, 600_000);
