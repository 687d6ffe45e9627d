import { once } from 'node:events';
import { createServer, request as ask, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { comanda } from './command-line.js';

const service = await useService();
const tenant = await createTenant(service, ['read']);
const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

interface Finding {
  readonly state: string;
  readonly what: string;
}

async function diagnose(url: string): Promise<[string, string][]> {
  const words = ['doctor', '--json', '--public', url, '--key', tenant.key];
  const { code, out } = await comanda(words);
  expect(code).toBe(1);
  return (JSON.parse(out) as Finding[]).map(({ state, what }) => [state, what]);
}

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Passes requests on; one that collects gives a response only once it is whole. */
async function startProxy(headers: Record<string, string>, { collects = false } = {}): Promise<string> {
  const pass: RequestListener = (incoming, response) => {
    const { method, url = '/', headers: own } = incoming;
    const onward = ask(new URL(url, service.url), { method, headers: { ...own, ...headers } }, (answer) => {
      if (!collects) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () =>
        response.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(pieces)),
      );
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  return `http://127.0.0.1:${await listen(createServer(pass))}`;
}

const NO_HTTPS = ['wrong', 'The address has no https'];
const ELSEWHERE = ['remark', 'QR codes and sign-in links lead to the address of each request'];

it('sees the address of the client and a stream that is not held back', async () => {
  const url = await startProxy({ 'x-forwarded-for': '203.0.113.7' });
  expect(await diagnose(url)).toEqual([
    NO_HTTPS,
    ['fine', `The service answers at ${url}`],
    ['fine', 'The service sees this machine as 203.0.113.7'],
    ELSEWHERE,
    ['fine', 'Live streams are not held back'],
  ]);
});

it('says that the proxy does not tell of the client, and that it holds streams back', async () => {
  const url = await startProxy({}, { collects: true });
  expect(await diagnose(url)).toEqual([
    NO_HTTPS,
    ['fine', `The service answers at ${url}`],
    ['wrong', 'The service takes 127.0.0.1 for the client: no X-Forwarded-For arrived'],
    ELSEWHERE,
    ['wrong', 'A live stream brought nothing for 10 s'],
  ]);
}, 30_000);

it('says that a connection cannot be trusted', async () => {
  // A server without a certificate: no handshake comes to its end.
  const port = await listen(createTlsServer({}));
  const [[state, what] = []] = await diagnose(`https://127.0.0.1:${port}`);
  expect(state).toBe('wrong');
  expect(what).toMatch(/^No trusted connection: /);
});
