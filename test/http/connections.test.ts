import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { watchConnections } from '../../src/http/connections.js';

it('closing the server spares an answer that is still being sent, and no connection that is idle', async () => {
  const body = Buffer.alloc(30 * 1024 * 1024, 'x');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connections = watchConnections(server, 30);
  server.on('request', (request, response) => connections.enter(request, response, () => response.end(body)));
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
