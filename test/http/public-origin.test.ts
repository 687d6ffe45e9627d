import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createPublicOrigin, type PublicOrigin } from '../../src/http/origin.js';

/** The origin that a request with these headers is given, and the address at which it arrived. */
async function ask(originOf: PublicOrigin, headers: Record<string, string>) {
  const server = createServer((request, response) => response.end(originOf(request)));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<IncomingMessage>((resolve) => {
    get({ port, host: '127.0.0.1', headers, agent: false }, resolve);
  });
  let origin = '';
  for await (const part of answer.setEncoding('utf8')) origin += part as string;
  return { origin, arrived: `http://127.0.0.1:${port}` };
}

const LOOPBACK = [{ address: '127.0.0.0', prefix: 8 }];
const FORGED = { host: 'evil.example', origin: 'https://evil.example', 'x-forwarded-proto': 'https' };

it('links have the public URL, whatever the request says', async () => {
  const { origin } = await ask(createPublicOrigin('https://orders.example', LOOPBACK), FORGED);
  expect(origin).toBe('https://orders.example');
});

it('without one, a trusted proxy is believed', async () => {
  const headers = { host: 'orders.example', 'x-forwarded-proto': 'https' };
  expect((await ask(createPublicOrigin(undefined, LOOPBACK), headers)).origin).toBe('https://orders.example');
  const plain = await ask(createPublicOrigin(undefined, LOOPBACK), { host: 'orders.example:8080' });
  expect(plain.origin).toBe('http://orders.example:8080');
});

it('anyone else gets the address at which the connection arrived', async () => {
  const { origin, arrived } = await ask(createPublicOrigin(undefined, []), FORGED);
  expect(origin).toBe(arrived);
});
