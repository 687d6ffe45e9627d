import { describe, expect, it } from 'vitest';
import { lockFor } from '../../src/postgres/advisory-locks.js';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { newUuidV7 } from '../../src/support/uuid.js';
import { ask } from '../harness/client.js';
import { takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant, storeKeyOf } from '../harness/tenant.js';
import { createWebhook, webhookClient } from '../harness/webhooks.js';

const service = await useService();

const run = (text: string) => service.db.withClient((client) => client.query(text));

describe('an Idempotency-Key of an order', () => {
  it('is removed by the cleanup after a day, of every store, and not before', async () => {
    const tenants = [await createTenant(service), await createTenant(service)];
    const send = (key: string) =>
      Promise.all(
        tenants.map(async (tenant) => {
          const { status, body } = await takeIn(service, tenant, {}, { 'idempotency-key': key });
          return `${status} ${body.id}`;
        }),
      );
    const [old, recent] = [await send('old'), await send('recent')];
    await run(`UPDATE order_intake_keys SET taken_at = now() - interval '25 hours'
               WHERE client_key LIKE '%old'`);
    await cleanUp(service.db, 30);
    expect(await send('recent')).toEqual(recent);
    const anew = await send('old');
    expect(anew.every((answer) => answer.startsWith('201 ') && !old.includes(answer))).toBe(true);
  });

  it('is never swept in the batch of an order: a sweep that cannot go on holds nobody up', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant, {}, { 'idempotency-key': 'long ago' });
    await run(`UPDATE order_intake_keys SET taken_at = now() - interval '25 hours'`);
    const replica = await service.replica();
    await service.db.transaction(async (tx) => {
      const text = 'SELECT FROM order_intake_keys k WHERE k.store_key = $1 FOR UPDATE';
      await tx.query({ name: 'hold-keys', text, values: [await storeKeyOf(service, tenant)] });
      const taken = await takeIn(replica, tenant, {}, { 'idempotency-key': 'now' });
      expect(taken.status).toBe(201);
      await cleanUp(replica.db, 30);
    });
    await replica.stop();
  });

  it('is forgotten however many there are', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant);
    await run(`INSERT INTO order_intake_keys (store_key, client_key, order_id, fingerprint, taken_at)
               SELECT s.store_key, 'many ' || n, gen_random_uuid(), '', now() - interval '2 days'
               FROM stores s, generate_series(1, 2500) n WHERE s.id = '${tenant.storeId}'`);
    await cleanUp(service.db, 30);
    const { rows } = await run(`SELECT FROM order_intake_keys WHERE client_key LIKE 'many %'`);
    expect(rows).toHaveLength(0);
  });
});

describe('attempts of webhooks', () => {
  it('are trimmed for each endpoint by itself, to the newest thousand', async () => {
    const tenant = await createTenant(service);
    const client = webhookClient(service, tenant.key);
    const [busy, quiet] = [
      await createWebhook(client, { url: 'https://till.example/' }),
      await createWebhook(client, { url: 'https://till.example/' }),
    ];
    let at = Date.now() - 86_400_000;
    const attempt = (webhookId: string, count: number, error: string) => {
      const ids = Array.from({ length: count }, () => `'${newUuidV7((at += 1))}'`).join();
      return run(`INSERT INTO webhook_deliveries (webhook_id, id, event_id, type, attempt, at, latency_ms, error)
                  SELECT '${webhookId}', a.id, gen_random_uuid(), 'webhook.test', 1, now(), 1, ${error}
                  FROM unnest(ARRAY[${ids}]::uuid[]) AS a (id)`);
    };
    await attempt(busy.id, 1_200, `'timeout'`);
    await attempt(busy.id, 300, 'NULL');
    await attempt(quiet.id, 90, 'NULL');
    await cleanUp(service.db, 30);
    expect(await client.deliveries(quiet.id)).toHaveLength(90);
    expect((await client.get(quiet.id)).body).not.toHaveProperty('older_attempts');
    const { rows } =
      await run(`SELECT count(*) FILTER (WHERE error IS NULL)::int AS taken, count(error)::int AS failed
                                FROM webhook_deliveries WHERE webhook_id = '${busy.id}'`);
    expect(rows).toEqual([{ taken: 300, failed: 700 }]);
    expect((await client.get(busy.id)).body).toMatchObject({
      older_attempts: { delivered: 0, failed: 500 },
    });
    await cleanUp(service.db, 30);
    expect((await client.get(busy.id)).body).toMatchObject({
      older_attempts: { delivered: 0, failed: 500 },
    });
  });
});

