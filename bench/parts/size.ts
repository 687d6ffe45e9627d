import { Readable } from 'node:stream';
import type { Bench, Part } from '../bench.js';
import { sendImport } from '../data/import-orders.js';
import { withoutIndexes } from '../data/load-million.js';
import { piecesOfStores, type OrderPlan } from '../data/orders.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { interleave } from '../measure/interleave.js';
import { ratios, spreadOf } from '../measure/statistics.js';
import type { BenchDatabase } from '../servers/database.js';
import { withService, type Setting } from './setting.js';
import { measureSizedLists } from './size-lists.js';
import { measureUpkeep } from './size-upkeep.js';

const ORDERS = Number(process.env['BENCH_SIZE_ORDERS'] ?? 2_000_000);
const SMALL = 1_000;
/** Half of the orders are of one store, half of many. */
const LARGE = Math.floor(ORDERS / 2);
const STORES = Math.max(250, Math.min(1_000, Math.floor(ORDERS / 2_000)));
const IMPORTED_EACH = 20;
const IMPORT_ROUNDS = 3;
const TABLES = ['orders', 'order_search', 'order_counts'];

export const size: Part = {
  name: 'size',
  title: `A database with ${ORDERS.toLocaleString('en')} orders`,
  short: 'Size',
  notes: [
    `Half of the orders are of one store, half of ${STORES.toLocaleString('en')} stores, all through the import; another store has ${SMALL.toLocaleString('en')}, and is`,
    `the reference of the lists. \`BENCH_SIZE_ORDERS\` sets another size. Imports: ${IMPORTED_EACH} orders of each of the stores, one line of each`,
    'in turn, against the same sorted by store. Changes of a status: PENDING to ACCEPTED, READY and FULFILLED.',
  ],
  run: (bench) =>
    withService(bench, async (setting) => {
      const { small, large, others } = await loadStores(bench, setting);
      return [
        await measureBytes(setting.database),
        ...(await measureSizedLists(bench, setting, {
          small: { id: small, orders: SMALL },
          large: { id: large, orders: LARGE },
        })),
        await measureMixedImport(bench, setting, others),
        ...(await measureUpkeep(bench, setting, large)),
      ];
    }),
};

interface SizedStores {
  readonly small: string;
  readonly large: string;
  readonly others: readonly string[];
}

async function loadStores(bench: Bench, { service, tenant, database }: Setting): Promise<SizedStores> {
  bench.step('making the stores');
  const small = await createStore(service, tenant, 'Small');
  const large = await createStore(service, tenant, 'Large');
  const others: string[] = [];
  while (others.length < STORES) others.push(await createStore(service, tenant, `Store ${others.length}`));
  const each = Math.floor((ORDERS - LARGE) / STORES);
  const plans = [
    { storeId: small, count: SMALL, seed: 1 },
    { storeId: large, count: LARGE, seed: 2 },
    ...others.map((storeId, at) => ({ storeId, count: each, seed: at + 3 })),
  ];
  await withoutIndexes(database, async () => {
    bench.step(`loading ${ORDERS.toLocaleString('en')} orders`);
    await importPlans(service, tenant.key, plans, 'sorted');
    bench.step('building the indexes');
  });
  return { small, large, others };
}

function importPlans(
  service: Setting['service'],
  key: string,
  plans: readonly OrderPlan[],
  order: 'sorted' | 'mixed',
): Promise<void> {
  const lines = Readable.from(piecesOfStores(plans, order), { objectMode: false });
  const count = plans.reduce((sum, plan) => sum + plan.count, 0);
  return sendImport(service, key, lines, count);
}

async function measureBytes(database: BenchDatabase): Promise<Figure> {
  const rows = await database.query<{ name: string; bytes: number; orders: number }>(
    `SELECT t.name, pg_total_relation_size(t.name::regclass)::float8 AS bytes, (SELECT count(*) FROM orders)::float8 AS orders
     FROM unnest($1::text[]) AS t (name)`,
    [TABLES],
  );
  const perOrder = rows.map(({ name, bytes, orders }) => ({ name, bytes: bytes / orders }));
  return {
    name: 'bytes of an order, indexes included',
    unit: 'count',
    target: { atMost: 1_700 },
    value: spreadOf([perOrder.reduce((sum, { bytes }) => sum + bytes, 0)]),
    service: perOrder.map(({ name, bytes }) => `${name} ${Math.round(bytes)}`).join(', '),
    reference: '',
  };
}

async function measureMixedImport(
  bench: Bench,
  { service, tenant }: Setting,
  stores: readonly string[],
): Promise<Figure> {
  bench.step('imports of sorted and of mixed lines');
  let seed = stores.length + 3;
  const timed = (order: 'sorted' | 'mixed') => async () => {
    seed += 1;
    const plans = stores.map((storeId) => ({ storeId, count: IMPORTED_EACH, seed }));
    const begun = performance.now();
    await importPlans(service, tenant.key, plans, order);
    return performance.now() - begun;
  };
  const { mixed, sorted } = await interleave(IMPORT_ROUNDS, {
    mixed: timed('mixed'),
    sorted: timed('sorted'),
  });
  const rate = (times: readonly number[]) => {
    const seconds = spreadOf(times).median / 1000;
    return `${Math.round((stores.length * IMPORTED_EACH) / seconds).toLocaleString('en')} orders/s`;
  };
  return {
    name: `import mixed over ${stores.length.toLocaleString('en')} stores against sorted lines`,
    unit: 'ratio',
    target: { atLeast: 0.5 },
    value: ratios(sorted, mixed),
    service: rate(mixed),
    reference: rate(sorted),
  };
}
