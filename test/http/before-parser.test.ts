import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Visitor, Visits } from '../../src/http/authentication.js';
import { answerBeforeParser } from '../../src/http/before-parser.js';
import { watchConnections } from '../../src/http/connections.js';
import type { ExpressOutcome } from '../../src/http/express-answers.js';

const VISIT = Promise.resolve({} as Visitor);

interface Door {
  readonly server: Server;
  readonly sent: string[];
  connect(): Socket;
  nextAccepted(): Promise<Socket>;
  /** The questions that wait for an outcome, oldest first. */
  readonly asked: ExpressOutcome[];
  /** Waits for a question, and takes it. */
  nextAsked(): Promise<ExpressOutcome>;
}

/** Node's server behind the door says `node <url>`, and whether it was given a visit; /ready… and /asked… are taken. */
async function open(options: ServerOptions = {}, body?: Buffer): Promise<Door> {
  const visits: Visits = new WeakMap();
  const asked: ExpressOutcome[] = [];
  const sent: string[] = [];
  const server = createServer(options, (request, response) => {
    response.end(`node ${request.url}${visits.get(request.socket) === VISIT ? ' with its visit' : ''};`);
  });
  answerBeforeParser(
    server,
    ({ url = '' }, outcome) => {
      if (url.startsWith('/asked')) asked.push(outcome);
      else if (url.startsWith('/ready')) queueMicrotask(() => answer(outcome, url, body));
      return /^\/(ready|asked)/.test(url);
    },
    visits,
  );
  const answer = (outcome: ExpressOutcome, url: string, bytes: Buffer = Buffer.from(`lane ${url};`)) => {
    const headers = ['content-length', String(bytes.length)];
    outcome.answer({ status: 200, headers, body: bytes }, () => sent.push(url));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = watchConnections(server);
  onTestFinished(() => {
    sockets.closeAll();
    server.close();
  });
  return {
    server,
    sent,
    asked,
    connect: () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined),
    nextAccepted: async () => {
      const [accepted] = (await once(server, 'connection')) as [Socket];
      return accepted;
    },
    nextAsked: async () => {
      await expect.poll(() => asked.length).toBeGreaterThan(0);
      return asked.shift() as ExpressOutcome;
    },
  };
}

