import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createTurns } from '../../src/http/turns.js';

const BURST = 200;

it('lets a burst of connections in before it begins with what they ask for, and keys take turns', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const turns = createTurns(server);
  const { port } = server.address() as AddressInfo;
  let accepted = 0;
  let begunWhenAllWereIn = 0;
  const begun: unknown[] = [];
  server.on('connection', () => {
    accepted += 1;
    if (accepted === BURST) begunWhenAllWereIn = begun.length;
  });
  server.on('request', (request, response) =>
    turns.begin(request, () => {
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

it('lets answers go two in a turn while connections arrive, and those of another merchant before the many of one', async () => {
  const server = createServer();
  const turns = createTurns(server);
  const gone: string[] = [];
  const take = (owner: string) => {
    const later = turns.takeForAnswer(owner);
    if (later === undefined) gone.push(owner);
    else void later.then(() => gone.push(owner));
  };
  take('quiet');
  expect(gone).toEqual(['quiet']);
  server.emit('connection', new Socket());
  for (let nth = 0; nth < 20; nth += 1) take('many');
  take('other');
  expect(gone).toEqual(['quiet']);
  await nextTurn();
  await nextTurn();
  expect(gone).toContain('other');
  expect(gone.length).toBeLessThan(10);
  for (let nth = 0; nth < 20; nth += 1) await nextTurn();
  expect(gone).toHaveLength(22);
});

it('lets long answers go on more slowly while connections arrive', async () => {
  const server = createServer();
  const turns = createTurns(server);
  const chunksIn = async (count: number, accepting: boolean) => {
    let isOver = false;
    let chunks = 0;
    const send = async () => {
      while (!isOver) {
        const endTurn = await turns.takeForChunk('many');
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
