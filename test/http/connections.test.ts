import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { watchConnections } from '../../src/http/connections.js';

it('closing the server spares an answer that is still being sent, and no connection that is idle', async () => {
  const body = Buffer.alloc(30 * 1024 * 1024, 'x');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connections = watchConnections(server, 30_000);
  server.on('request', (request, response) =>
    connections.inOrder(request, response, () => response.end(body)),
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

async function listen(stallMs: number, answer: (response: ServerResponse) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connections = watchConnections(server, stallMs);
  onTestFinished(connections.closeAll);
  server.on('request', (request, response) => connections.inOrder(request, response, () => answer(response)));
  return (server.address() as AddressInfo).port;
}

function connectTo(port: number) {
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  return client;
}

async function serve(stallMs: number, answer: (response: ServerResponse) => void) {
  return connectTo(await listen(stallMs, answer));
}

it('begins with the next request of a connection when the answer before it is out', async () => {
  let begun = 0;
  const client = await serve(30_000, (response) => {
    begun += 1;
    response.end(Buffer.alloc(8 * 1024 * 1024));
  });
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(17));
  await expect.poll(() => begun).toBeGreaterThan(0);
  await delay(300);
  // As many as the buffers of the system take in; each of the others would be eight more megabytes held here.
  expect(begun).toBeLessThan(5);
  client.resume();
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(17);
});

it('cuts a client that takes nothing, and spares one whose answer is long in the making', async () => {
  let waiting: ServerResponse | undefined;
  const waiter = await serve(300, (response) => (waiting = response));
  waiter.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => waiting !== undefined).toBe(true);
  let isCut = false;
  const reader = await serve(300, (response) => {
    response.once('close', () => (isCut = true));
    response.end(Buffer.alloc(64 * 1024 * 1024));
  });
  reader.pause();
  reader.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => isCut).toBe(true);
  waiting?.end('late');
  let received = 0;
  reader.on('data', (bytes: Buffer) => (received += bytes.length));
  // A connection that is reset tells of an error first.
  await new Promise((resolve) => reader.once('close', resolve).resume());
  expect(received).toBeLessThan(64 * 1024 * 1024);
  const [answer] = (await once(waiter, 'data')) as [Buffer];
  expect(answer.toString()).toContain('late');
});

it('cuts a connection with more than 16 requests queued behind the one in progress, and no other', async () => {
  const port = await listen(30_000, (response) => {
    setTimeout(() => response.end('done'), 100);
  });
  const pipeline = (count: number) => {
    const client = connectTo(port);
    const seen = { answered: 0, isClosed: false };
    client.on('data', (bytes: Buffer) => (seen.answered += bytes.toString().split('done').length - 1));
    client.on('close', () => (seen.isClosed = true));
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
    return seen;
  };
  const [within, beyond] = [pipeline(17), pipeline(18)];
  await expect.poll(() => within.answered, { timeout: 10_000 }).toBe(17);
  expect([within.isClosed, beyond]).toEqual([false, { answered: 0, isClosed: true }]);
});

it('a refused connection is not kept for a client that keeps its side open', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  watchConnections(server, 30_000);
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  const [accepted] = (await once(server, 'connection')) as [Socket];
  const isClosed = once(accepted, 'close');
  client.write('not HTTP\r\n\r\n');
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
  await isClosed;
});
