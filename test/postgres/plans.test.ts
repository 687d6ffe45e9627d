import { expect, it } from 'vitest';
import { createApiKeyLookup } from '../../src/access/api-key-lookup.sql.js';
import { createOrderReader } from '../../src/orders/read.sql.js';
import { isOnCitus } from '../harness/citus.js';
import { ask } from '../harness/client.js';
import { importLines, list, orderRequest, patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const POOL = 5;
const ORDERS = 4_000;
const FIRST = Date.UTC(2026, 0, 1);

/** What a busy service runs all day. */
const HOT = [
  'callers',
  'callers-one-by-id',
  'callers-one-by-number',
  'order-one',
  'order-several',
  'orders-far-range-any',
  'orders-far-range-status',
  'orders-far-whole-any',
  'orders-far-whole-status',
  'orders-grams-any',
  'orders-grams-status',
  'orders-change',
  'orders-changeable',
  'orders-near-range-any',
  'orders-near-range-status',
  'orders-near-whole-any',
  'orders-near-whole-status',
  'orders-reading-any',
  'orders-reading-status',
  'orders-sample',
  'orders-take-in',
  'orders-to-read',
];

interface Prepared {
  readonly name: string;
  readonly generic_plans: number;
  readonly custom_plans: number;
  /** The plan that the connection keeps, as EXPLAIN shows it. */
  readonly plan: string;
}

const service = await useService();
const tenant = await createTenant(service);
// No plan may come from statistics that happened to be gathered in time.
for (const table of ['orders', 'order_search', 'order_counts', 'order_history', 'order_intake_keys']) {
  await service.db.query({
    name: `quiet-${table}`,
    text: `ALTER TABLE ${table} SET (autovacuum_enabled = off)`,
  });
}

async function useEverything(): Promise<void> {
  const { body: order } = await takeIn(service, tenant);
  await patch(service, tenant.key, order.id, { status: 'ACCEPTED' });
  // The service asks this on a connection of its own.
  const stores = [undefined, { id: tenant.storeId }, { storeKey: 1 }];
  const lookUpKey = createApiKeyLookup(service.db);
  await Promise.all(stores.map((store) => lookUpKey({ secret: tenant.key, store })));
  for (const store of stores) await lookUpKey({ secret: tenant.key, store });
  await ask(`${service.url}/v1/orders/${order.id}`, { key: tenant.key });
  const { body: other } = await takeIn(service, tenant);
  const readOrder = createOrderReader(service.db);
  const { store } = await lookUpKey({ secret: tenant.key, store: { id: tenant.storeId } });
  if (store !== undefined) await Promise.all([order.id, other.id].map((id) => readOrder(store, id)));
  const range = 'start_time=2025-12-01T00:00:00Z&end_time=2027-01-01T00:10:00Z';
  const queries = [
    'customer_name=quixada',
    'phone_number=555012',
    'customer_name=q',
    'page_size=20',
    'page_size=20&page_index=150',
  ].flatMap((query) => [query, `${query}&${range}`]);
  for (const query of queries) {
    for (const status of ['', '&status=FULFILLED']) {
      const { status: answered } = await list(service, tenant, `${query}${status}`);
      expect([query, answered]).toEqual([query, 200]);
    }
  }
}

/** The statements that the connections of the pool hold, all of them taken out at once. */
async function readPrepared(): Promise<Prepared[]> {
  let taken = 0;
  let open: () => void = () => undefined;
  const allTaken = new Promise<void>((resolve) => (open = resolve));
  const perConnection = Array.from({ length: POOL }, () =>
    service.db.withClient(async (client) => {
      taken += 1;
      if (taken === POOL) open();
      await allTaken;
      const { rows } = await client.query<Prepared & { parameters: number }>(`
        SELECT name, generic_plans::integer, custom_plans::integer, cardinality(parameter_types) AS parameters
        FROM pg_prepared_statements WHERE name <> '' AND NOT name LIKE 'quiet-%' ORDER BY name`);
      const prepared: Prepared[] = [];
      for (const { parameters, ...counts } of rows) {
        const values =
          parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'NULL').join(', ')})`;
        const lines = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN EXECUTE "${counts.name}"${values}`,
        );
        prepared.push({ ...counts, plan: lines.rows.map((line) => line['QUERY PLAN']).join('\n') });
      }
      return prepared;
    }),
  );
  return (await Promise.all(perConnection)).flat();
}

/** Reads of a table that would take the longer, the more there is in it; what grams have found is looked up one by one. */
function readsTooMuch({ name, plan }: Prepared): boolean {
  if (name.startsWith('orders-grams') && plan.includes('orders_listed')) return true;
  return /Seq Scan on (orders|order_|api_keys|stores)|Bitmap Heap Scan on orders|Sort[^\n]*\n(\s*Sort Key[^\n]*\n)?\s*-> +[^\n]*Scan[^\n]* on orders /.test(
    plan,
  );
}

async function expectPlansForAnySize(): Promise<void> {
  const prepared = await readPrepared();
  const seen = new Set(prepared.map(({ name }) => name));
  expect(HOT.filter((name) => !seen.has(name))).toEqual([]);
  const planned = prepared.filter(({ custom_plans }) => custom_plans > 0).map(({ name }) => name);
  expect(planned).toEqual([]);
  expect(prepared.filter(readsTooMuch).map(({ name, plan }) => `${name}\n${plan}`)).toEqual([]);
}

// Citus must know the store to find its node, and plans each time.
it.skipIf(isOnCitus)('plans each statement once, and on an empty table as for a large one', async () => {
  for (let round = 0; round < 8; round += 1) await useEverything();
  await expectPlansForAnySize();
});

it.skipIf(isOnCitus)('keeps plans that serve many orders, before anyone has counted them', async () => {
  const lines = Array.from({ length: ORDERS }, (_, i) =>
    JSON.stringify({
      store_id: tenant.storeId,
      ...orderRequest({ created_at: new Date(FIRST + i * 60_000).toISOString(), status: 'FULFILLED' }),
    }),
  );
  const { body } = await importLines(service, tenant.key, lines.join('\n'));
  expect(body.created).toBe(ORDERS);
  await useEverything();
  await expectPlansForAnySize();
});

it.skipIf(isOnCitus)('plans well again once the tables are analyzed', async () => {
  await service.db.query({ name: 'quiet-analyze', text: 'ANALYZE' });
  await useEverything();
  await expectPlansForAnySize();
});