describe('a delivery', () => {
  it('is forgotten after 30 days, that of a removed webhook at once, and then the webhook itself', async () => {
    const { key } = await createTenant(service);
    const client = webhookClient(service, key);
    const [kept, removed] = [
      await createWebhook(client, { url: 'https://till.example/' }),
      await createWebhook(client, { url: 'https://till.example/' }),
    ];
    const deliver = (webhookId: string, days: number) => {
      const at = Date.now() - days * 86_400_000;
      return run(`INSERT INTO webhook_deliveries (webhook_id, id, event_id, type, attempt, at, latency_ms)
                  VALUES ('${webhookId}', '${newUuidV7(at)}', gen_random_uuid(), 'webhook.test', 1,
                          to_timestamp(${at / 1_000}), 1)`);
    };
    for (const days of [0, 29, 31, 40]) for (const { id } of [kept, removed]) await deliver(id, days);
    await cleanUp(service.db, 30);
    expect(await client.deliveries(kept.id)).toHaveLength(2);
    await client.send('DELETE', `/${removed.id}`);
    await cleanUp(service.db, 30);
    const rows = async (table: string, column: string) =>
      (await run(`SELECT FROM ${table} WHERE ${column} = '${removed.id}'`)).rows.length;
    expect([await rows('webhook_deliveries', 'webhook_id'), await rows('webhooks', 'id')]).toEqual([0, 1]);
    await run(`UPDATE webhooks SET removed_at = now() - interval '25 hours' WHERE id = '${removed.id}'`);
    await cleanUp(service.db, 30);
    expect(await rows('webhooks', 'id')).toBe(0);
    expect(await client.deliveries(kept.id)).toHaveLength(2);
  });
});

describe('the answer kept under an Idempotency-Key', () => {
  it('is forgotten after a day', async () => {
    const create = async () => {
      const answer = await ask<{ id: string }>(`${service.url}/manage/v1/merchants`, {
        method: 'POST',
        key: service.operatorKey,
        body: { brand_name: 'Casa' },
        headers: { 'idempotency-key': 'once' },
      });
      return answer.body.id;
    };
    const first = await create();
    await cleanUp(service.db, 30);
    expect(await create()).toBe(first);
    await run(`UPDATE idempotent_answers SET created_at = now() - interval '25 hours'`);
    await cleanUp(service.db, 30);
    expect((await run('SELECT FROM idempotent_answers')).rows).toHaveLength(0);
  });
});

it('goes on with the rest where one step cannot be done, and tells of it', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant);
  const own = await storeKeyOf(service, tenant);
  await run(`UPDATE events SET at = now() - interval '40 days' WHERE store_key = ${own}`);
  await run('ALTER TABLE console_sessions RENAME TO away');
  try {
    await expect(cleanUp(service.db, 30)).rejects.toThrow('The cleanup is incomplete');
  } finally {
    await run('ALTER TABLE away RENAME TO console_sessions');
  }
  const { rows } = await run(`SELECT FROM events WHERE store_key = ${own}`);
  expect(rows).toEqual([]);
});

it('is done by one process at a time: another leaves it alone, and together they remove everything', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant);
  const replica = await service.replica();
  await run(`INSERT INTO order_intake_keys (store_key, client_key, order_id, fingerprint, taken_at)
             SELECT s.store_key, 'shared ' || n, gen_random_uuid(), '', now() - interval '2 days'
             FROM stores s, generate_series(1, 5000) n WHERE s.id = '${tenant.storeId}'`);
  const count = async () =>
    (await run(`SELECT FROM order_intake_keys WHERE client_key LIKE 'shared %'`)).rows.length;
  await service.db.transaction(async (tx) => {
    await lockFor(tx.client, 'cleanup');
    await cleanUp(replica.db, 30);
    expect(await count()).toBe(5_000);
  });
  await Promise.all([service.db, replica.db, replica.db].map((db) => cleanUp(db, 30)));
  expect(await count()).toBe(0);
  await replica.stop();
});

it('goes on while a deleted store is being emptied', async () => {
  const [deleted, kept] = [await createTenant(service), await createTenant(service)];
  for (const tenant of [deleted, kept]) await takeIn(service, tenant);
  const [from, own] = [await storeKeyOf(service, deleted), await storeKeyOf(service, kept)];
  await run(`UPDATE events SET at = now() - interval '40 days' WHERE store_key = ${own}`);
  const left = async (table: string, storeKey: number) =>
    (await run(`SELECT FROM ${table} WHERE store_key = ${storeKey}`)).rows.length;
  await service.db.withClient(async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM orders o WHERE o.store_key = $1 FOR UPDATE', [from]);
    const path = `/manage/v1/stores/${deleted.storeId}?force=true`;
    const { status } = await ask(service.url + path, { method: 'DELETE', key: service.operatorKey });
    expect(status).toBe(204);
    const held =
      'SELECT FROM pg_locks l WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))';
    await expect.poll(async () => (await client.query(held)).rows.length).toBeGreaterThan(0);
    await cleanUp(service.db, 30);
    expect([await left('orders', from), await left('events', own)]).toEqual([1, 0]);
    await client.query('COMMIT');
  });
  await expect.poll(() => left('orders', from)).toBe(0);
});
