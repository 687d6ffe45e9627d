import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { lockFor } from '../../src/postgres/advisory-locks.js';
import { STORE_TABLES } from '../../src/upkeep/deletions.sql.js';
import { lockMerchant } from '../../src/tenants/merchants.sql.js';
import { deleteMerchant, deleteStore } from '../../src/upkeep/deletions.js';
import { cleanUpRegularly, removeDeletedStores } from '../../src/upkeep/cleanup.js';
import { ask } from '../harness/client.js';
import { png } from '../harness/images.js';
import { importLines, list, orderRequest, patch, takeIn } from '../harness/orders.js';
import { createStarPrinter } from '../harness/printer.js';
import { startService, useService } from '../harness/service.js';
import { createStore, createTenant, type Tenant } from '../harness/tenant.js';
import { createWebhook, webhookClient } from '../harness/webhooks.js';

const service = await useService();

const MENU = {
  menus: [{ external_id: 'all', availability: [], category_external_ids: ['food'] }],
  categories: [{ external_id: 'food', name: { translations: {} }, item_external_ids: ['soup'] }],
  items: [{ external_id: 'soup', name: { translations: {} }, price: 1, tax: 0, sell_separately: true }],
};

const remove = (path: string, key = service.operatorKey) =>
  ask<{ detail?: unknown } | undefined>(`${service.url}/manage/v1${path}`, { method: 'DELETE', key });

const publish = ({ storeId, key }: Tenant) =>
  ask(`${service.url}/v1/stores/${storeId}/menu_configuration/`, { method: 'POST', key, body: MENU });

const mark = ({ storeId, key }: Tenant, inStock: boolean) =>
  ask(`${service.url}/manage/v1/stores/${storeId}/menu/items/soup`, {
    ...{ method: 'PATCH', key, body: { in_stock: inStock } },
  });

/** A store that has something of everything. */
async function fill(tenant: Tenant, orders = 3): Promise<void> {
  await publish(tenant);
  await fillWebhook(tenant);
  await mark(tenant, false);
  await ask(`${service.url}/manage/v1/stores/${tenant.storeId}/menu/items/soup/photo`, {
    method: 'PUT',
    key: tenant.key,
    body: png(4, 3),
    headers: { 'content-type': 'image/png' },
  });
  await ask(`${service.url}/manage/v1/stores/${tenant.storeId}/places`, {
    method: 'POST',
    key: service.operatorKey,
    body: { label: 'Table 1', kind: 'table' },
  });
  const printer = await ask<{ url: string }>(`${service.url}/manage/v1/stores/${tenant.storeId}/printers`, {
    method: 'POST',
    key: service.operatorKey,
    body: { label: 'Kitchen', protocol: 'cloudprnt' },
  });
  const { body } = await takeIn(service, tenant, {}, { 'idempotency-key': 'once' });
  await patch(service, tenant.key, body.id, { status: 'ACCEPTED' });
  await createStarPrinter(printer.body.url).print();
  const line = (at: number) =>
    JSON.stringify({ ...orderRequest(), store_id: tenant.storeId, external_id: `imported ${at}` });
  const lines = Array.from({ length: orders - 1 }, (_, i) => line(i));
  await importLines(service, tenant.key, `${lines.join('\n')}\n`);
}

/** Nothing is sent in this file, so what comes of sending is written here. */
async function fillWebhook(tenant: Tenant): Promise<void> {
  const { id } = await createWebhook(webhookClient(service, tenant.key), {
    url: 'https://till.example/',
    store_ids: [tenant.storeId],
  });
  const storeKey = await storeKeyOf(tenant.storeId);
  await service.db.withClient(async (client) => {
    await client.query(
      `INSERT INTO webhook_deliveries (webhook_id, id, event_id, type, store_key, sequence, attempt, at, latency_ms)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'order.created', $2, 1, 1, now(), 1)`,
      [id, storeKey],
    );
    await client.query(
      `INSERT INTO webhook_parked (webhook_id, store_key, sequence, event_id, type, parked_at, status)
       VALUES ($1, $2, 1, gen_random_uuid(), 'order.created', now(), 400)`,
      [id, storeKey],
    );
    // Of a store from before 0.2.0.
    await client.query(
      `INSERT INTO sales_progress (store_key, timezone, counted_from, counted_id, is_done)
       VALUES ($1, 'UTC', now(), gen_random_uuid(), true)`,
      [storeKey],
    );
  });
}

