import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { watchConnections, type ConnectionLimits } from '../../src/http/connections.js';
import { answerParserError } from '../../src/http/refuse-connection.js';

it('closing the server spares an answer that is still being sent, and no connection that is idle', async () => {
  const body = Buffer.alloc(30 * 1024 * 1024, 'x');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connections = watchConnections(server, { stallMs: 30_000 });
  server.on('request', (request, response) =>
    connections.inTurn(request, response, () => response.end(body)),
  );
  const { port } = server.address() as AddressInfo;
  const idle = connect(port, '127.0.0.1');
  await once(idle, 'connect');
  const reader = connect(port, '127.0.0.1');
  reader.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(reader, 'readable');

  const isClosed = once(server, 'close');
  server.close();
  await once(idle.resume(), 'close');
  let received = 0;
  reader.on('data', (bytes: Buffer) => (received += bytes.length));
  await expect.poll(() => received).toBeGreaterThan(body.length);
  reader.destroy();
  await isClosed;
});

async function listen(limits: ConnectionLimits, answer: (response: ServerResponse) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connections = watchConnections(server, limits);
  onTestFinished(connections.closeAll);
  server.on('request', (request, response) => connections.inTurn(request, response, () => answer(response)));
  return (server.address() as AddressInfo).port;
}

function connectTo(port: number) {
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  return client;
}

async function serve(stallMs: number, answer: (response: ServerResponse) => void) {
  return connectTo(await listen({ stallMs }, answer));
}

it('begins with the next request of a connection when the answer before it is out', async () => {
  let begun = 0;
  const client = await serve(30_000, (response) => {
    begun += 1;
    response.end(Buffer.alloc(1024 * 1024));
  });
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
  await expect.poll(() => begun).toBeGreaterThan(0);
  await delay(300);
  // As many as the buffers of the system take in; each of the others would be another megabyte held here.
  const whileStalled = begun;
  expect(whileStalled).toBeLessThan(20);
  client.resume();
  await expect.poll(() => begun).toBe(500);
});

it('cuts a client that takes nothing, and spares one whose answer is long in the making', async () => {
  const reader = await serve(300, (response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
  reader.pause();
  reader.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const waiter = await serve(300, (response) => void setTimeout(() => response.end('late'), 2_500));
  waiter.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(reader, 'readable');
  await delay(2_000);
  let received = 0;
  reader.on('data', (bytes: Buffer) => (received += bytes.length));
  // A connection that is reset tells of an error first.
  await new Promise((resolve) => reader.once('close', resolve).resume());
  expect(received).toBeLessThan(64 * 1024 * 1024);
  const [answer] = (await once(waiter, 'data')) as [Buffer];
  expect(answer.toString()).toContain('late');
});

it('cuts those that send on ahead once too many requests wait in all, and nobody else', async () => {
  const port = await listen({ stallMs: 30_000, mostUnanswered: 300 }, (response) => {
    setTimeout(() => response.end('done'), response.req.url === '/slow' ? 1_000 : 0);
  });
  const ahead = Array.from({ length: 10 }, () => connectTo(port));
  let cut = 0;
  for (const client of ahead) {
    client.resume().on('close', () => (cut += 1));
    client.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100));
  }
  await expect.poll(() => cut).toBeGreaterThanOrEqual(7);
  const other = connectTo(port);
  let received = '';
  other.on('data', (bytes: Buffer) => (received += bytes.toString()));
  other.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10));
  await expect.poll(() => received.split('done').length - 1).toBe(10);
  expect(cut).toBeLessThan(10);
});

it('reads a bounded number of requests in a turn of the event loop, however many have arrived', async () => {
  const ahead = 400;
  let answered = 0;
  let inTurn = 0;
  let mostInTurn = 0;
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connections = watchConnections(server, { stallMs: 30_000 });
  onTestFinished(connections.closeAll);
  server.on('request', (request, response) => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += 1;
    mostInTurn = Math.max(mostInTurn, inTurn);
    connections.inTurn(request, response, () => {
      answered += 1;
      response.end();
    });
  });
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: 20 }, () => connectTo(port).resume());
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => answered).toBe(clients.length);
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(ahead));
  await expect.poll(() => answered).toBe(clients.length * (ahead + 1));
  // What one read brings comes whole.
  expect(mostInTurn).toBeLessThan(500 + ahead);
});

const AHEAD = 300;
const MANY = 'GET /never HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(AHEAD);
const ONE = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** Answers whatever is not asked for at /never, and counts what is. */
async function serveNewcomers(headersTimeout = 60_000) {
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
    connections.inTurn(request, response, () => {
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
  const { seen, open } = await serveNewcomers();
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
    const { seen, open } = await serveNewcomers();
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
  const { seen, open } = await serveNewcomers(1_000);
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
