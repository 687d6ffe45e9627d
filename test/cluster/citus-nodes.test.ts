import { spawnSync } from 'node:child_process';
import { chmod, chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { list, takeIn } from '../harness/orders.js';
import { startForTest } from '../harness/process.js';
import type { Service } from '../harness/service.js';
import { createStore, createTenant, type Tenant } from '../harness/tenant.js';
import { hasCitus, migrate, SETTINGS, startCluster, startNode } from './citus-cluster.js';
import type { PostgresServer } from './postgres.js';

const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';
const PASSWORD = 'between-the-nodes';
const STORES = 12;
const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;

async function serveOn(DATABASE_URL: string) {
  const service = await startForTest({
    DATABASE_URL,
    COMANDA_OPERATOR_KEY: OPERATOR_KEY,
    COMANDA_RATE_LIMIT: 'off',
  });
  await service.untilReady();
  return { ...service, operatorKey: OPERATOR_KEY } as typeof service & Service;
}

async function createTenants(service: Service): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  while (tenants.length < STORES) tenants.push(await createTenant(service));
  return tenants;
}

/** packaging/citus.sql with these nodes: what is run at once, and what its comments say is run later. */
async function readInstructions(nodes: readonly PostgresServer[]): Promise<[now: string[], later: string[]]> {
  const text = await readFile('packaging/citus.sql', 'utf8');
  const named = text.replaceAll(/node-(\d)\.example', 5432/g, (_, number: string) => {
    return `127.0.0.1', ${nodes[Number(number) - 1]?.port ?? 0}`;
  });
  const lines = named.split('\n');
  const later = lines.flatMap((line) => /^-- {3}(SELECT .*)$/.exec(line)?.[1] ?? []);
  return [lines.filter((line) => line.startsWith('SELECT')), later];
}

/** A line for each node, for whoever a server signs in as. */
async function tellPasswords(nodes: readonly PostgresServer[]): Promise<void> {
  const lines = nodes.map(({ port }) => `127.0.0.1:${port}:comanda:comanda:${PASSWORD}\n`).join('');
  for (const { folder } of nodes) {
    const file = join(folder, '.pgpass');
    await writeFile(file, lines);
    await chmod(file, 0o600);
    const { uid, gid } = await stat(join(folder, 'data'));
    await chown(file, uid, gid);
  }
}

