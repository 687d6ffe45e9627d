import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { NotFound } from '../../src/domain/errors.js';
import { createRequestTimes } from '../../src/http/metrics.js';
import { createRouter, type Endpoint } from '../../src/http/router.js';
import { createHttpServer } from '../../src/http/server.js';

async function serve(endpoints: readonly Endpoint[], level: string) {
  const lines: string[] = [];
  const { server } = createHttpServer({
    limits: loadConfig({}).limits,
    log: pino({ level }, { write: (line: string) => void lines.push(line) }),
    times: createRequestTimes(new Registry()),
    findEndpoint: createRouter(endpoints),
    isClosing: () => false,
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
  const endpoint = (path: string, before: readonly string[]) => ({
    method: 'GET',
    path,
    respond: () => ({ status: 200, headers: [], body: failing(before) }),
  });
  const { url, lines } = await serve([endpoint('/at-once', []), endpoint('/later', ['some'])], 'error');
  expect(await (await fetch(`${url}/at-once`)).json()).toEqual({ detail: 'Internal Server Error' });
  await expect((await fetch(`${url}/later`)).text()).rejects.toThrow();
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'request failed',
    'An answer broke off',
  ]);
});
