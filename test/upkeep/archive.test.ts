import { describe, expect, it } from 'vitest';
import { takeCellNumbers } from '../../src/postgres/cell-numbers.js';
import { BACKUP_TABLES } from '../../src/upkeep/backup.sql.js';
import { ask } from '../harness/client.js';
import { backup, restore, rewrite, type RestoreBody } from '../harness/backup.js';
import { webp } from '../harness/images.js';
import { chain, menuClient } from '../harness/menu.js';
import { patch, takeIn } from '../harness/orders.js';
import { createStarPrinter } from '../harness/printer.js';
import { useService, type Service } from '../harness/service.js';
import { createStore, createTenant, type Tenant } from '../harness/tenant.js';

const source = await useService();
const target = await useService();
await takeCellNumbers(target.db, 7);

const send = (service: Service, method: string, path: string, body?: object) =>
  ask<{ id: string; phone?: string; url?: string }>(`${service.url}/manage/v1/${path}`, {
    method,
    key: service.operatorKey,
    body,
  });

/** Something in every table. */
async function live(service: Service): Promise<Tenant> {
  const tenant = await createTenant(service);
  const { merchantId, storeId, key } = tenant;
  // A first use is written down a moment later, perhaps between two archives that are compared.
  await service.db.query({
    name: 'test_used',
    text: 'UPDATE api_keys SET last_used_at = now() WHERE id = $1',
    values: [tenant.keyId],
  });
  const second = await createStore(service, merchantId);
  for (const id of [storeId, second]) {
    await menuClient(service, { storeId: id, key }).post(chain());
    await send(service, 'POST', `stores/${id}/places`, { label: 'Table', kind: 'table' });
    await takeIn(service, { storeId: id, key }, {}, { 'idempotency-key': 'one' });
  }
  const { body: order } = await takeIn(service, tenant, { external_id: 'A-1' });
  await patch(service, key, order.id, { status: 'ACCEPTED' });
  await send(service, 'POST', `orders/${order.id}/payments`, { method: 'card', amount: 429 });
  await send(service, 'PATCH', `stores/${storeId}/menu/items/i`, { in_stock: false });
  await send(service, 'PATCH', `stores/${storeId}/intake`, { pause: { note: 'Fire' } });
  await ask(`${service.url}/manage/v1/stores/${storeId}/menu/items/i/photo`, {
    method: 'PUT',
    key: service.operatorKey,
    body: webp(40, 30),
    headers: { 'content-type': 'image/webp' },
  });
  const printer = await send(service, 'POST', `stores/${storeId}/printers`, {
    label: 'Kitchen',
    protocol: 'cloudprnt',
    on: 'created',
  });
  await takeIn(service, tenant);
  await createStarPrinter(printer.body.url ?? '').print();
  const { body: erased } = await takeIn(service, tenant);
  await send(service, 'POST', 'customers/erase', { order_ids: [erased.id] });
  const webhook = await send(service, 'POST', 'webhooks', {
    merchant_id: merchantId,
    url: 'http://127.0.0.1:9/',
  });
  await service.db.query({
    name: 'test_park',
    text: `INSERT INTO webhook_parked (webhook_id, store_key, sequence, event_id, type, parked_at, status)
           SELECT $1, s.store_key, 1, $1, 'order.created', now(), 400 FROM stores s WHERE s.id = $2`,
    values: [webhook.body.id, storeId],
  });
  await service.db.query({
    name: 'test_progress',
    text: `INSERT INTO sales_progress SELECT s.store_key, 'UTC', now(), s.id, true FROM stores s WHERE s.id = $1`,
    values: [storeId],
  });
  await send(service, 'POST', 'menu/publications', {
    from: { store_id: storeId },
    store_ids: [second],
    at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  return tenant;
}

const archive = (service: Service, merchantId: string) =>
  ask<string>(`${service.url}/manage/v1/merchants/${merchantId}/archive`, { key: service.operatorKey });

const bring = (service: Service, text: string) =>
  ask<RestoreBody>(`${service.url}/manage/v1/merchants/restore`, {
    method: 'POST',
    key: service.operatorKey,
    body: text,
    headers: { 'content-type': 'application/x-ndjson' },
  });

/** The rows of each table, as an archive has them. */
function rowsOf(text: string): Map<string, Record<string, unknown>[]> {
  const tables = new Map<string, Record<string, unknown>[]>();
  let rows: Record<string, unknown>[] = [];
  for (const line of text.trimEnd().split('\n').slice(1, -1)) {
    const { table, ...row } = JSON.parse(line) as { table?: string };
    if (table === undefined) rows.push(row);
    else tables.set(table, (rows = []));
  }
  return tables;
}

describe('the archive of a merchant', async () => {
  const [tenant, neighbour] = [await live(source), await live(source)];
  const { body: text } = await archive(source, tenant.merchantId);

  it('has every row of the merchant and none of anyone else', async () => {
    const all = rowsOf(await backup(source));
    const storeKeys = new Set(
      all
        .get('stores')
        ?.filter(({ merchant_id: id }) => id === tenant.merchantId)
        .map(({ store_key: storeKey }) => storeKey),
    );
    const webhooks = new Set(
      all
        .get('webhooks')
        ?.filter(({ merchant_id: id }) => id === tenant.merchantId)
        .map(({ id }) => id),
    );
    const orders = new Set(
      all
        .get('orders')
        ?.filter(({ store_key: storeKey }) => storeKeys.has(storeKey))
        .map(({ id }) => id),
    );
    const isOwn = (row: Record<string, unknown>) =>
      'merchant_id' in row
        ? row['merchant_id'] === tenant.merchantId
        : 'brand_name' in row
          ? row['id'] === tenant.merchantId
          : 'webhook_id' in row
            ? webhooks.has(row['webhook_id'])
            : 'store_key' in row
              ? storeKeys.has(row['store_key'])
              : orders.has(row['order_id']);
    const expected = new Map([...all].map(([table, rows]) => [table, rows.filter(isOwn)]));
    expect(rowsOf(text)).toEqual(expected);
    const empty = [...expected].flatMap(([table, rows]) => (rows.length === 0 ? [table] : []));
    expect(empty).toEqual([]);
    expect([...expected.keys()]).toEqual(BACKUP_TABLES.map(({ name }) => name));
    expect(text).not.toContain(neighbour.merchantId);
    expect(text).not.toContain(neighbour.storeId);
  });

  it('is restored elsewhere beside others, once, and is byte-equal when taken again', async () => {
    const host = await live(target);
    const before = (await archive(target, host.merchantId)).body;
    const broken = await bring(target, text.slice(0, text.length / 2));
    expect(broken.status).toBe(422);
    const restored = await bring(target, text);
    expect([restored.status, restored.body.rows['orders']]).toEqual([200, 5]);
    expect((await archive(target, tenant.merchantId)).body).toBe(text);
    expect((await archive(target, host.merchantId)).body).toBe(before);
    expect((await bring(target, text)).status).toBe(409);
    expect((await archive(target, tenant.merchantId)).body).toBe(text);

    const list = (service: Service) =>
      ask<{ count: number }>(`${service.url}/v1/stores/${tenant.storeId}/orders/`, { key: tenant.key });
    expect((await list(target)).body).toEqual((await list(source)).body);
    expect((await takeIn(target, tenant)).status).toBe(201);
    // Later stores get numbers of this cell, and a backup of the mixed installation can be restored.
    await createStore(target, host.merchantId);
    const again = await useService();
    await takeCellNumbers(again.db, 7);
    expect((await restore(again, await backup(target))).status).toBe(200);
  });

  it('is refused where its numbers are in use, and takes nothing', async () => {
    const same = await useService();
    const owner = await live(same);
    const before = await backup(same);
    const { status, body } = await bring(same, text);
    expect(status, JSON.stringify(body)).toBe(409);
    expect(await backup(same)).toBe(before);
    expect((await archive(same, owner.merchantId)).status).toBe(200);
  });

  it.each([
    ['a backup of the installation', async () => backup(source), 'not the archive of a merchant'],
    [
      'a newer schema',
      () => Promise.resolve(rewrite(text, ([head = '', ...rest]) => [raised(head), ...rest])),
      'supports only',
    ],
    ['something else', () => Promise.resolve('{"format":"tar"}\n'), 'not the archive of a merchant'],
    ['nothing', () => Promise.resolve(''), ''],
  ])('%s is refused with a sentence', async (_, make, sentence) => {
    const { status, body } = await bring(target, await make());
    expect(status).toBe(422);
    expect(JSON.stringify(body.detail)).toContain(sentence);
  });

  it('with rows of somebody else is refused, and changes nothing of theirs', async () => {
    const fresh = await useService();
    await takeCellNumbers(fresh.db, 9);
    const victim = await createTenant(fresh);
    const { body: order } = await takeIn(fresh, victim);
    const [{ store_key: storeKey } = {}] = await fresh.db.query<{ store_key: number }>({
      name: 'test_victim',
      text: 'SELECT store_key FROM stores WHERE id = $1',
      values: [victim.storeId],
    });
    const archiveOfVictim = async () => (await archive(fresh, victim.merchantId)).body;
    // The use of the key is noted in the background.
    await expect.poll(archiveOfVictim).toContain('"last_used_at":"');
    const before = await archiveOfVictim();
    const inPlaceOf = (part: string, member: RegExp, value: string) =>
      rewrite(text, (lines) =>
        lines.map((line) => (line.includes(part) ? line.replace(member, value) : line)),
      );
    const ofStore = (part: string) => inPlaceOf(part, /"store_key":\d+/, `"store_key":${storeKey}`);
    for (const forged of [
      ofStore('"customer_name"'),
      // Would send its events to the webhook of someone else.
      ofStore('"lease_until"'),
      ofStore('"parked_at"'),
      // Would erase its customer.
      inPlaceOf('"erased_at"', /"order_id":"[^"]+"/, `"order_id":"${order.id}"`),
      // Would tell of its keys what nobody did.
      inPlaceOf('"request_id"', /"merchant_id":"[^"]+"/, `"merchant_id":"${victim.merchantId}"`),
    ]) {
      expect(forged).not.toBe(text);
      expect((await bring(fresh, forged)).status).toBe(409);
    }
    expect(await archiveOfVictim()).toBe(before);
  });

  it('is the operator’s alone', async () => {
    const { status } = await ask(`${source.url}/manage/v1/merchants/${tenant.merchantId}/archive`, {
      key: tenant.key,
    });
    expect(status).toBe(403);
    expect((await archive(source, tenant.storeId)).status).toBe(404);
  });
});

function raised(head: string): string {
  const header = JSON.parse(head) as { schema: number };
  return JSON.stringify({ ...header, schema: header.schema + 1 });
}