describe.runIf(hasCitus)('the nodes of Citus', () => {
  it(
    'come and go under load as packaging/citus.sql says, and no request fails',
    { timeout: 600_000 },
    async () => {
      const nodes = await Promise.all([1, 2, 3, 4].map(() => startNode(['comanda'], PASSWORD)));
      await tellPasswords(nodes);
      const connection = { host: '127.0.0.1', port: nodes[0]?.port, user: 'comanda', password: PASSWORD };
      const client = new pg.Client({ ...connection, database: 'comanda' });
      await client.connect();
      onTestFinished(() => client.end());
      const [now, later] = await readInstructions(nodes);
      expect([now.length, later.length]).toEqual([3, 5]);
      // The fourth comes later.
      for (const statement of now) await client.query(statement);
      const url = `postgres://comanda:${PASSWORD}@127.0.0.1:${nodes[0]?.port ?? 0}/comanda`;
      expect(migrate(url, '--citus')).toContain('Distributed merchants');

      const service = await serveOn(url);
      const tenants = await createTenants(service);
      const load = { isOn: true };
      const failed: unknown[] = [];
      let taken = 0;
      const clients = tenants.slice(0, 6).map(async (_, i) => {
        for (let turn = i; load.isOn; turn += 1) {
          const tenant = tenants[turn % STORES] as Tenant;
          const { status, body } = await takeIn(service, tenant);
          if (status === 201) taken += 1;
          else failed.push([status, body]);
          const read = await list(service, tenant);
          if (read.status !== 200) failed.push([read.status, read.body]);
        }
      });
      const shardsOn = async (port = 0) => {
        const { rows } = await client.query(
          `SELECT FROM citus_shards WHERE citus_table_type = 'distributed' AND nodeport = ${port}`,
        );
        return rows.length;
      };
      const [add = '', start = '', status = '', drain = '', remove = ''] = later;
      await client.query(add);
      await client.query(start);
      await expect
        .poll(async () => (await client.query<{ state: string }>(status)).rows[0]?.state, {
          timeout: 300_000,
        })
        .toBe('finished');
      expect(await shardsOn(nodes[3]?.port)).toBeGreaterThan(0);
      const before = taken;
      await client.query(drain);
      expect(await shardsOn(nodes[3]?.port)).toBe(0);
      await client.query(remove);
      await expect.poll(() => taken).toBeGreaterThan(before);
      load.isOn = false;
      await Promise.all(clients);
      expect(failed).toEqual([]);
      const counts = await Promise.all(
        tenants.map(async (tenant) => (await list(service, tenant)).body.count),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(taken);
      console.info(`${taken} orders were taken in while shards moved to a new node and back`);
    },
  );

  it(
    'compile no statement, and together sort an archive, keep the webhooks of some stores, and end writes before a move',
    { timeout: 300_000 },
    async () => {
      const cluster = await startCluster(3, ['comanda']);
      migrate(cluster.url('comanda'), '--citus');
      for (const { port } of cluster.nodes) {
        const node = new pg.Client(`postgres://comanda@127.0.0.1:${port}/comanda`);
        await node.connect();
        onTestFinished(() => node.end());
        expect((await node.query<{ jit: string }>('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
      }
      const service = await serveOn(cluster.url('comanda'));
      const tenant = await createTenant(service);
      const { merchantId, key } = tenant;
      const storeIds = [tenant.storeId];
      while (storeIds.length < STORES) storeIds.push(await createStore(service, merchantId));
      for (const storeId of storeIds)
        expect((await takeIn(service, { ...tenant, storeId })).status).toBe(201);
      const merchant = `${service.url}/manage/v1/merchants/${merchantId}`;
      const { body: archive } = await ask<string>(`${merchant}/archive`, { key: OPERATOR_KEY });
      const rows = archive.split('\n').filter((line) => line.includes('"customer_phone":'));
      const keys = rows.map((line) => JSON.parse(line) as { readonly store_key: number });
      expect(keys.map(({ store_key: storeKey }) => storeKey)).toHaveLength(STORES);
      expect(keys).toEqual(keys.toSorted((one, other) => one.store_key - other.store_key));

      const webhooks = `${service.url}/manage/v1/webhooks`;
      const url = 'https://till.example/events';
      const body = { url, store_ids: storeIds };
      const webhook = await ask<{ id: string }>(webhooks, { method: 'POST', key, body });
      const fewer = { method: 'PATCH', key, body: { store_ids: storeIds.slice(0, 2) } };
      expect((await ask(`${webhooks}/${webhook.body.id}`, fewer)).status).toBe(200);

      const writer = new pg.Client(cluster.url('comanda'));
      await writer.connect();
      onTestFinished(() => writer.end());
      await writer.query('BEGIN');
      await writer.query('UPDATE orders SET is_read = true WHERE store_key = $1', [keys[0]?.store_key]);
      const refusal = { state: 'refusing', seconds: 60 };
      let isRefused = false;
      const refusing = ask(`${merchant}/move`, { method: 'PATCH', key: OPERATOR_KEY, body: refusal }).then(
        (answer) => {
          isRefused = true;
          return answer;
        },
      );
      await expect.poll(async () => (await takeIn(service, tenant)).status).toBe(503);
      await delay(1_000);
      expect(isRefused).toBe(false);
      await writer.query('COMMIT');
      expect((await refusing).status).toBe(200);
    },
  );

  it.each(['killed', 'frozen'])(
    'that is %s takes its own stores offline alone, and is named',
    { timeout: 300_000 },
    async (how) => {
      const cluster = await startCluster(3, ['comanda']);
      migrate(cluster.url('comanda'), '--citus');
      const service = await serveOn(cluster.url('comanda'));
      const tenants = await createTenants(service);
      const lost = cluster.nodes[2] as PostgresServer;
      const readAll = () =>
        Promise.all(
          tenants.map(async (tenant) => {
            const began = performance.now();
            const { status } = await list(service, tenant, { customer_name: String(began) });
            return { status, seconds: (performance.now() - began) / 1000 };
          }),
        );
      expect((await readAll()).every(({ status }) => status === 200)).toBe(true);

      if (how === 'killed') lost.stop('immediate');
      else await lost.freeze();
      const answers = await readAll();
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(12);
      const doctor = spawnSync(process.execPath, [CLI, 'doctor', '--local'], {
        env: { PATH: process.env['PATH'], DATABASE_URL: cluster.url('comanda') },
        encoding: 'utf8',
      });
      expect(doctor.stdout).toContain(`no answer from 127.0.0.1:${lost.port}`);
      expect(doctor.stdout).not.toContain(`127.0.0.1:${cluster.nodes[1]?.port ?? 0}`);

      if (how === 'killed') lost.start(SETTINGS);
      else await lost.thaw();
      await expect.poll(async () => (await readAll()).every(({ status }) => status === 200)).toBe(true);
    },
  );
});
