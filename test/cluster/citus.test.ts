import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { administer } from '../harness/administer.js';
import { ask } from '../harness/client.js';
import { numberedMenu } from '../harness/menu.js';
import { orderRequest } from '../harness/orders.js';
import { startForTest } from '../harness/process.js';
import { createTenant } from '../harness/tenant.js';
import { makeServer, type PostgresServer } from './postgres.js';

const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';
const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;

/** The programs of a PostgreSQL that has Citus, which no distribution brings along. */
const bin = process.env['CITUS_PGBIN'];
const hasCitus = bin !== undefined && existsSync(join(bin, 'postgres'));
if (!hasCitus)
  console.error('!!! CITUS_PGBIN names no PostgreSQL with Citus: the tests on Citus did NOT run !!!');

const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_prepared_transactions=300',
  'citus.shard_count=8',
  'citus.local_hostname=127.0.0.1',
  'log_min_messages=notice',
];

const connectionOf = ({ port }: PostgresServer, database: string) => ({
  host: '127.0.0.1',
  port,
  user: 'comanda',
  database,
});

async function startCluster(): Promise<PostgresServer> {
  const nodes = [await makeServer(bin ?? ''), await makeServer(bin ?? ''), await makeServer(bin ?? '')];
  for (const node of nodes) {
    node.start(SETTINGS);
    await administer(connectionOf(node, 'postgres'), 'CREATE DATABASE comanda');
    await administer(connectionOf(node, 'comanda'), 'CREATE EXTENSION citus');
  }
  const [first, ...others] = nodes as [PostgresServer, ...PostgresServer[]];
  const own = connectionOf(first, 'comanda');
  await administer(own, `SELECT citus_set_coordinator_host('127.0.0.1', ${first.port})`);
  for (const { port } of others) await administer(own, `SELECT citus_add_node('127.0.0.1', ${port})`);
  await administer(own, 'ALTER DATABASE comanda SET citus.log_remote_commands = on');
  return first;
}

function migrate(DATABASE_URL: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'migrate', '--citus'], {
    env: { PATH: process.env['PATH'], DATABASE_URL },
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}

it.runIf(hasCitus)(
  'an installation is spread over the nodes of a Citus cluster, and each hot request asks one of them once',
  async () => {
    const first = await startCluster();
    await administer(connectionOf(first, 'comanda'), 'CREATE DATABASE used');
    const urlOf = (database: string) => `postgres://comanda@127.0.0.1:${first.port}/${database}`;
    expect(migrate(urlOf('used'))).toContain('The database has no Citus');
    expect(migrate(urlOf('comanda'))).toContain(
      'Spread over the nodes: merchants, stores, api_keys, orders,',
    );
    expect(migrate(urlOf('comanda'))).toContain('Its tables are spread over the nodes already.');

    const service = await startForTest({
      DATABASE_URL: urlOf('comanda'),
      COMANDA_OPERATOR_KEY: OPERATOR_KEY,
      COMANDA_RATE_LIMIT: 'off',
    });
    await service.untilReady();
    const { storeId, key, merchantId } = await createTenant({ url: service.url, operatorKey: OPERATOR_KEY });
    const store = `${service.url}/manage/v1/stores/${storeId}`;
    const menu = `${service.url}/v1/stores/${storeId}/menu_configuration/`;
    const orders = `${service.url}/v1/stores/${storeId}/orders/`;

    /** How often other nodes are asked, beginning and ending of transactions included. */
    const remoteCommands = async (work: () => Promise<{ status: number }>): Promise<number> => {
      const count = async () =>
        (await readFile(join(first.folder, 'log'), 'utf8')).split(/NOTICE: {2}issuing /).length;
      // The second time, when the connections stand and every statement is known.
      expect([200, 201]).toContain((await work()).status);
      await delay(300);
      const before = await count();
      expect([200, 201]).toContain((await work()).status);
      await delay(300);
      return (await count()) - before;
    };
    let number = 0;
    const publish = () => ask(menu, { method: 'POST', key, body: numberedMenu((number += 1), 2) });
    const takeIn = () =>
      ask<{ id: string }>(`${store}/orders`, { method: 'POST', key, body: orderRequest() });
    expect((await publish()).status).toBe(200);
    const { id } = (await takeIn()).body;
    let isRead = false;
    const change = () =>
      ask(`${service.url}/manage/v1/orders/${id}`, {
        method: 'PATCH',
        key,
        body: { is_read: (isRead = !isRead) },
      });
    const counts = {
      menuRead: await remoteCommands(() => ask(menu, { key })),
      takeIn: await remoteCommands(takeIn),
      order: await remoteCommands(() => ask(`${service.url}/v1/orders/${id}`, { key })),
      list: await remoteCommands(() => ask(orders, { key })),
      search: await remoteCommands(() => ask(`${orders}?customer_name=ada`, { key })),
      change: await remoteCommands(change),
      publication: await remoteCommands(publish),
    };
    console.info(JSON.stringify(counts));
    expect(counts).toMatchObject({ menuRead: 0, takeIn: 1, order: 1 });
    // What the service does by itself meanwhile may add a few.
    expect(counts.list).toBeLessThanOrEqual(8);
    expect(counts.search).toBeLessThanOrEqual(10);
    expect(counts.change).toBeLessThanOrEqual(6);
    expect(counts.publication).toBeLessThanOrEqual(16);

    const lines = [1, 2, 3]
      .map((at) => JSON.stringify({ store_id: storeId, ...orderRequest({ external_id: `imported-${at}` }) }))
      .join('\n');
    const importLines = () =>
      ask(`${service.url}/manage/v1/orders/import`, {
        method: 'POST',
        key,
        body: lines,
        headers: { 'content-type': 'application/x-ndjson' },
      });
    const before = (await ask<{ count: number }>(orders, { key })).body.count;
    expect((await importLines()).body).toMatchObject({ created: 3, existing: 0 });
    expect((await importLines()).body).toMatchObject({ created: 0, existing: 3 });
    expect((await ask<{ count: number }>(orders, { key })).body.count).toBe(before + 3);

    const [item = ''] = numberedMenu(number, 2).items.map((each) => each.external_id);
    const mark = { method: 'PATCH', key, body: { in_stock: false } };
    expect((await ask(`${store}/menu/items/${item}`, mark)).status).toBe(200);
    const keys = `${service.url}/manage/v1/keys`;
    const issued = await ask<{ id: string; key: string }>(keys, {
      method: 'POST',
      key: OPERATOR_KEY,
      body: { merchant_id: merchantId, permissions: ['read'] },
    });
    const rotated = await ask<{ id: string; key: string }>(`${keys}/${issued.body.id}/rotate`, {
      method: 'POST',
      key: OPERATOR_KEY,
      body: { overlap_seconds: 0 },
    });
    expect((await ask(orders, { key: issued.body.key })).status).toBe(401);
    expect((await ask(orders, { key: rotated.body.key })).status).toBe(200);
    await ask(`${keys}/${rotated.body.id}`, { method: 'DELETE', key: OPERATOR_KEY });
    expect((await ask(orders, { key: rotated.body.key })).status).toBe(401);
  },
);
