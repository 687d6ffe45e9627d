import type { Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore } from '../data/tenant.js';
import { compareRates, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/request.js';
import type { BenchDatabase } from '../servers/database.js';
import { treePath } from './menu-bytes.js';
import { pidsOf, withService, type Setting } from './setting.js';

const FEW = 10;
const MANY = 10_000;

export const manyStores: Part = {
  name: 'stores',
  title: 'A tree read with 10,000 stores in the database',
  short: 'Stores',
  notes: [
    `GET tree (250 items, gzip) of ${FEW} stores in turn, 16 connections. The reference has these ${FEW} stores alone; the other`,
    `database has ${MANY.toLocaleString('en')}, each with a published menu.`,
  ],
  run: (bench) =>
    withService(bench, (many) =>
      withService(bench, async (few) => {
        bench.step('filling the databases');
        const [service, reference] = [await publishFew(many), await publishFew(few)];
        await copyStores(many.database);
        return [
          await compareRates(bench, {
            name: `rate with ${MANY.toLocaleString('en')} stores against ${FEW}`,
            service,
            reference,
            connections: 16,
          }),
        ];
      }),
    ),
};

async function publishFew({ service, tenant }: Setting): Promise<Side> {
  const requests: Buffer[] = [];
  for (let at = 0; at < FEW; at += 1) {
    const path = treePath(await createStore(service, tenant, `Store ${at}`));
    await service.ask({ path, key: tenant.key, body: menuJson(MENUS[at === 0 ? 50 : 250]) });
    requests.push(requestBytes({ path, headers: { 'x-api-key': tenant.key, 'accept-encoding': 'gzip' } }));
  }
  return { port: service.port, pids: await pidsOf(service), requests: requests.slice(1) };
}

/** Gives as many further stores as needed the small menu of the first, row for row. */
async function copyStores(database: BenchDatabase): Promise<void> {
  await database.query(`
    INSERT INTO stores (id, store_key, merchant_id, created_at, name)
    SELECT gen_random_uuid(), nextval('store_numbers'), first.merchant_id, first.created_at, first.name
    FROM generate_series(1, ${MANY - FEW}), LATERAL (SELECT * FROM stores ORDER BY store_key LIMIT 1) AS first`);
  await database.query(`
    INSERT INTO menu_states (store_key, menu_version)
    SELECT stores.store_key, 1 FROM stores ON CONFLICT DO NOTHING`);
  const columns = await database.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'menu_versions'`,
  );
  const others = columns.map(({ name }) => name).filter((name) => name !== 'store_key');
  await database.query(`
    INSERT INTO menu_versions (store_key, ${others.join(', ')})
    SELECT stores.store_key, ${others.map((name) => `first.${name}`).join(', ')}
    FROM stores, LATERAL (SELECT * FROM menu_versions ORDER BY store_key LIMIT 1) AS first
    WHERE NOT EXISTS (SELECT FROM menu_versions AS own WHERE own.store_key = stores.store_key)`);
  await database.query('ANALYZE');
}