async function storeKeyOf(storeId: string): Promise<number> {
  const [row] = await service.db.query<{ store_key: number }>({
    name: 'test_store_key',
    text: `SELECT store_key FROM stores WHERE id = $1 UNION SELECT store_key FROM deleted_stores WHERE id = $1`,
    values: [storeId],
  });
  return row?.store_key ?? 0;
}

/** How many rows each table has of the store. */
async function rowsOf(storeKey: number): Promise<Record<string, number>> {
  const counts = Object.create(null) as Record<string, number>;
  for (const table of await tablesWithStores()) {
    const [row] = await service.db.query<{ n: number }>({
      name: `test_rows_${table}`,
      text: `SELECT count(*) AS n FROM ${table} WHERE store_key = $1`,
      values: [storeKey],
    });
    if ((row?.n ?? 0) > 0) counts[table] = row?.n ?? 0;
  }
  return counts;
}

async function tablesWithStores(): Promise<string[]> {
  const rows = await service.db.query<{ name: string }>({
    name: 'test_tables_with_stores',
    text: `SELECT table_name AS name FROM information_schema.columns
           WHERE table_schema = 'public' AND column_name = 'store_key' ORDER BY 1`,
  });
  return rows.map(({ name }) => name);
}

/** What stays of a deleted store: that it was deleted, and the counter that keeps late writers out. */
const LEFT = { deleted_stores: 1, event_counters: 1 };

async function untilEmptied(storeKey: number): Promise<void> {
  while (Object.keys(await rowsOf(storeKey)).length > 2) await delay(20);
  expect(await rowsOf(storeKey)).toEqual(LEFT);
}

/** The regular cleanup of a process, without the wait before its first look. */
function cleanUpAtOnce(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const stop = cleanUpRegularly(service.db, { eventDays: 30, auditDays: 30 }, () => undefined);
    vi.advanceTimersByTime(15_000);
    return stop;
  } finally {
    vi.useRealTimers();
  }
}

