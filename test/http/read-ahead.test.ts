import { Agent, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openSession } from '../console/browser-session.js';
import { ask } from '../harness/client.js';
import { createDatabaseProxy, type DatabaseProxy } from '../harness/database-proxy.js';
import { orderRequest, patch, takeIn } from '../harness/orders.js';
import { startOn, useService, type Service } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();
const tenant = await createTenant(service);
const orderId = (await takeIn(service, tenant, orderRequest())).body.id;

/** All requests of a test go through one connection. */
let agent: Agent;
beforeEach(() => {
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(() => agent.destroy());

interface Answered {
  readonly status: number | undefined;
  readonly body: string;
  readonly port: number | undefined;
}

function get(
  path: string,
  key: string,
  { url = service.url, headers = {}, through = agent } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { agent: through, headers: { 'x-api-key': key, ...headers } };
    const sent = request(`${url}${path}`, options, (answer) => {
      const port = answer.socket.localPort;
      answer.setEncoding('utf8');
      let body = '';
      answer.on('data', (text: string) => (body += text));
      answer.on('end', () => resolve({ status: answer.statusCode, body, port }));
    });
    sent.on('error', reject).end();
  });
}

const listPath = () => `/v1/stores/${tenant.storeId}/orders/`;
const orderPath = () => `/v1/orders/${orderId}`;
const INVALID = '{"detail":"Invalid API key"}';
const NO_STORE = '{"detail":"Store not found"}';
const NO_ORDER = '{"detail":"Order not found"}';

function expectRefusal(answer: Answered): void {
  expect(answer).toMatchObject({ status: 401, body: INVALID });
}

