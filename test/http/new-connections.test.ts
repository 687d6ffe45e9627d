import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { watchConnections } from '../../src/http/connections.js';
import { answerParserError } from '../../src/http/refuse-connection.js';

const AHEAD = 300;
const MANY = 'GET /never HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(AHEAD);
const ONE = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** Answers whatever is not asked for at /never, and counts what is. */
async function serveNew(headersTimeout = 60_000) {
  const server = createServer({ headersTimeout, connectionsCheckingInterval: 100 }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connections = watchConnections(server, { stallMs: 60_000 });
  onTestFinished(connections.closeAll);
  const seen = { open: 0, ahead: 0 };
  server.on('connection', () => (seen.open += 1));
  server.on('clientError', (error, socket) => answerParserError(connections, error, socket as Socket));
  server.on('request', (request, response) => {
    if (request.url === '/never') seen.ahead += 1;
    connections.inOrder(request, response, () => {
      if (request.url !== '/never') response.end('done');
    });
  });
  const { port } = server.address() as AddressInfo;
  const open = (localAddress?: string) => {
    const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    onTestFinished(() => void client.destroy());
    return client;
  };
  return { seen, open };
}

it('reads those that send hundreds of requests at once one after the other, with a rest after each', async () => {
  const { seen, open } = await serveNew();
  const clients = Array.from({ length: 100 }, () => open());
  await expect.poll(() => seen.open).toBe(clients.length);
  const begun = performance.now();
  for (const client of clients) client.write(MANY);
  await delay(500);
  const restingMs = performance.now() - begun;
  expect(seen.ahead).toBeLessThan((restingMs / 0.1 / AHEAD + 2) * AHEAD);
  expect(seen.ahead).toBeLessThan(clients.length * AHEAD);
  await expect.poll(() => seen.ahead, { timeout: 30_000 }).toBe(clients.length * AHEAD);
});

it.runIf(process.platform === 'linux')(
  'lets nobody wait for all that come from another address',
  async () => {
    const { seen, open } = await serveNew();
    const clients = Array.from({ length: 100 }, (_, nth) => open(nth === 50 ? '127.0.0.3' : '127.0.0.2'));
    await expect.poll(() => seen.open).toBe(clients.length);
    clients[0]?.write(MANY);
    await expect.poll(() => seen.ahead).toBe(AHEAD);
    const other = clients[50] as Socket;
    const answered = once(other, 'data');
    for (const client of clients.slice(1)) client.write(client === other ? ONE : MANY);
    await answered;
    expect(seen.ahead).toBeLessThan(20 * AHEAD);
  },
);

it('does not blame a client for its slowness that is not read', async () => {
  const { seen, open } = await serveNew(1_000);
  const clients = Array.from({ length: 100 }, () => open());
  const answers: string[] = [];
  for (const client of clients) client.on('data', (bytes: Buffer) => answers.push(bytes.toString()));
  await expect.poll(() => seen.open).toBe(clients.length);
  for (const client of clients) client.write(MANY);
  await expect.poll(() => answers.length, { timeout: 10_000 }).toBeGreaterThan(0);
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toContain('retry-after: 1\r\n');
  }
});
