import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from '../bench.js';
import { importOrders, ORDER } from '../data/orders.js';
import { count, spreadOf } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { createStore, type Setting } from '../servers/service.js';

const ORDERS = 20_000;
const ROUNDS = 3;
const WRITERS = 4;
/** Longer than a process waits before it looks whether it is its turn, and than the removal takes. */
const INTAKE_MS = 30_000;
const LONGEST_MS = 300_000;

export const retention: Part = {
  name: 'retention',
  title: 'Removing old orders',
  notes: `A store of ${count(ORDERS)} orders with four rows of history each keeps final ones for a day, and all of them are older. Meanwhile ${WRITERS}
connections take in orders of another store. Measured from the first order that is removed to the last.`,
  run: async (bench) => {
    const setting = await bench.own();
    const intake = requestBytes({
      path: `/manage/v1/stores/${await createStore(setting)}/orders`,
      headers: { 'x-api-key': setting.tenant.key },
      body: JSON.stringify(ORDER),
    });
    const job = { port: setting.service.port, requests: [intake], connections: WRITERS, expectStatus: 201 };
    const per1000: number[] = [];
    const taken: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const storeId = await fillStore(setting, round);
      const beside = bench.load.run({ ...job, durationMs: INTAKE_MS });
      per1000.push(await removeAll(setting, storeId));
      const { responses, seconds } = await beside;
      taken.push(responses / seconds);
    }
    const value = spreadOf(per1000);
    const rates = [1_000_000 / value.median, spreadOf(taken).median].map(count);
    const service = `${rates[0] ?? ''} removed/s, ${rates[1] ?? ''} taken in/s`;
    return [{ name: '1,000 orders', unit: 'ms', value, service, reference: '' }];
  },
};

async function fillStore(setting: Setting, seed: number): Promise<string> {
  const { service, database, tenant } = setting;
  const storeId = await createStore(setting);
  await importOrders(service, tenant.key, { storeId, count: ORDERS, seed });
  await database.query(`
    UPDATE orders o SET completed_at = o.created_at FROM stores s
    WHERE o.completed_at IS NOT NULL AND s.store_key = o.store_key AND s.id = '${storeId}'`);
  await database.query(`
    INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, new_value)
    SELECT o.store_key, o.id, 2, f.field, now(), 'bench', 'true'
    FROM orders o JOIN stores s USING (store_key), unnest('{is_read,in_pos,status,ready_by}'::text[]) AS f (field)
    WHERE s.id = '${storeId}'`);
  await database.query('VACUUM ANALYZE');
  return storeId;
}

/** Removes all final orders, and answers the milliseconds that a thousand of them took. */
async function removeAll({ service, database }: Setting, storeId: string): Promise<number> {
  const left = async () => {
    const [row] = await database.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM orders o JOIN stores s USING (store_key)
       WHERE o.completed_at IS NOT NULL AND s.id = '${storeId}'`,
    );
    return row?.n ?? 0;
  };
  const all = await left();
  await service.ask(`/manage/v1/stores/${storeId}`, { method: 'PATCH', body: { order_days: 1 } });
  await database.query('UPDATE upkeep_turns SET next_at = now()');
  const end = performance.now() + LONGEST_MS;
  let begun: number | undefined;
  for (let n = all; n > 0; n = await left()) {
    if (n < all) begun ??= performance.now();
    if (performance.now() > end) throw new Error(`${n} orders are still there`);
    await delay(100);
  }
  return (performance.now() - (begun ?? NaN)) / (all / 1000);
}
