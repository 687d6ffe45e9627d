import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { jsonBytes, send } from '../../src/http/response.js';

const CHUNKS = 400;
const MAKING_MS = 1;
const CHUNK = Buffer.alloc(128 * 1024);

const CLIENT = `
  let received = 0;
  const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
  socket.write('GET / HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n');
  socket.on('data', (data) => (received += data.length));
  socket.on('close', () => process.stdout.write(String(received)));`;

/** Each takes its time, so that the client has taken the one before. */
function* chunks() {
  for (let nth = 0; nth < CHUNKS; nth += 1) {
    const begun = performance.now();
    while (performance.now() - begun < MAKING_MS);
    yield CHUNK;
  }
}

it('lets others run after each chunk of a long answer, however fast the client takes it', async () => {
  let turns = 0;
  let turnsTaken = 0;
  const server = createServer((_request, response) => {
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const answer = { status: 200, headers: [], body: chunks() };
    void send(response, answer, []).finally(() => {
      turnsTaken = turns;
      clearImmediate(next);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  // A process of its own: one that shares the event loop can only read while others run.
  const client = spawn(process.execPath, ['-e', CLIENT, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [received] = (await once(client.stdout, 'data')) as [Buffer];
  expect(Number(received.toString())).toBeGreaterThan(CHUNKS * CHUNK.length);
  expect(turnsTaken).toBeGreaterThanOrEqual(CHUNKS);
});

it('begins nothing for an answer that nobody reads, as after HEAD', () => {
  let hasBegun = false;
  const body = {
    heldBytes: 1,
    chunks: () => {
      hasBegun = true;
      return [CHUNK];
    },
  };
  expect([jsonBytes(body, 'gzip').status, hasBegun]).toEqual([200, false]);
});