describe('a store', () => {
  it('without orders is deleted, with its menus', async () => {
    const tenant = await createTenant(service);
    await publish(tenant);
    const storeKey = await storeKeyOf(tenant.storeId);
    const deleted = await remove(`/stores/${tenant.storeId}`);
    expect([deleted.status, deleted.body]).toEqual([204, '']);
    await untilEmptied(storeKey);
    for (const path of [
      `/v1/stores/${tenant.storeId}`,
      `/v1/stores/${tenant.storeId}/menu_configuration/`,
      `/v1/stores/${tenant.storeId}/orders/`,
      `/manage/v1/stores/${tenant.storeId}/menu/versions`,
    ]) {
      const { status, body } = await ask(`${service.url}${path}`, { key: tenant.key });
      expect([path, status, body]).toEqual([path, 404, { detail: 'Store not found' }]);
    }
    expect((await ask(`${service.url}/v1/stores/`, { key: tenant.key })).body).toEqual([]);
    expect((await remove(`/stores/${tenant.storeId}`)).status).toBe(404);
  });

  it('with orders is deleted only by force, and no other store loses anything', async () => {
    const tenant = await createTenant(service);
    const other = { ...tenant, storeId: await createStore(service, tenant.merchantId) };
    await fill(tenant, 1_500);
    await fill(other, 5);
    const storeKey = await storeKeyOf(tenant.storeId);
    const otherKey = await storeKeyOf(other.storeId);
    const [before, untouched] = [await rowsOf(storeKey), await rowsOf(otherKey)];
    expect(Object.keys(before)).toHaveLength((await tablesWithStores()).length - 1);
    const refused = await remove(`/stores/${tenant.storeId}`);
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: 'The store has orders. Add force=true to delete them permanently too.' },
    ]);
    expect(await rowsOf(storeKey)).toEqual(before);
    expect((await takeIn(service, tenant)).status).toBe(201);
    const { body: order } = await takeIn(service, tenant);

    expect((await remove(`/stores/${tenant.storeId}?force=true`)).status).toBe(204);
    expect((await ask(`${service.url}/v1/orders/${order.id}`, { key: tenant.key })).status).toBe(404);
    await untilEmptied(storeKey);
    expect(await rowsOf(otherKey)).toEqual(untouched);
    expect((await list(service, other, { customer_name: 'lukasz' })).body.count).toBe(5);
  });

  it('is not deleted by others', async () => {
    const { storeId, key } = await createTenant(service);
    const theirs = await createTenant(service);
    const answers = [
      await remove(`/stores/${storeId}`, key),
      await remove(`/stores/${storeId}`, theirs.key),
      await remove(`/stores/${storeId}?force=perhaps`),
      await remove('/stores/nothing'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 422, 404]);
    expect((await ask(`${service.url}/v1/stores/${storeId}`, { key })).status).toBe(200);
  });

  it('takes nothing in that is lost with it', async () => {
    for (let round = 0; round < 12; round += 1) {
      const tenant = await createTenant(service);
      await publish(tenant);
      const writes = Array.from({ length: 12 }, async (_, i) => {
        await delay(i);
        return i % 4 === 0 ? mark(tenant, i % 8 === 0) : takeIn(service, tenant);
      });
      const deletion = delay(round).then(() => remove(`/stores/${tenant.storeId}`));
      const [{ status }, ...answers] = await Promise.all([deletion, ...writes]);
      const statuses = [...new Set(answers.map((answer) => answer.status))];
      const ordered = answers.filter((answer) => answer.status === 201);
      if (status === 204) expect(ordered).toEqual([]);
      else expect([status, ordered.length > 0]).toEqual([409, true]);
      for (const seen of statuses) expect([200, 201, 404]).toContain(seen);
      const { body } = await list(service, tenant);
      expect(status === 204 ? 0 : body.count).toBe(ordered.length);
    }
  });
});

describe('a merchant', () => {
  it('is deleted with its stores and keys', async () => {
    const tenant = await createTenant(service);
    const other = await createTenant(service);
    await fill(tenant);
    const storeKey = await storeKeyOf(tenant.storeId);
    const refused = await remove(`/merchants/${tenant.merchantId}`);
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: 'A store of the merchant has orders. Add force=true to delete them permanently too.' },
    ]);
    expect((await list(service, tenant)).status).toBe(200);
    expect((await remove(`/merchants/${tenant.merchantId}?force=true`)).status).toBe(204);
    expect((await list(service, tenant)).status).toBe(401);
    await untilEmptied(storeKey);
    const read = await ask(`${service.url}/v1/merchants/${tenant.merchantId}`, { key: service.operatorKey });
    expect(read.status).toBe(404);
    const keys = await ask(`${service.url}/manage/v1/keys?merchant_id=${tenant.merchantId}`, {
      key: service.operatorKey,
    });
    expect(keys.body).toEqual([]);
    expect((await list(service, other)).status).toBe(200);
  });

  it('is deleted at once beside a change of one of its webhooks', async () => {
    const { merchantId, key } = await createTenant(service);
    const client = webhookClient(service, key);
    const { id } = await createWebhook(client, { url: 'https://till.example/' });
    const changed = await service.db.transaction(async (tx) => {
      await lockMerchant(tx, merchantId);
      const asked = client.send('PATCH', `/${id}`, { label: 'Till 2' });
      const held = 'SELECT FROM pg_locks l WHERE pg_backend_pid() = ANY (pg_blocking_pids(l.pid))';
      await expect.poll(async () => (await tx.client.query(held)).rows.length).toBeGreaterThan(0);
      // The change waits for the merchant. If it held the webhook, each would wait for the other.
      await tx.client.query(`SET LOCAL lock_timeout = '300ms'`);
      await deleteMerchant(tx, { id: merchantId, keyId: 'test', isForced: false });
      return { asked };
    });
    expect((await changed.asked).status).toBe(404);
  });

  it('without orders needs no force', async () => {
    const { merchantId } = await createTenant(service);
    expect((await remove(`/merchants/${merchantId}`)).status).toBe(204);
    expect((await remove(`/merchants/${merchantId}`)).status).toBe(404);
  });

  it('is not deleted by its own key, and not seen by another', async () => {
    const { merchantId, key } = await createTenant(service);
    const theirs = await createTenant(service);
    expect((await remove(`/merchants/${merchantId}`, key)).status).toBe(403);
    expect((await remove(`/merchants/${merchantId}`, theirs.key)).status).toBe(404);
  });
});

