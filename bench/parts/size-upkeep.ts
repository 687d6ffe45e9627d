import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { requestBytes } from '../measure/request.js';
import { spreadOf } from '../measure/statistics.js';
import type { BenchDatabase } from '../servers/database.js';
import type { Setting } from './setting.js';
import { ORDER } from './writers.js';

const CHANGED = 300;
const STATUSES = ['ACCEPTED', 'READY', 'FULFILLED'];
const CONNECTIONS = 8;
/** The server tells what a connection has done when that has been idle for a while. */
const STATISTICS_MS = 30_000;
/** The share of dead rows at which autovacuum begins, see migrations/0013_vacuum.sql. */
const DEAD_SHARE = 0.02;
const INDEX = 'bench_size_index';

/** What keeping a large database costs: changes of orders, the vacuum after them, and a new index while orders come in. */
export async function measureUpkeep(bench: Bench, setting: Setting, storeId: string): Promise<Figure[]> {
  return [
    ...(await measureChanges(bench, setting, storeId)),
    await measureVacuum(bench, setting.database),
    await measureIndexBuild(bench, setting, storeId),
  ];
}

async function measureChanges(bench: Bench, setting: Setting, storeId: string): Promise<Figure[]> {
  const { service, tenant, database } = setting;
  bench.step('changes of statuses');
  const orders: string[] = [];
  while (orders.length < CHANGED) orders.push(await takeIn(setting, storeId));
  await untilTold(database, 0);
  const before = await readUpdates(database);
  for (const status of STATUSES) {
    await bench.load.run({
      port: service.port,
      requests: orders.map((id) =>
        requestBytes({
          method: 'PATCH',
          path: `/manage/v1/orders/${id}`,
          headers: { 'x-api-key': tenant.key },
          body: JSON.stringify({ status }),
        }),
      ),
      connections: CONNECTIONS,
      durationMs: 60_000,
      most: CHANGED,
      expectStatus: 200,
    });
  }
  await untilTold(database, (before.get('orders')?.updated ?? 0) + CHANGED * STATUSES.length);
  const after = await readUpdates(database);
  return ['orders', 'order_counts'].map((table) => {
    const [old, now] = [before.get(table), after.get(table)];
    const updated = (now?.updated ?? 0) - (old?.updated ?? 0);
    const hot = (now?.hot ?? 0) - (old?.hot ?? 0);
    return {
      name: `changes of a status that touch no index of ${table}, in percent`,
      unit: 'count',
      value: spreadOf([(100 * hot) / updated]),
      service: `${hot.toLocaleString('en')} of ${updated.toLocaleString('en')} rows`,
      reference: '',
    };
  });
}

async function takeIn({ service, tenant }: Setting, storeId: string): Promise<string> {
  const { id } = await service.ask<{ id: string }>({
    path: `/manage/v1/stores/${storeId}/orders`,
    key: tenant.key,
    body: ORDER,
  });
  return id;
}

interface Updates {
  readonly updated: number;
  readonly hot: number;
}

async function readUpdates(database: BenchDatabase): Promise<Map<string, Updates>> {
  const rows = await database.query<Updates & { name: string }>(
    `SELECT s.relname AS name, s.n_tup_upd::float8 AS updated, s.n_tup_hot_upd::float8 AS hot FROM pg_stat_user_tables s`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Waits until the server has told of so many changed orders, and of all that other tables have to tell with them. */
async function untilTold(database: BenchDatabase, updatedOrders: number): Promise<void> {
  for (let waited = 0; waited < STATISTICS_MS; waited += 1_000) {
    await delay(1_000);
    const updates = await readUpdates(database);
    if ((updates.get('orders')?.updated ?? 0) >= updatedOrders) break;
  }
  await delay(1_000);
}

async function measureVacuum(bench: Bench, database: BenchDatabase): Promise<Figure> {
  bench.step('vacuum');
  const [row] = await database.query<{ changed: number }>(
    `WITH changed AS (
       UPDATE orders o SET is_read = NOT o.is_read, updated_at = o.updated_at + interval '1 second'
       FROM (SELECT s.store_key, s.id FROM orders s TABLESAMPLE BERNOULLI (${DEAD_SHARE * 100})) s
       WHERE o.store_key = s.store_key AND o.id = s.id RETURNING 1)
     SELECT count(*)::float8 AS changed FROM changed`,
  );
  const begun = performance.now();
  await database.query('VACUUM (INDEX_CLEANUP ON) orders');
  return {
    name: `vacuum of the orders when ${DEAD_SHARE * 100} % are dead rows`,
    unit: 'ms',
    value: spreadOf([performance.now() - begun]),
    service: `${(row?.changed ?? 0).toLocaleString('en')} dead rows`,
    reference: '',
  };
}

async function measureIndexBuild(bench: Bench, setting: Setting, storeId: string): Promise<Figure> {
  const { database } = setting;
  const build = async (how: string) => {
    bench.step(`an index ${how === '' ? 'the plain way' : how}, while orders come in`);
    const begun = performance.now();
    const built = database.query(`CREATE INDEX ${how} ${INDEX} ON orders (store_key, ready_by)`);
    const longest = await longestWait(built, () => takeIn(setting, storeId));
    const seconds = (performance.now() - begun) / 1000;
    await database.query(`DROP INDEX ${INDEX}`);
    return { longest, words: `built in ${seconds.toFixed(1)} s` };
  };
  const beside = await build('CONCURRENTLY');
  const plain = await build('');
  return {
    name: 'longest wait of an order while an index is built beside it',
    unit: 'ms',
    target: { atMost: 1_000 },
    value: spreadOf([beside.longest]),
    service: beside.words,
    reference: `the plain way: ${Math.round(plain.longest)} ms, ${plain.words}`,
  };
}

/** Asks again and again until the work is done, and answers how long one of them took at most. */
async function longestWait(work: Promise<unknown>, ask: () => Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  let longest = 0;
  while (!state.isDone) {
    const begun = performance.now();
    await ask();
    longest = Math.max(longest, performance.now() - begun);
  }
  await done;
  return longest;
}
