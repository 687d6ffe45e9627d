import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Bench, Figure, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { importOrders } from '../data/orders.js';
import { compareRates, type Side } from '../measure/compare.js';
import { requestBytes, type RequestSpec } from '../measure/load.js';
import { startServer, type Server } from '../servers/programs.js';
import { askJson, createStore, publishMenu, treePath, type Setting } from '../servers/service.js';

const FOLDER = new URL('../../../bench/fastify-peer/', import.meta.url);
const ORDERS = 10_000;
const PAGES = 97;
const POSTS = 6;

export const peer: Part = {
  name: 'peer',
  title: 'Side by side with a plain Fastify application',
  notes: `\`bench/fastify-peer\` does the same work as most teams would write it in a day: Fastify, pg, one table per noun, the key looked up with
each request, and response schemas. Both have the same menus and the same ${ORDERS.toLocaleString('en')} orders on the same PostgreSQL. A value of 3 is three
times as many requests a second. It needs \`npm ci --prefix bench/fastify-peer\` once; without, this part is left out.`,
  run: async (bench) => {
    if (!isInstalled()) {
      process.stderr.write('Left out: run `npm ci --prefix bench/fastify-peer` first.\n');
      return [];
    }
    const setting = await bench.own();
    const menuStore = await publishMenu(setting, menuJson(MENUS[250]));
    const orderStore = await createStore(setting);
    await importOrders(setting.service, setting.tenant.key, { storeId: orderStore, count: ORDERS, seed: 7 });
    const server = await startPeer(setting);
    try {
      await askJson(server.port, treePath(menuStore), {
        key: setting.tenant.key,
        body: menuJson(MENUS[250]),
      });
      return await compareAll(bench, setting, server, { menuStore, orderStore });
    } finally {
      await server.stop();
    }
  },
};

async function compareAll(
  bench: Bench,
  setting: Setting,
  server: Server,
  { menuStore, orderStore }: { readonly menuStore: string; readonly orderStore: string },
): Promise<Figure[]> {
  const { service, tenant, database } = setting;
  const headers = { 'x-api-key': tenant.key };
  const compare = (name: string, connections: number, specs: readonly RequestSpec[], most?: number) => {
    const requests = specs.map((spec) => requestBytes({ headers, ...spec }));
    const [ours, theirs]: Side[] = [
      { server: service, requests },
      { server, requests },
    ];
    if (ours === undefined || theirs === undefined) throw new Error('no sides');
    const rounds = most === undefined ? {} : { rounds: 3, durationMs: 3_000, most };
    return compareRates(bench, { name, service: ours, reference: theirs, connections, ...rounds });
  };
  const rows = await database.query<{ id: string }>(
    'SELECT o.id FROM peer.orders o ORDER BY o.id LIMIT 2000',
  );
  const single = rows.map(({ id }) => ({ path: `/v1/orders/${id}` }));
  const pages = Array.from({ length: PAGES }, (_, i) => ({
    path: `/v1/stores/${orderStore}/orders/?page_size=20&page_index=${i + 1}`,
  }));
  const posts = (items: 250 | 1000) =>
    Array.from({ length: POSTS }, (_, i) => ({
      path: treePath(menuStore),
      body: menuJson(MENUS[items], i + 1),
    }));
  return [
    await compare('list, pages that differ, 16 connections', 16, pages),
    await compare('one order, 16 connections', 16, single),
    await compare('one order, 1 connection', 1, single),
    await compare('menu tree of 250 items, 16 connections', 16, [{ path: treePath(menuStore) }]),
    await compare('publishing 250 items, 1 connection', 1, posts(250), POSTS),
    await compare('publishing 1,000 items, 1 connection', 1, posts(1000), POSTS),
  ];
}

function isInstalled(): boolean {
  try {
    createRequire(fileURLToPath(new URL('package.json', FOLDER))).resolve('fastify');
    return true;
  } catch {
    return false;
  }
}

/** Gives the peer the stores, the key and the orders of the service. */
async function startPeer({ database, tenant }: Setting): Promise<Server> {
  await database.query(await readFile(new URL('schema.sql', FOLDER), 'utf8'));
  await database.query(
    `INSERT INTO peer.stores SELECT s.id::text, s.merchant_id::text, s.name, s.created_at FROM stores s`,
  );
  await database.query(`INSERT INTO peer.keys SELECT sha256($1::bytea), $2`, [
    Buffer.from(tenant.key),
    tenant.merchantId,
  ]);
  await database.query(
    `INSERT INTO peer.orders SELECT o.id, s.id::text, o.created_at, o.ready_by, o.completed_at, o.status::text,
       o.customer_name, o.customer_phone, o.price, o.tax, o.is_read, o.in_pos, o.items::jsonb
     FROM orders o JOIN stores s ON s.store_key = o.store_key`,
  );
  await database.query('VACUUM ANALYZE');
  const settings = JSON.stringify({ connection: database.connection });
  return startServer(fileURLToPath(new URL('app.js', FOLDER)), [settings]);
}
