import type { BenchDatabase } from '../servers/postgres.js';
import { createStore, type Setting } from '../servers/service.js';
import { importOrders, type OrderPlan } from './orders.js';

export const SMALL = 1_000;
export const LARGE = 1_000_000;
/** Both stores have this many orders of one customer whose name and number nobody else has. */
export const RARE_ORDERS = 50;
export const RARE = { name: 'Quixada', phone: '+48 555 000 ' };

const SAMPLE = 9_999;
const COPIES = 99;
/** The longest bucket of `order_counts`: orders that lie this far apart have the same counts in other buckets. */
const BUCKET_DAYS = 32;
/** The orders of both stores are spread over these days. */
export const DAYS = BUCKET_DAYS * (COPIES + 1);

/** Fills a small and a large store: by imports, and a sample of the large one is copied inside the database. */
export async function loadOrderStores(setting: Setting): Promise<{ small: string; large: string }> {
  const { service, tenant, database } = setting;
  const [small, large] = [await createStore(setting), await createStore(setting)];
  const load = (seed: number, plan: Omit<OrderPlan, 'seed'>) =>
    importOrders(service, tenant.key, { seed, days: DAYS, ...plan });
  await load(1, { storeId: large, count: SAMPLE, days: BUCKET_DAYS });
  await copyOrders(database, large);
  await load(2, { storeId: large, count: LARGE - RARE_ORDERS - SAMPLE * (COPIES + 1) });
  await load(3, { storeId: large, count: RARE_ORDERS, customer: RARE });
  await load(4, { storeId: small, count: SMALL - RARE_ORDERS });
  await load(5, { storeId: small, count: RARE_ORDERS, customer: RARE });
  await database.query('VACUUM ANALYZE');
  const { count } = await service.ask<{ count: number }>(`/v1/stores/${large}/orders/`, { key: tenant.key });
  if (count !== LARGE) throw new Error(`The large store counts ${count} orders, not ${LARGE}`);
  return { small, large };
}

/** Copies every order of the store, each copy one bucket later than the one before, and its counts with it. */
async function copyOrders(database: BenchDatabase, storeId: string): Promise<void> {
  const copy = async (table: string, changed: Readonly<Record<string, string>>) => {
    const columns = await database.query<{ name: string; type: string }>(
      `SELECT c.column_name AS name, c.data_type AS type FROM information_schema.columns c
       WHERE c.table_schema = 'public' AND c.table_name = $1`,
      [table],
    );
    const values = columns.map(({ name, type }) => {
      const later = `t.${name} + copy * interval '${BUCKET_DAYS * 24} hours'`;
      return changed[name] ?? (type === 'timestamp with time zone' ? later : `t.${name}`);
    });
    await database.query(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) SELECT ${values.join(', ')}
       FROM generate_series(1, ${COPIES}) AS copy CROSS JOIN ${table} t JOIN stores s USING (store_key) WHERE s.id = $1`,
      [storeId],
    );
  };
  // The end of an order's id is the number of its store; the beginning is free.
  const id = `overlay(t.id::text PLACING lpad(to_hex(copy), 8, '0') FROM 1)::uuid`;
  const buckets = `CASE t.level WHEN 0 THEN ${BUCKET_DAYS * 24} WHEN 1 THEN ${BUCKET_DAYS} ELSE 1 END`;
  const indexes = await database.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     WHERE i.indrelid IN ('orders'::regclass, 'order_search'::regclass) AND NOT i.indisunique`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  await copy('orders', { id, external_id: `t.external_id || '-' || copy` });
  await copy('order_search', { id });
  await copy('order_counts', { bucket: `t.bucket + copy * ${buckets}` });
  // Built at the end, in a fraction of the time that keeping them up to date would take.
  const build = (definition: string) => database.query(`SET maintenance_work_mem = '512MB'; ${definition}`);
  await Promise.all(indexes.map(({ definition }) => build(definition)));
}
