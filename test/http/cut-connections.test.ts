import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { Registry } from 'prom-client';
import { limitConnections } from '../../src/http/connections.js';
import { createRequestLog } from '../../src/http/request-log.js';

it('connections for which there is no descriptor are cut, told once, and let in again when there is room', async () => {
  const said: string[] = [];
  const server = createServer((_request, response) => response.end('here'));
  const log = pino({}, { write: (line: string) => void said.push(line) });
  const { cutConnection } = createRequestLog({ log, metrics: new Registry(), logsAccess: false });
  limitConnections(server, 2, cutConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const ask = async (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return String(await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => 'cut')]));
  };

  const first = await open();
  const second = await open();
  expect([await ask(first), await ask(second)]).toEqual(Array(2).fill(expect.stringContaining('200 OK')));
  expect([await ask(await open()), await ask(await open())]).toEqual(['cut', 'cut']);
  expect(said).toEqual([expect.stringContaining('2 connections are open and the limit on open files')]);

  first.destroy();
  await expect.poll(async () => ask(await open())).toContain('200 OK');
  expect(await ask(second)).toContain('200 OK');
});
