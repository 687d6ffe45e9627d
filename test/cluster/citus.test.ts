import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { backup, restore } from '../harness/backup.js';
import { ask } from '../harness/client.js';
import { numberedMenu } from '../harness/menu.js';
import { importLines, list, orderRequest, patch, takeIn } from '../harness/orders.js';
import { startForTest } from '../harness/process.js';
import { startReceiver } from '../harness/receiver.js';
import type { Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { createWebhook, eventsOf, webhookClient } from '../harness/webhooks.js';
import { hasCitus, migrate, SHARDS, startCluster, type CitusCluster } from './citus-cluster.js';

const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';

/** With this key it sends webhooks. */
const SENDING = { COMANDA_SECRET_KEY: 'secret-key-for-tests-0123456789abcdef' };

async function serveOn(
  cluster: CitusCluster,
  database: string,
  environment: Record<string, string> = {},
): Promise<Service> {
  const service = await startForTest({
    DATABASE_URL: cluster.url(database),
    COMANDA_OPERATOR_KEY: OPERATOR_KEY,
    COMANDA_WEBHOOK_ALLOW: '127.0.0.0/8',
    COMANDA_RATE_LIMIT: 'off',
    ...environment,
  });
  await service.untilReady();
  return { url: service.url, operatorKey: OPERATOR_KEY } as Service;
}

describe.runIf(hasCitus)('on Citus', () => {
  it('asks one node, with one task for each statement, in every hot request', async () => {
    const cluster = await startCluster(3, ['comanda']);
    expect(migrate(cluster.url('comanda'), '--citus')).toContain(
      'Distributed merchants, stores, api_keys, places, printers, orders,',
    );
    expect(migrate(cluster.url('comanda'), '--citus')).toContain('Its tables are already distributed.');
    const service = await serveOn(cluster, 'comanda');
    const tenant = await createTenant(service);
    const { storeId, key } = tenant;
    const manage = `${service.url}/manage/v1/stores/${storeId}`;
    const menu = `${service.url}/v1/stores/${storeId}/menu_configuration/`;

    let number = 0;
    const publish = () => ask(menu, { method: 'POST', key, body: numberedMenu((number += 1), 2) });
    expect((await publish()).status).toBe(200);
    const { id } = (await takeIn(service, tenant)).body;
    const orders = Array.from({ length: 2_000 }, () =>
      JSON.stringify({ store_id: storeId, ...orderRequest() }),
    );
    const imported = await importLines(service, key, orders.join('\n'));
    expect(imported.body.created).toBe(2_000);
    let isRead = false;
    const [item = ''] = numberedMenu(1, 2).items.map((each) => each.external_id);
    const requests: Record<string, () => Promise<{ status: number }>> = {
      menuRead: () => ask(menu, { key }),
      takeIn: () => takeIn(service, tenant),
      order: () => ask(`${service.url}/v1/orders/${id}`, { key }),
      list: () => list(service, tenant),
      deepPage: () => list(service, tenant, { status: 'PENDING', page_index: '80' }),
      search: () => list(service, tenant, { customer_name: 'nobody' }),
      commonName: () => list(service, tenant, { customer_name: 'nowak', page_index: '80' }),
      change: () => patch(service, key, id, { is_read: (isRead = !isRead) }),
      publication: publish,
      feed: () => ask(`${manage}/events?limit=10`, { key }),
      manageList: () => ask(`${manage}/orders?limit=10`, { key }),
      quote: () =>
        ask(`${manage}/quote`, {
          method: 'POST',
          key,
          body: { items: [{ external_id: item, quantity: 1 }] },
        }),
    };
    const seen: Record<string, string> = {};
    for (const [name, request] of Object.entries(requests)) {
      const work = await cluster.remoteWork(async () =>
        expect.soft([200, 201], name).toContain((await request()).status),
      );
      seen[name] = `${work.tasks} tasks, ${work.nodes} nodes`;
      expect.soft(work, name).toMatchObject({ tasks: work.statements, nodes: Math.min(1, work.tasks) });
    }
    console.info(JSON.stringify(seen));
    expect(seen).toMatchObject({
      menuRead: '0 tasks, 0 nodes',
      takeIn: '1 tasks, 1 nodes',
      order: '1 tasks, 1 nodes',
      feed: '2 tasks, 1 nodes',
      list: '1 tasks, 1 nodes',
      deepPage: '1 tasks, 1 nodes',
      search: '1 tasks, 1 nodes',
      commonName: '1 tasks, 1 nodes',
      manageList: '1 tasks, 1 nodes',
      quote: '0 tasks, 0 nodes',
    });
  });

  it('takes keys away, imports once, tells of events, deletes, and is restored', async () => {
    const cluster = await startCluster(3, ['comanda', 'restored']);
    for (const database of ['comanda', 'restored']) migrate(cluster.url(database), '--citus');
    const service = await serveOn(cluster, 'comanda', SENDING);
    const tenant = await createTenant(service);
    const { storeId, key, merchantId } = tenant;

    const receiver = await startReceiver();
    await createWebhook(webhookClient(service, key), { url: receiver.url });
    const { id } = (await takeIn(service, tenant)).body;
    await patch(service, key, id, { status: 'ACCEPTED' });
    await expect
      .poll(() => eventsOf(receiver.requests).map(({ type, sequence }) => `${sequence} ${type}`))
      .toEqual(['1 order.created', '2 order.status_changed']);

    // Nobody asks the shards for something to send, but for a look at all of them every 20 seconds. Cleaning up looks nine times.
    const idle = await cluster.remoteWork(() => delay(8_000));
    expect(idle.tasks, idle.commands.join('\n')).toBeLessThanOrEqual(10 * SHARDS);

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
    expect((await importLines()).body).toMatchObject({ created: 3, existing: 0 });
    expect((await importLines()).body).toMatchObject({ created: 0, existing: 3 });
    expect((await list(service, tenant)).body.count).toBe(4);

    const [item = ''] = numberedMenu(1, 2).items.map((each) => each.external_id);
    await ask(`${service.url}/v1/stores/${storeId}/menu_configuration/`, {
      method: 'POST',
      key,
      body: numberedMenu(1, 2),
    });
    const mark = { method: 'PATCH', key, body: { in_stock: false } };
    expect((await ask(`${service.url}/manage/v1/stores/${storeId}/menu/items/${item}`, mark)).status).toBe(
      200,
    );

    const state = await ask<{ tables: { name: string; bytes: number }[] }>(
      `${service.url}/manage/v1/database`,
      {
        key: OPERATOR_KEY,
      },
    );
    expect(state.status).toBe(200);
    const orders = state.body.tables.filter(({ name }) => name.startsWith('orders'));
    // One line for all shards, of which each has its indexes.
    expect(orders).toHaveLength(1);
    expect(orders[0]?.bytes).toBeGreaterThan(SHARDS * 8192 * 3);

    const keys = `${service.url}/manage/v1/keys`;
    const asOperator = { method: 'POST', key: OPERATOR_KEY };
    const issued = await ask<{ id: string; key: string }>(keys, {
      ...asOperator,
      body: { merchant_id: merchantId, permissions: ['read'] },
    });
    const rotated = await ask<{ id: string; key: string }>(`${keys}/${issued.body.id}/rotate`, {
      ...asOperator,
      body: { overlap_seconds: 0 },
    });
    const readWith = async (secret: string) => (await list(service, { ...tenant, key: secret })).status;
    expect([await readWith(issued.body.key), await readWith(rotated.body.key)]).toEqual([401, 200]);
    await ask(`${keys}/${rotated.body.id}`, { method: 'DELETE', key: OPERATOR_KEY });
    expect(await readWith(rotated.body.key)).toBe(401);

    const other = await createTenant(service);
    await takeIn(service, other);
    const store = `${service.url}/manage/v1/stores/${other.storeId}`;
    expect((await ask(`${store}?force=true`, { method: 'DELETE', key: OPERATOR_KEY })).status).toBe(204);
    expect((await takeIn(service, other)).status).toBe(404);

    const archive = await backup(service);
    const second = await serveOn(cluster, 'restored');
    expect((await restore(second, archive)).status).toBe(200);
    expect(await backup(second)).toBe(archive);
    expect((await list(second, tenant)).body.count).toBe(4);
    expect((await takeIn(second, tenant)).status).toBe(201);
  });

  it('is refused where the installation is in use, or spread by hand in part', async () => {
    const cluster = await startCluster(1, ['used', 'half', 'begun']);
    const merchant = `INSERT INTO merchants VALUES (gen_random_uuid(), now(), 'Used')`;
    const event = `INSERT INTO events VALUES (1, 1, gen_random_uuid(), 'order.created', now(), '{}')`;
    for (const database of ['used', 'half', 'begun']) migrate(cluster.url(database));

    await cluster.run('used', merchant);
    expect(migrate(cluster.url('used'), '--citus')).toContain(
      'This installation has data, and only a new one can be distributed. Make a backup (comanda backup) and',
    );
    await cluster.run('half', `SELECT create_reference_table('merchants')`);
    await cluster.run('half', event);
    expect(migrate(cluster.url('half'), '--citus')).toContain(
      'This installation is only partly distributed, and events cannot be distributed because they have rows.',
    );
    await cluster.run('begun', `SELECT create_reference_table('merchants')`);
    expect(migrate(cluster.url('begun'), '--citus')).toContain(
      'Distributed places, printers, orders, order_counts,',
    );
  });
});
