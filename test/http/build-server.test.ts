import { pino } from 'pino';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { NotFound } from '../../src/domain/errors.js';
import { buildServer } from '../../src/http/build-server.js';

it.each([
  ['debug', 1],
  ['info', 0],
])('logs a refused request at %s without key or address: %i line', async (level, count) => {
  const lines: string[] = [];
  const log = pino({ level }, { write: (line: string) => void lines.push(line) });
  const app = buildServer(loadConfig({}).limits, log);
  app.get('/orders/:id', () => {
    throw new NotFound('Order');
  });
  const headers = { host: 'x', 'x-request-id': 'till-7', 'x-api-key': 'secret-key' };
  const { statusCode } = await app.inject({ url: '/orders/some-order?customer_name=some-guest', headers });
  await app.close();
  expect([statusCode, lines.length]).toEqual([404, count]);
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
