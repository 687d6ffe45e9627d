import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseSubnet, type Subnet } from '../../src/support/subnet.js';
import { createSender, type SenderOptions } from '../../src/webhooks/http-sender.js';
import { createAddressPolicy, createNameResolver } from '../../src/webhooks/addresses.js';
import { startReceiver } from '../harness/receiver.js';

const loopback = createAddressPolicy([parseSubnet('127.0.0.0/8') as Subnet]);

function senderFor(options: Partial<SenderOptions> = {}) {
  const resolve = () => Promise.reject(new Error('no name is expected'));
  const sender = createSender({ policy: loopback, resolve, ...options });
  onTestFinished(() => sender.close());
  return (url: string, body = '{}') =>
    sender.send({ url, headers: { 'content-type': 'application/json' }, body });
}

/** A server below HTTP. */
async function startRaw(behave: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    behave(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const latencyMs = expect.any(Number) as number;

describe('a request to a receiver', () => {
  it('arrives as it was given, and its answer comes back', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(202).end('taken'));
    const sent = await senderFor()(`${receiver.url}?a=1`, '{"name":"Łukasz"}');
    expect(sent).toEqual({
      status: 202,
      error: undefined,
      retryAfterMs: undefined,
      response: 'taken',
      latencyMs,
    });
    expect(receiver.requests).toMatchObject([
      {
        method: 'POST',
        path: '/hooks?a=1',
        headers: { 'content-type': 'application/json', 'content-length': '18' },
        body: '{"name":"Łukasz"}',
      },
    ]);
  });

  it('that is answered with another protocol has failed', async () => {
    const url = await startRaw((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: Upgrade\r\n\r\n'),
      ),
    );
    expect(await senderFor()(url)).toMatchObject({ status: undefined, error: 'bad_answer' });
  });

  it('uses the connection again, and a new one where the receiver has closed it', async () => {
    const sockets: Socket[] = [];
    const receiver = await startReceiver((_, response, socket) => {
      sockets.push(socket);
      response.end();
    });
    const send = senderFor();
    for (let i = 0; i < 5; i += 1) expect((await send(receiver.url)).status).toBe(200);
    expect(receiver.connections()).toBe(1);
    sockets[0]?.resetAndDestroy();
    expect((await send(receiver.url)).status).toBe(200);
    expect(receiver.connections()).toBe(2);
  });

  it.each([
    [301, 'redirect'],
    [307, 'redirect'],
    [404, 'client_error'],
    [410, 'client_error'],
    [500, 'server_error'],
  ])('that is answered %d has failed: %s', async (status, error) => {
    const receiver = await startReceiver((_, response) => response.writeHead(status).end('no'));
    expect(await senderFor()(receiver.url)).toMatchObject({ status, error, response: 'no' });
  });

  it('never follows a redirect, least of all to metadata', async () => {
    const elsewhere = await startReceiver();
    for (const location of [elsewhere.url, 'http://169.254.169.254/latest/meta-data/']) {
      const receiver = await startReceiver((_, response) => response.writeHead(302, { location }).end());
      expect(await senderFor()(receiver.url)).toMatchObject({ status: 302, error: 'redirect' });
    }
    expect(elsewhere.requests).toEqual([]);
  });

  it('tells when the receiver wants to be asked again', async () => {
    const receiver = await startReceiver((_, response) =>
      response.writeHead(429, { 'retry-after': '7' }).end(),
    );
    expect(await senderFor()(receiver.url)).toMatchObject({ status: 429, retryAfterMs: 7_000 });
  });
});