const request = (url: string, ...headers: string[]) =>
  [`GET ${url} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');

/** Who answered what, in order. */
const bodies = (text: string) => [...text.matchAll(/\b(?:node|lane) [^;]*(?=;)/g)].map(([each]) => each);

/** Collects what comes, and waits for it. */
function listen(socket: Socket) {
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString('latin1')));
  return {
    until: async (count: number) => {
      await expect.poll(() => bodies(text).length).toBe(count);
      return bodies(text);
    },
  };
}

const ready = (body: string) => ({
  status: 200,
  headers: ['content-length', String(body.length)],
  body: Buffer.from(body),
});
const unnoted = () => undefined;

describe('a connection', () => {
  it('is answered on before the parser up to the first request that is not, then by Node', async () => {
    const door = await open();
    const socket = door.connect();
    const heard = listen(socket);
    const urls = ['/ready/1', '/ready/2', '/other', '/ready/3'];
    for (const [at, url] of urls.entries()) {
      socket.write(request(url));
      await heard.until(at + 1);
    }
    expect(await heard.until(4)).toEqual(['lane /ready/1', 'lane /ready/2', 'node /other', 'node /ready/3']);
    expect(door.sent).toEqual(['/ready/1', '/ready/2']);
  });

  it('goes to Node with what was learned when there is no answer after all', async () => {
    const door = await open();
    const socket = door.connect();
    socket.write(request('/asked'));
    (await door.nextAsked()).goOn(VISIT);
    expect(await listen(socket).until(1)).toEqual(['node /asked with its visit']);
  });

  it('keeps the order of requests that did not wait for their answers', async () => {
    const door = await open();
    const together = door.connect();
    together.write(request('/ready/1') + request('/other') + request('/ready/2'));
    expect(await listen(together).until(3)).toEqual(['node /ready/1', 'node /other', 'node /ready/2']);

    const after = door.connect();
    const accepted = await door.nextAccepted();
    after.write(request('/asked'));
    const question = await door.nextAsked();
    const waiting = accepted.readableLength;
    after.write(request('/other') + request('/ready/2'));
    await expect.poll(() => accepted.readableLength).toBeGreaterThan(waiting);
    question.answer(ready('lane /asked;'), unnoted);
    expect(await listen(after).until(3)).toEqual(['lane /asked', 'node /other', 'node /ready/2']);
  });

  it('brings its request in pieces', async () => {
    const door = await open();
    const whole = request('/ready');
    for (const cut of [1, 3, 20, whole.length - 1]) {
      const socket = door.connect();
      const heard = listen(socket);
      socket.write(whole.slice(0, cut));
      await once(socket, 'connect');
      await new Promise((resolve) => setTimeout(resolve, 30));
      socket.write(whole.slice(cut));
      expect((await heard.until(1))[0]).toContain('/ready');
    }
  });

  it('may be half closed with the request', async () => {
    const door = await open();
    for (const url of ['/ready', '/other']) {
      const socket = door.connect();
      socket.end(request(url));
      expect(bodies(await readAll(socket))).toHaveLength(1);
    }
    for (const goesOn of [true, false]) {
      const socket = door.connect();
      socket.end(request('/asked'));
      const question = await door.nextAsked();
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (goesOn) question.goOn(VISIT);
      else question.answer(ready('lane /asked;'), unnoted);
      expect(bodies(await readAll(socket))).toEqual([goesOn ? 'node /asked with its visit' : 'lane /asked']);
    }
  });

  it('may be gone before the outcome', async () => {
    const door = await open();
    for (const goesOn of [true, false]) {
      const socket = door.connect();
      const accepted = await door.nextAccepted();
      const isClosed = new Promise((resolve) => accepted.once('close', resolve));
      socket.write(request('/asked'));
      const question = await door.nextAsked();
      socket.resetAndDestroy();
      await isClosed;
      if (goesOn) question.goOn(VISIT);
      else question.answer(ready('lane /asked;'), unnoted);
    }
    const socket = door.connect();
    socket.write(request('/ready'));
    expect(await listen(socket).until(1)).toEqual(['lane /ready']);
  });

  it('that nobody reads from is not asked for more until it is', async () => {
    const body = Buffer.alloc(30 * 1024 * 1024, 'x');
    const door = await open({}, body);
    const socket = door.connect().pause();
    socket.write(request('/ready'));
    const accepted = await door.nextAccepted();
    await expect.poll(() => accepted.writableLength).toBeGreaterThan(0);
    socket.write(request('/asked'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([door.asked.length, door.sent]).toEqual([0, []]);

    let received = 0;
    socket.on('data', (bytes) => (received += bytes.length)).resume();
    (await door.nextAsked()).answer(ready('end'), unnoted);
    await expect.poll(() => received).toBeGreaterThan(body.length);
    expect(door.sent).toEqual(['/ready']);
  });

  it('is Node’s when it stays silent, which ends it in words', async () => {
    const door = await open({ headersTimeout: 200, connectionsCheckingInterval: 50 });
    expect(await readAll(door.connect())).toContain('408');
  });

  it('that rests after an answer is closed without a word, later than it was promised', async () => {
    const door = await open({ keepAliveTimeout: 1_000 });
    const socket = door.connect();
    const begun = performance.now();
    socket.write(request('/ready'));
    const text = await readAll(socket);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*keep-alive: timeout=1\r\n.*lane \/ready;$/is);
    expect(performance.now() - begun).toBeGreaterThan(1_900);
  });

  it('is spared by the closing of idle ones while its request is asked about, not longer', async () => {
    const door = await open();
    const connections = watchConnections(door.server);
    const socket = door.connect();
    const text = readAll(socket);
    socket.write(request('/asked'));
    const question = await door.nextAsked();
    connections.closeIdle();
    question.answer(ready('lane /asked;'), unnoted);
    const closing = setInterval(connections.closeIdle, 20);
    onTestFinished(() => clearInterval(closing));
    expect(bodies(await text)).toEqual(['lane /asked']);
  });
});
