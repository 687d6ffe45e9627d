import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { answerParserError } from '../../src/http/refuse-connection.js';

it('a refused connection is not kept for a client that keeps its side open', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  const [accepted] = (await once(server, 'connection')) as [Socket];
  const isClosed = once(accepted, 'close');
  answerParserError({ underWay: () => undefined, isHeld: () => false }, new Error('not HTTP'), accepted);
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
  await isClosed;
});
