import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { buffer, text as readAll } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { chain, menuClient } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();
const tenant = await createTenant(service);
await menuClient(service, tenant).post(chain());

const treeOf = (storeId: string) => `/v1/stores/${storeId}/menu_configuration/`;

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** As it came over the wire: compressed bytes stay compressed. */
function read(path: string, headers: Record<string, string>, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(`${service.url}${path}`, { headers, agent }, (response) => {
      void buffer(response).then((bytes) =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: bytes.toString('latin1'),
        }),
      );
    }).on('error', reject);
  });
}

/** What may differ between two answers to the same question. */
function comparable({ status, headers, body }: Answer) {
  const { date: _date, 'x-request-id': id, ...rest } = headers;
  return { status, body, headers: rest, hasId: typeof id === 'string' && id.length > 0 };
}

/** A connection of its own, kept between requests. */
function connection(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

describe('a menu from memory', () => {
  async function readTwice(path: string, headers: Record<string, string>) {
    // The first of each form is rendered; only the second is answered from memory.
    await read(path, headers);
    const kept = connection();
    await read('/healthz', {}, kept);
    const cached = await read(path, headers, kept);
    // A query string is ignored.
    const withQuery = await read(`${path}?a=1`, headers);
    expect(comparable(withQuery)).toEqual(comparable(cached));
    expect(comparable(cached).hasId).toBe(true);
    return cached;
  }

  it.each(['', 'flat'])('has the same bytes and headers in every coding (%s)', async (form) => {
    const path = `${treeOf(tenant.storeId)}${form}`;
    for (const coding of ['identity', 'gzip', 'br', 'gzip;q=0.5, br;q=0.1']) {
      const headers = { 'x-api-key': tenant.key, 'accept-encoding': coding };
      const whole = await readTwice(path, headers);
      expect(whole.status).toBe(200);
      expect(Number(whole.headers['content-length'])).toBe(whole.body.length);
      const etag = String(whole.headers['etag']);
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const unchanged = await readTwice(path, { ...headers, 'if-none-match': tags });
        expect([unchanged.status, unchanged.body, unchanged.headers['etag']]).toEqual([304, '', etag]);
      }
      expect((await readTwice(path, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  it('is refused like every other', async () => {
    const other = await createTenant(service);
    const elsewhere = await createStore(service, tenant.merchantId);
    const narrow = await createKey(service, {
      merchant_id: tenant.merchantId,
      permissions: ['read'],
      store_ids: [elsewhere],
    });
    const writer = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['menu:write'] });
    const own = treeOf(tenant.storeId);
    const cases: [string, Record<string, string>, number][] = [
      [own, {}, 401],
      [own, { 'x-api-key': '' }, 401],
      [own, { 'x-api-key': 'nonsense' }, 401],
      [own, { 'x-api-key': `${tenant.key} ` + tenant.key }, 401],
      [own, { 'x-api-key': other.key }, 404],
      [own, { 'x-api-key': narrow.key }, 404],
      [own, { 'x-api-key': writer.key }, 403],
      [treeOf('01900000-0000-7000-8000-000000000000'), { 'x-api-key': tenant.key }, 404],
      [treeOf('01900000-0000-7000-8000-00000000000g'), { 'x-api-key': tenant.key }, 404],
      [treeOf(tenant.storeId.toUpperCase()), { 'x-api-key': tenant.key }, 404],
    ];
    for (const [path, headers, status] of cases) {
      expect((await readTwice(path, headers)).status, JSON.stringify(headers)).toBe(status);
    }
  });
});

describe('reads of menus', () => {
  it('carry the caller’s request id if it is a usable one', async () => {
    const id = async (given: string) => {
      const headers = { 'x-api-key': tenant.key, 'x-request-id': given };
      return (await read(treeOf(tenant.storeId), headers)).headers['x-request-id'];
    };
    expect(await id('pos-7:42')).toBe('pos-7:42');
    expect(await id('no good')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('are counted like all others', async () => {
    const path = treeOf(await createStore(service, tenant.merchantId));
    const headers = { 'x-api-key': tenant.key };
    const count = async () => {
      const { body } = await ask<string>(`${service.url}/metrics`, { key: service.operatorKey });
      const line =
        /^http_request_duration_seconds_(bucket|count)\{(?:le="\+Inf",)?method="GET",route="\/v1\/stores\/:store_service_id\/menu_configuration\/",status="200"\} (\d+)$/gm;
      return [...body.matchAll(line)].map(([, part, value]) => [part, Number(value)]);
    };
    const [, [, before] = []] = await count();
    for (let i = 0; i < 5; i += 1) await read(path, headers);
    const now = Number(before ?? 0) + 5;
    expect(await count()).toEqual([
      ['bucket', now],
      ['count', now],
    ]);
  });

  it('keep to the rate of the key', async () => {
    const slow = await service.replica({ requestsPerSecond: 0.001, requestBurst: 3 });
    const statuses = [];
    for (let i = 0; i < 5; i += 1) {
      const answer = await ask(`${slow.url}${treeOf(tenant.storeId)}`, { key: tenant.key });
      statuses.push([answer.status, answer.headers.has('retry-after')]);
    }
    await slow.stop();
    expect(statuses).toEqual([
      [200, false],
      [200, false],
      [200, false],
      [429, true],
      [429, true],
    ]);
  });

  it('come in the order of the requests on one connection', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const lines = (path: string, ...more: string[]) =>
      [`GET ${path} HTTP/1.1`, 'Host: a', `X-API-Key: ${tenant.key}`, ...more, '', ''].join('\r\n');
    const tree = treeOf(tenant.storeId);
    socket.write(
      [
        lines('/healthz', 'X-Request-Id: 1'),
        lines(tree, 'X-Request-Id: 2', 'If-None-Match: *'),
        lines(`${tree}?`, 'X-Request-Id: 3', 'If-None-Match: *'),
        lines(tree, 'X-Request-Id: 4', 'Content-Length: 2') + '{}',
        lines(tree, 'X-Request-Id: 5', 'Connection: close'),
      ].join(''),
    );
    const answers = await readAll(socket);
    expect([...answers.matchAll(/x-request-id: (\d)/gi)].map(([, id]) => id)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '304',
      '304',
      '200',
      '200',
    ]);
  });

  it('may be hung up on', async () => {
    const port = Number(new URL(service.url).port);
    const key = `X-API-Key: ${tenant.key}\r\n`;
    for (const path of [treeOf(tenant.storeId), treeOf(tenant.merchantId)]) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const socket = connect(port, '127.0.0.1');
          socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${key}\r\n`);
          await once(socket, 'connect');
          socket.resetAndDestroy();
        }),
      );
    }
    expect((await read(treeOf(tenant.storeId), { 'x-api-key': tenant.key })).status).toBe(200);
  });

  it('want one key, not two', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const key = `X-API-Key: ${tenant.key}\r\n`;
    socket.write(
      `GET ${treeOf(tenant.storeId)} HTTP/1.1\r\nHost: a\r\n${key}${key}Connection: close\r\n\r\n`,
    );
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });
});