describe('a receiver', () => {
  it('that never answers is given up after the total time', async () => {
    const receiver = await startReceiver(() => undefined);
    const sent = await senderFor({ totalMs: 300 })(receiver.url);
    expect(sent).toMatchObject({ status: undefined, error: 'timeout' });
  });

  it('that does not take the connection is given up before that', async () => {
    // Accepted by the system, never by TLS: the handshake is part of the connection.
    const url = (await startRaw(() => undefined)).replace('http:', 'https:');
    expect(await senderFor({ connectMs: 300 })(url)).toMatchObject({
      status: undefined,
      error: 'connect_timeout',
    });
  });

  it('whose name is not resolved in time is given up as well', async () => {
    const send = senderFor({ connectMs: 300, resolve: () => new Promise(() => undefined) });
    expect(await send('http://slow.example/')).toMatchObject({ error: 'connect_timeout' });
  });

  it('that sends without end has answered, and is cut', async () => {
    let bytes = 0;
    const piece = 'x'.repeat(64 * 1024);
    const receiver = await startReceiver((_, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 30) });
      const more = () => {
        while (bytes < 2 ** 30 && response.write(piece)) bytes += piece.length;
      };
      response.on('drain', more);
      more();
    });
    const before = process.memoryUsage().rss;
    const sent = await senderFor()(receiver.url);
    expect(sent).toMatchObject({ status: 200, error: undefined });
    expect(sent.response).toBe('x'.repeat(4_096));
    expect(bytes).toBeLessThan(32 * 2 ** 20);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
  });

  it('that never ends its answer has answered', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(200).write('half'));
    const sent = await senderFor()(receiver.url);
    expect(sent).toMatchObject({ status: 200, error: undefined, response: 'half' });
  });

  it('that breaks off in the body has answered, in the head not', async () => {
    const inBody = await startRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
    );
    expect(await senderFor()(inBody)).toMatchObject({ status: 200, error: undefined, response: 'half' });
    const inHead = await startRaw((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 O')));
    expect(await senderFor()(inHead)).toMatchObject({ status: undefined, error: 'connection_closed' });
    const atOnce = await startRaw((socket) => socket.destroy());
    expect(await senderFor()(atOnce)).toMatchObject({ status: undefined, error: 'connection_closed' });
  });

  it.each([
    ['HTTP/1.1 200 OK\r\ncontent-length: nonsense\r\n\r\n', 'bad_answer'],
    ['SSH-2.0-OpenSSH_9.6\r\n', 'bad_answer'],
    [`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, 'bad_answer'],
  ])('that does not speak HTTP has failed', async (answer, error) => {
    const url = await startRaw((socket) => socket.once('data', () => socket.end(answer)));
    expect(await senderFor()(url)).toMatchObject({ status: undefined, error });
  });

  it('may send a few informational responses before its answer', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3);
    const url = await startRaw((socket) =>
      socket.once('data', () => socket.write(`${early}HTTP/1.1 204 No Content\r\n\r\n`)),
    );
    expect(await senderFor()(url)).toMatchObject({ status: 204, error: undefined });
  });

  it('that drips its body has answered, and is not waited for', async () => {
    const url = await startRaw((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
        const more = setInterval(() => socket.write('x'), 50);
        socket.on('close', () => clearInterval(more));
      }),
    );
    const sent = await senderFor()(url);
    expect(sent).toMatchObject({ status: 200, error: undefined });
    expect(sent.response).toMatch(/^x+$/);
  });

  it('that is not there has failed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    expect(await senderFor()(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'connection_refused' });
  });

  it('whose certificate does not hold has failed', async () => {
    const url = await startRaw((socket) => socket.once('data', () => socket.end('no TLS here')));
    expect(await senderFor()(url.replace('http:', 'https:'))).toMatchObject({ error: 'tls' });
  });

  it('may send text that no database holds', async () => {
    const receiver = await startReceiver((_, response) => response.end(Buffer.from([0x61, 0, 0xff, 0xc3])));
    expect((await senderFor()(receiver.url)).response).toBe('a\u{FFFD}\u{FFFD}');
  });
});

describe('an address that is not allowed', () => {
  it.each(['http://10.0.0.1/', 'http://[::1]/', 'http://2852039166/', 'http://[::ffff:169.254.169.254]/'])(
    'is not connected to: %s',
    async (url) => {
      const sent = await senderFor()(url);
      expect(sent).toMatchObject({ status: undefined, error: 'address_not_allowed' });
    },
  );

  it('is not connected to under a name, not even when another address of the name is allowed', async () => {
    const receiver = await startReceiver();
    const url = `http://two.example:${receiver.port}/`;
    for (const addresses of [
      ['127.0.0.1', '169.254.169.254'],
      ['10.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '::1'],
    ]) {
      const sent = await senderFor({ resolve: () => Promise.resolve(addresses) })(url);
      expect(sent).toMatchObject({ status: undefined, error: 'address_not_allowed' });
    }
    expect(receiver.connections()).toBe(0);
    const both = await senderFor({ resolve: () => Promise.resolve(['127.0.0.1', '127.0.0.2']) })(url);
    expect(both).toMatchObject({ status: 200 });
    expect(receiver.requests[0]?.headers.host).toBe(`two.example:${receiver.port}`);
  });

  it('is refused at every look-up: a name that changes gains nothing', async () => {
    const receiver = await startReceiver((_, response) =>
      response.writeHead(200, { connection: 'close' }).end(),
    );
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']];
    let lookups = 0;
    const send = senderFor({ resolve: () => Promise.resolve(answers[lookups++] ?? []) });
    const url = `http://changing.example:${receiver.port}/`;
    const errors = [await send(url), await send(url), await send(url), await send(url)].map(
      ({ error }) => error,
    );
    expect(errors).toEqual([undefined, 'address_not_allowed', undefined, 'name_not_resolved']);
    expect([lookups, receiver.requests.length]).toEqual([4, 2]);
  });

  it('is what the system says of localhost, unless it is allowed', async () => {
    const send = senderFor({ policy: createAddressPolicy([]), resolve: createNameResolver() });
    expect(await send('http://localhost:1/')).toMatchObject({ error: 'address_not_allowed' });
  });

  it('is told from a name that nobody knows', async () => {
    const sent = await senderFor({ resolve: createNameResolver() })('http://nobody.invalid/');
    expect(['name_not_resolved', 'connect_timeout']).toContain(sent.error);
  });
});
