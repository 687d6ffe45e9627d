import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { NotFound } from '../../src/support/errors.js';
import { createRateLimit } from '../../src/http/rate-limit.js';
import { createRequestLog } from '../../src/http/request-log.js';
import { createHttpServer } from '../../src/http/server.js';
import type { Responder } from '../../src/http/router.js';

async function serve(responders: readonly Responder[], level: string, logsAccess = false) {
  const lines: string[] = [];
  const { server } = createHttpServer({
    limits: loadConfig({}).limits,
    requestLog: createRequestLog({
      log: pino({ level }, { write: (line: string) => void lines.push(line) }),
      metrics: new Registry(),
      logsAccess,
    }),
    responders,
    rate: createRateLimit('off', 1),
    cors: undefined,
    explainError: (error) => Promise.resolve(error),
    mostConnections: Infinity,
    closing: new AbortController().signal,
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lines };
}

it.each([
  ['debug', 1],
  ['info', 0],
])('logs a refused request at %s without key or address: %i line', async (level, count) => {
  const respond = () => {
    throw new NotFound('Order');
  };
  const { url, lines } = await serve([{ method: 'GET', path: '/orders/:id', respond }], level);
  const headers = { 'x-request-id': 'till-7', 'x-api-key': 'secret-key', connection: 'close' };
  const { status } = await fetch(`${url}/orders/some-order?customer_name=some-guest`, { headers });
  expect([status, lines.length]).toEqual([404, count]);
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({
      reqId: 'till-7',
      route: '/orders/:id',
      status: 404,
      msg: 'request refused: 404 GET /orders/:id till-7',
    });
    expect(line).not.toMatch(/secret-key|some-order|some-guest/);
  }
});

it('answers a failure before the first chunk like any other, and cuts and logs one after it', async () => {
  async function* failing(before: readonly string[]) {
    yield* before;
    await Promise.resolve();
    throw new Error('broken');
  }
  const responder = (path: string, before: readonly string[]) => ({
    method: 'GET',
    path,
    respond: () => ({ status: 200, headers: [], body: failing(before) }),
  });
  const { url, lines } = await serve([responder('/at-once', []), responder('/later', ['some'])], 'error');
  expect(await (await fetch(`${url}/at-once`)).json()).toEqual({ detail: 'Internal Server Error' });
  await expect((await fetch(`${url}/later`)).text()).rejects.toThrow();
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'request failed',
    'A response failed midway',
  ]);
});

it('logs requests that went well where that is wanted, with their trace and without address or key', async () => {
  const respond = () => ({ status: 200, headers: [], body: 'well' });
  const { url, lines } = await serve([{ method: 'GET', path: '/orders/:id', respond }], 'info', true);
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await (
    await fetch(`${url}/orders/some-order`, { headers: { 'x-api-key': 'secret-key', traceparent } })
  ).text();
  await expect.poll(() => lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    method: 'GET',
    route: '/orders/:id',
    status: 200,
    ms: expect.any(Number) as number,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  });
  expect(lines[0]).not.toMatch(/secret-key|some-order/);
});