describe('what is left of a deleted store', () => {
  it('is known for every table that has rows of stores', async () => {
    const atOnce = ['stores', 'places', 'printers'];
    const known = [
      ...STORE_TABLES.map(({ table }) => table),
      'order_search',
      ...atOnce,
      ...Object.keys(LEFT),
    ];
    expect(known.sort()).toEqual(await tablesWithStores());
  });

  it('is removed by the regular cleanup when it was not at once, and is in no backup', async () => {
    const tenant = await createTenant(service);
    await fill(tenant);
    const storeKey = await storeKeyOf(tenant.storeId);
    const wanted = { id: tenant.storeId, keyId: 'test', isForced: true };
    let stop = (): void => undefined;
    // Whoever still empties the stores of earlier tests would otherwise go on with this one.
    await service.db.transaction(async (holder) => {
      await lockFor(holder.client, 'emptying');
      await service.db.transaction((tx) => deleteStore(tx, wanted));
      stop = cleanUpAtOnce();
      expect((await rowsOf(storeKey))['orders']).toBe(3);
      const backup = await fetch(`${service.url}/manage/v1/backup`, {
        headers: { 'x-api-key': service.operatorKey },
      });
      const archive = await backup.text();
      expect(archive).toContain('"end"');
      expect(archive).not.toContain(`"store_key":${storeKey},`);
    });
    await untilEmptied(storeKey);
    stop();
  });

  it('keeps a backup from being restored over it', async () => {
    const own = await startService();
    const { storeId, merchantId } = await createTenant(own);
    const archive = await (
      await fetch(`${own.url}/manage/v1/backup`, { headers: { 'x-api-key': own.operatorKey } })
    ).text();
    const restore = () =>
      ask(`${own.url}/manage/v1/restore`, {
        ...{ method: 'POST', key: own.operatorKey, body: archive },
        headers: { 'content-type': 'application/x-ndjson' },
      });
    await own.db.transaction((tx) => deleteMerchant(tx, { id: merchantId, keyId: 'test', isForced: false }));
    const tooEarly = await restore();
    expect([tooEarly.status, tooEarly.body]).toEqual([
      409,
      { detail: 'Data of deleted stores is still being removed. Try again later.' },
    ]);
    await removeDeletedStores(own.db);
    expect((await restore()).status).toBe(200);
    const back = await ask(`${own.url}/v1/stores/${storeId}`, { key: own.operatorKey });
    expect(back.status).toBe(200);
    // The number of the store is alive again: it takes orders, and can be deleted again.
    const order = await ask(`${own.url}/manage/v1/stores/${storeId}/orders`, {
      ...{ method: 'POST', key: own.operatorKey, body: orderRequest() },
    });
    expect(order.status).toBe(201);
    const again = await ask(`${own.url}/manage/v1/stores/${storeId}?force=true`, {
      ...{ method: 'DELETE', key: own.operatorKey },
    });
    expect(again.status).toBe(204);
    await own.stop();
  });
});
