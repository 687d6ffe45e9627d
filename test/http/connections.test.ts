import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { watchConnections, type ConnectionLimits } from '../../src/http/connections.js';

it('closing the server spares an answer that is still being sent, and no connection that is idle', async () => {
  const body = Buffer.alloc(30 * 1024 * 1024, 'x');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connections = watchConnections(server, { stallMs: 30_000 });
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

async function listen(limits: ConnectionLimits, answer: (response: ServerResponse) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connections = watchConnections(server, limits);
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
    connections.inOrder(request, response, () => {
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

const BURST = 200;

it('lets a burst of connections in before it begins with what they ask for, and keys take turns', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connections = watchConnections(server, { stallMs: 30_000 });
  const { port } = server.address() as AddressInfo;
  let accepted = 0;
  let begunWhenAllWereIn = 0;
  const begun: unknown[] = [];
  server.on('connection', () => {
    accepted += 1;
    if (accepted === BURST) begunWhenAllWereIn = begun.length;
  });
  server.on('request', (request, response) =>
    connections.inOrder(request, response, () => {
      begun.push(request.headers['x-api-key']);
      response.end();
    }),
  );
  for (let nth = 1; nth <= BURST; nth += 1) {
    const socket = connect(port, '127.0.0.1').resume();
    onTestFinished(() => void socket.destroy());
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\nx-api-key: ${nth === BURST ? 'other' : 'many'}\r\n\r\n`);
  }
  await expect.poll(() => begun.length).toBe(BURST);
  expect(begunWhenAllWereIn).toBeLessThan(BURST / 2);
  expect(begun.indexOf('other')).toBeLessThan(begunWhenAllWereIn + 10);
});

it('lets long answers go on more slowly while connections arrive', async () => {
  const server = createServer();
  const { takeForChunk } = watchConnections(server, { stallMs: 30_000 });
  const chunksIn = async (count: number, accepting: boolean) => {
    let isOver = false;
    let chunks = 0;
    const send = async () => {
      while (!isOver) {
        const endTurn = await takeForChunk('many');
        chunks += 1;
        await nextTurn();
        endTurn();
      }
    };
    const sending = [send(), send(), send()];
    for (let turn = 0; turn < count; turn += 1) {
      if (accepting) server.emit('connection', new Socket());
      await nextTurn();
    }
    isOver = true;
    const sent = chunks;
    await Promise.all(sending);
    return sent;
  };
  expect(await chunksIn(100, false)).toBeGreaterThan(100);
  expect(await chunksIn(100, true)).toBeLessThan(50);
});