describe('on a connection that has asked before', () => {
  it('a key that was revoked gets nothing, not even what was read while it was checked', async () => {
    const { id, key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    for (const path of [listPath(), orderPath()]) expect((await get(path, key)).status).toBe(200);
    await get(orderPath(), key);
    await ask(`${service.url}/manage/v1/keys/${id}`, { method: 'DELETE', key: service.operatorKey });
    for (const path of [orderPath(), listPath(), orderPath(), listPath()])
      expect(await get(path, key)).toMatchObject({ status: 401, body: INVALID });
  });

  it('a key that was revoked or has expired is not told either that nothing has changed', async () => {
    const headers = { 'if-none-match': '*' };
    const [expiring, revoked] = await Promise.all(
      [1, 2].map(() => createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] })),
    );
    for (const key of [expiring?.key ?? '', revoked?.key ?? ''])
      for (let round = 0; round < 3; round += 1)
        expect((await get(listPath(), key, { headers })).status).toBe(304);
    await service.db.query({
      name: 'expire-key',
      text: 'UPDATE api_keys SET expires_at = clock_timestamp() WHERE id = $1',
      values: [expiring?.id],
    });
    await get(listPath(), expiring?.key ?? '', { headers }).then(expectRefusal);
    await get(listPath(), revoked?.key ?? '', { headers });
    await get(listPath(), revoked?.key ?? '', { headers });
    await ask(`${service.url}/manage/v1/keys/${revoked?.id}`, { method: 'DELETE', key: service.operatorKey });
    await get(listPath(), revoked?.key ?? '', { headers }).then(expectRefusal);
  });

  it('of two keys that share a reading each is looked at for itself', async () => {
    const { id, key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    const through = new Agent({ keepAlive: true, maxSockets: 1 });
    const both = (path: string) => Promise.all([get(path, tenant.key), get(path, key, { through })]);
    for (const path of [listPath(), listPath(), orderPath(), orderPath()])
      expect((await both(path)).map(({ status }) => status)).toEqual([200, 200]);
    await ask(`${service.url}/manage/v1/keys/${id}`, { method: 'DELETE', key: service.operatorKey });
    expect((await both(orderPath())).map(({ status }) => status)).toEqual([200, 401]);
    expect((await both(listPath())).map(({ status }) => status)).toEqual([200, 401]);
    through.destroy();
  });

  it('a store that was deleted is not there any more', async () => {
    const storeId = await createStore(service, tenant.merchantId);
    const path = `/v1/stores/${storeId}/orders/`;
    for (let round = 0; round < 3; round += 1) expect((await get(path, tenant.key)).status).toBe(200);
    await service.db.query({
      name: 'drop-store',
      text: 'DELETE FROM stores WHERE id = $1',
      values: [storeId],
    });
    expect(await get(path, tenant.key)).toMatchObject({ status: 404, body: NO_STORE });
  });

  it('a key is looked at by the statement that reads the answer', async () => {
    const lastCheck = async () => {
      const [row] = await service.db.query<{ at: Date }>({
        name: 'last-check',
        text: `SELECT max(query_start) AS at FROM pg_stat_activity WHERE query LIKE '%asked (secret_hash, store_id%'
               AND pid <> pg_backend_pid() AND datname = current_database()`,
      });
      return row?.at;
    };
    for (const path of [listPath(), orderPath()]) {
      await expect
        .poll(async () => {
          await get(path, tenant.key);
          const before = await lastCheck();
          expect((await get(path, tenant.key)).status).toBe(200);
          return [before !== undefined, (await lastCheck())?.getTime() === before?.getTime()];
        })
        .toEqual([true, true]);
    }
  });

  it('neither a session lets in whoever has no key, nor a key whoever has no session', async () => {
    const headers = { cookie: await openSession(service, tenant.key), 'sec-fetch-site': 'same-origin' };
    const inConsole = `/console/api${listPath()}`;
    for (let round = 0; round < 3; round += 1) {
      expect((await get(inConsole, 'no-key', { headers })).status).toBe(200);
      expect((await get(inConsole, 'no-key', { headers })).status).toBe(200);
      expectRefusal(await get(listPath(), 'no-key'));
      expect((await get(inConsole, 'no-key', { headers })).status).toBe(200);
      expect((await get(inConsole, 'no-key')).status).toBe(403);
      expect((await get(listPath(), tenant.key)).status).toBe(200);
      expect((await get(listPath(), tenant.key)).status).toBe(200);
      expect((await get(inConsole, tenant.key)).status).toBe(403);
    }
  });

  it('as many as a merchant may have under way are answered also where the store has changed and no key is confirmed', async () => {
    const agents = Array.from({ length: 80 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    onTestFinished(() => agents.forEach((each) => each.destroy()));
    const getAll = () => Promise.all(agents.map((through) => get(listPath(), tenant.key, { through })));
    await getAll();
    await getAll();
    await service.db.query({
      name: 'change-stock',
      text: `UPDATE menu_states SET stock_revision = stock_revision + 1
             WHERE store_key = (SELECT store_key FROM stores WHERE id = $1)`,
      values: [tenant.storeId],
    });
    await service.db.query({
      name: 'age-key',
      text: `UPDATE api_keys SET last_used_at = clock_timestamp() - interval '1 hour' WHERE id = $1`,
      values: [tenant.keyId],
    });
    const begun = performance.now();
    expect(new Set((await getAll()).map(({ status }) => status))).toEqual(new Set([200]));
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('a key of another merchant gets nothing of the one before', async () => {
    const other = await createTenant(service);
    for (let round = 0; round < 3; round += 1) {
      const { status, port } = await get(listPath(), tenant.key);
      expect(status).toBe(200);
      expect(await get(listPath(), other.key)).toEqual({ status: 404, body: NO_STORE, port });
      expect(await get(listPath(), other.key)).toEqual({ status: 404, body: NO_STORE, port });
      expect((await get(orderPath(), tenant.key)).status).toBe(200);
      expect(await get(orderPath(), other.key)).toEqual({ status: 404, body: NO_ORDER, port });
      expect(await get(orderPath(), other.key)).toEqual({ status: 404, body: NO_ORDER, port });
    }
  });

  it('a key for another store, or without the permission, gets what it would get without the one before', async () => {
    const secondId = await createStore(service, tenant.merchantId);
    const elsewhere = await createKey(service, {
      merchant_id: tenant.merchantId,
      store_ids: [secondId],
      permissions: ['read'],
    });
    const writer = await createKey(service, {
      merchant_id: tenant.merchantId,
      permissions: ['orders:write'],
    });
    const forbidden = '{"detail":"This key lacks the permission read"}';
    for (let round = 0; round < 2; round += 1) {
      expect((await get(orderPath(), tenant.key)).status).toBe(200);
      for (let again = 0; again < 2; again += 1) {
        expect(await get(orderPath(), elsewhere.key)).toMatchObject({ status: 404, body: NO_ORDER });
        expect(await get(orderPath(), writer.key)).toMatchObject({ status: 403, body: forbidden });
        expect(await get(listPath(), writer.key)).toMatchObject({ status: 403, body: forbidden });
      }
    }
  });

  it('every answer is as new as its request', async () => {
    const { body } = await takeIn(service, tenant);
    await get(`/v1/orders/${body.id}`, tenant.key);
    for (const status of ['ACCEPTED', 'READY', 'FULFILLED']) {
      await patch(service, tenant.key, body.id, { status });
      const answer = await get(`/v1/orders/${body.id}`, tenant.key);
      expect((JSON.parse(answer.body) as { status: string }).status).toBe(status);
    }
  });
});

describe('an order that the key may not see', () => {
  it('is not looked for: whoever asks waits for nothing of it', async () => {
    const other = await createTenant(service);
    await get(orderPath(), other.key);
    await service.db.transaction(async (tx) => {
      await tx.query({ name: 'hold-orders', text: 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE' });
      for (let round = 0; round < 3; round += 1)
        expect(await get(orderPath(), other.key)).toMatchObject({ status: 404, body: NO_ORDER });
    });
  });
});

const FAR_MS = 150;

describe('with a database far away', () => {
  let proxy: DatabaseProxy;
  let far: Service;
  beforeAll(async () => {
    proxy = await createDatabaseProxy(service.connection, FAR_MS);
    far = await startOn({ ...service.connection, host: '127.0.0.1', port: proxy.port }, {}, () =>
      proxy.close(),
    );
  });
  afterAll(() => far.stop());

  it.each([
    ['an order', orderPath],
    ['a list', listPath],
  ])('%s takes one round trip, not two', async (_, path) => {
    await expect
      .poll(async () => {
        const begun = performance.now();
        expect((await get(path(), tenant.key, { url: far.url })).status).toBe(200);
        return performance.now() - begun;
      })
      .toBeLessThan(2 * FAR_MS);
  });
});
