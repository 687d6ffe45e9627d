import { Agent, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../console/browser-session.js';
import { ask } from '../harness/client.js';
import { orderRequest, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();
const tenant = await createTenant(service);
const orderId = (await takeIn(service, tenant, orderRequest())).body.id;

/** All requests of a test go through one connection, as behind a proxy. */
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

function get(path: string, key: string, headers: Record<string, string> = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { agent, headers: { 'x-api-key': key, ...headers } };
    const sent = request(`${service.url}${path}`, options, (answer) => {
      const port = answer.socket.localPort;
      answer.setEncoding('utf8');
      let body = '';
      answer.on('data', (text: string) => (body += text));
      answer.on('end', () => resolve({ status: answer.statusCode, body, port }));
    });
    sent.on('error', reject).end();
  });
}

const listPath = `/v1/stores/${tenant.storeId}/orders/`;
const orderPath = `/v1/orders/${orderId}`;
const INVALID = '{"detail":"Invalid API key"}';
const NO_STORE = '{"detail":"Store not found"}';
const NO_ORDER = '{"detail":"Order not found"}';

describe('every request of a connection is authenticated by itself', () => {
  it('a key that was revoked gets 401 from the next request on', async () => {
    const { id, key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    for (const path of [listPath, orderPath]) expect((await get(path, key)).status).toBe(200);
    await ask(`${service.url}/manage/v1/keys/${id}`, { method: 'DELETE', key: service.operatorKey });
    for (const path of [orderPath, listPath])
      expect(await get(path, key)).toMatchObject({ status: 401, body: INVALID });
  });

  it('neither a session lets in whoever has no key, nor a key whoever has no session', async () => {
    const session = { cookie: await openSession(service, tenant.key), 'sec-fetch-site': 'same-origin' };
    const inConsole = `/console/api${listPath}`;
    expect((await get(inConsole, 'no-key', session)).status).toBe(200);
    expect(await get(listPath, 'no-key')).toMatchObject({ status: 401, body: INVALID });
    expect((await get(listPath, tenant.key)).status).toBe(200);
    expect((await get(inConsole, tenant.key)).status).toBe(403);
  });

  it('a key of another merchant gets nothing of the one before', async () => {
    const other = await createTenant(service);
    const { status, port } = await get(listPath, tenant.key);
    expect(status).toBe(200);
    expect(await get(listPath, other.key)).toEqual({ status: 404, body: NO_STORE, port });
    expect((await get(orderPath, tenant.key)).status).toBe(200);
    expect(await get(orderPath, other.key)).toEqual({ status: 404, body: NO_ORDER, port });
  });

  it('a key for another store, or without the permission, is refused after one that is not', async () => {
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
    expect((await get(orderPath, tenant.key)).status).toBe(200);
    expect(await get(orderPath, elsewhere.key)).toMatchObject({ status: 404, body: NO_ORDER });
    expect(await get(orderPath, writer.key)).toMatchObject({ status: 403, body: forbidden });
    expect(await get(listPath, writer.key)).toMatchObject({ status: 403, body: forbidden });
  });
});

it('an order that the key may not see is not looked up, so the answer waits for nothing of it', async () => {
  const other = await createTenant(service);
  await service.db.transaction(async (tx) => {
    await tx.query({ name: 'hold-orders', text: 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE' });
    expect(await get(orderPath, other.key)).toMatchObject({ status: 404, body: NO_ORDER });
  });
});
