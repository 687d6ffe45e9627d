import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService, type Service } from '../harness/service.js';

const service = await useService({ menuBytes: 100_000, jsonBytes: 100_000 });
const hasty = await service.replica({ menuBytes: 100_000, jsonBytes: 100_000, requestSeconds: 1 });

const post = (body: unknown, headers: Record<string, string> = {}) =>
  ask<{ detail: { type: string; loc: unknown[] }[] }>(`${service.url}/manage/v1/merchants`, {
    method: 'POST',
    key: service.operatorKey,
    body,
    headers,
  });

const connectTo = ({ url }: Service) => connect(Number(new URL(url).port), '127.0.0.1');

const raw = (...parts: (string | number)[]) => rawTo(service, ...parts);

async function rawTo(where: Service, ...parts: (string | number)[]): Promise<string> {
  const socket = connectTo(where);
  const answer = readAll(socket);
  for (const part of parts) {
    if (typeof part === 'number') await delay(part);
    else socket.write(part);
  }
  return answer;
}

/** Sends a space now and then for as long as there is no answer. */
async function drip(where: Service, head: string): Promise<string> {
  const socket = connectTo(where);
  let answer = '';
  socket.write(head);
  const drops = setInterval(() => socket.write(' '), 200);
  socket.on('data', (piece: Buffer) => {
    clearInterval(drops);
    answer += piece.toString();
  });
  // A drop that meets a connection already closed takes nothing from the answer.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drops);
  return answer;
}

const statusOf = (answer: string) => Number(answer.split(' ')[1]);
const detailOf = (answer: string) =>
  (JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { detail: unknown }).detail;

describe('bodies', () => {
  it.each<[string, unknown, Record<string, string>, number]>([
    ['no JSON type', '{"brand_name":"x"}', { 'content-type': 'text/plain' }, 415],
    ['a type that is none', '{"brand_name":"x"}', { 'content-type': 'nonsense' }, 415],
    ['an unknown coding', '{"brand_name":"x"}', { 'content-encoding': 'zstd' }, 415],
    ['too many bytes', JSON.stringify({ brand_name: 'x'.repeat(100_000) }), {}, 413],
    ['too many bytes once unpacked', gzipSync(' '.repeat(200_000)), { 'content-encoding': 'gzip' }, 413],
  ])('refuses %s', async (_what, body, headers, status) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.body]).toEqual([status, { detail: expect.any(String) as string }]);
  });

  it.each<[string, unknown, Record<string, string>]>([
    [
      'application/vnd.api+json',
      '{"brand_name":"x"}',
      { 'content-type': 'application/vnd.api+json; charset=utf-8' },
    ],
    ['gzip', gzipSync('{"brand_name":"x"}'), { 'content-encoding': 'gzip' }],
    ['br', brotliCompressSync('{"brand_name":"x"}'), { 'content-encoding': 'br' }],
    ['a byte order mark', '\ufeff{"brand_name":"x"}', {}],
    ['a duplicate key, the last one counting', '{"brand_name":1,"brand_name":"x"}', {}],
  ])('takes %s', async (_what, body, headers) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.body]).toMatchObject([201, { brand_name: 'x' }]);
  });

  it.each<[string, unknown, Record<string, string>, string, unknown[]]>([
    ['no body', '', {}, 'missing', ['body']],
    ['__proto__', '{"brand_name":"x","__proto__":{"a":1}}', {}, 'extra_forbidden', ['body', '__proto__']],
    ['constructor', '{"brand_name":"x","constructor":1}', {}, 'extra_forbidden', ['body', 'constructor']],
    ['null', 'null', {}, 'missing', ['body']],
    ['a list', '[]', {}, 'model_attributes_type', ['body']],
    ['broken JSON', '{"brand_name":}', {}, 'json_invalid', ['body', 14]],
    [
      'invalid UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      {},
      'json_invalid',
      ['body', 2],
    ],
    ['deep nesting', `{"brand_name":${'['.repeat(40)}${']'.repeat(40)}}`, {}, 'json_invalid', ['body', 45]],
    ['damaged gzip', Buffer.from('no gzip'), { 'content-encoding': 'gzip' }, 'json_invalid', ['body', 0]],
    [
      'cut-off gzip',
      gzipSync('{"brand_name":"x"}').subarray(0, 20),
      { 'content-encoding': 'gzip' },
      'json_invalid',
      ['body', 0],
    ],
    ['a NUL', '{"brand_name":"a\\u0000"}', {}, 'string_unicode', ['body', 'brand_name']],
    ['a lone surrogate', '{"brand_name":"\\ud800"}', {}, 'string_unicode', ['body', 'brand_name']],
    ['an empty name', '{"brand_name":""}', {}, 'string_too_short', ['body', 'brand_name']],
    ['a missing name', '{}', {}, 'missing', ['body', 'brand_name']],
  ])('refuses %s with 422', async (_what, body, headers, type, loc) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ type, loc }] }]);
  });

  it('echoes no half of a character, wherever it stands', async () => {
    for (const sent of ['["\\ud800x"]', '{"\\udc00":"a\\\\ud800"}', '"\\ud83d"']) {
      const answer = await fetch(`${service.url}/manage/v1/merchants`, {
        method: 'POST',
        headers: { 'x-api-key': service.operatorKey, 'content-type': 'application/json' },
        body: `{"brand_name":${sent}}`,
      });
      const text = await answer.text();
      expect([answer.status, text.includes('\ufffd')]).toEqual([422, true]);
      const { detail } = JSON.parse(text) as { detail: unknown[] };
      expect(JSON.stringify(detail)).not.toMatch(/(?<!\\)\\ud/);
      if (sent.includes('a\\\\')) expect(detail).toMatchObject([{ input: { '\ufffd': 'a\\ud800' } }]);
    }
  });

  it('looks at the body last', async () => {
    const answer = await ask(`${service.url}/manage/v1/stores/nope`, {
      method: 'PATCH',
      key: service.operatorKey,
      body: '{{{',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(404);
  });
});

describe('before there is a request', () => {
  it('answers 431 to a head that is too long', async () => {
    const answer = await raw(`GET /healthz HTTP/1.1\r\nhost: x\r\n`, `a: ${'b'.repeat(20_000)}\r\n\r\n`);
    expect([statusOf(answer), detailOf(answer)]).toEqual([431, 'Request Header Fields Too Large']);
    expect(answer).toMatch(/x-request-id: ./);
  });

  it.each([9_000, 20_000])('answers 414 to a path of %i characters', async (length) => {
    const answer = await raw(
      `GET /v1/stores/${'x'.repeat(length)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    );
    expect([statusOf(answer), detailOf(answer)]).toEqual([414, 'URI Too Long']);
  });

  it('answers 400 to what is not HTTP', async () => {
    const answer = await raw('nonsense\r\n\r\n');
    expect([statusOf(answer), detailOf(answer)]).toEqual([400, 'Bad Request']);
  });

  it.each([
    ['a missing host', '', 400],
    ['an expectation it cannot meet', 'host: x\r\nexpect: miracles\r\n', 417],
  ])('answers %s with our body', async (_what, headers, status) => {
    const answer = await raw(`GET /healthz HTTP/1.1\r\n${headers}connection: close\r\n\r\n`);
    expect([statusOf(answer), detailOf(answer)]).toEqual([status, expect.any(String)]);
  });

  it('refuses two keys of idempotency, of which either could be meant', async () => {
    const answer = await raw(
      `POST /manage/v1/merchants HTTP/1.1\r\nhost: x\r\nx-api-key: ${service.operatorKey}\r\nconnection: close\r\n`,
      'content-type: application/json\r\ncontent-length: 18\r\nidempotency-key: a\r\nidempotency-key: b\r\n\r\n{"brand_name":"x"}',
    );
    expect([statusOf(answer), detailOf(answer)]).toMatchObject([
      422,
      [{ loc: ['header', 'Idempotency-Key'], msg: 'Value error, sent more than once', type: 'value_error' }],
    ]);
  });

  const good = (...headers: string[]) =>
    ['GET /v1/merchants/ HTTP/1.1', 'host: x', `x-api-key: ${service.operatorKey}`, ...headers, '', ''].join(
      '\r\n',
    );

  it.each([
    ['what is not HTTP', 'GARBAGE\r\n\r\n', 400],
    ['an expectation', 'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: foo\r\n\r\n', 417],
    ['CONNECT', 'CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ['a long head', `GET /healthz HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`, 431],
  ])('answers what came first before it refuses %s', async (_what, bad, status) => {
    const answers = (await raw(good() + good() + bad)).match(/HTTP\/1\.1 \d+/g);
    expect(answers).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', `HTTP/1.1 ${status}`]);
  });

  it('answers the last request of a connection whatever follows it', async () => {
    expect(statusOf(await raw(`${good('connection: close')}GARBAGE\r\n\r\n`))).toBe(200);
  });

  it('refuses a body that breaks off in nonsense, and does not wait until it is too late', async () => {
    const head = `POST /manage/v1/merchants HTTP/1.1\r\nhost: x\r\nx-api-key: ${service.operatorKey}\r\n`;
    const answer = await raw(
      `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
      50,
      'ZZ\r\n',
    );
    expect(statusOf(answer)).toBe(400);
  });

  it.each(['host: y', 'HOST: x'])('refuses a second host: %s', async (second) => {
    expect(statusOf(await raw(good(second, 'connection: close')))).toBe(400);
  });

  it.each(['a b', 'a/c', 'u@h'])('refuses the host %s', async (host) => {
    const answer = await raw(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    expect([statusOf(answer), detailOf(answer)]).toEqual([400, 'The Host header is invalid']);
  });

  it('dates every answer', async () => {
    expect(await raw('GARBAGE\r\n\r\n')).toMatch(/\r\ndate: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/);
  });

  it('answers 408 to a head that does not come to its end', async () => {
    const answer = await rawTo(hasty, 'GET /healthz HTTP/1.1\r\nhost: x\r\n');
    expect([statusOf(answer), detailOf(answer)]).toEqual([408, 'Request Timeout']);
  });

  it('answers 408 to a body that does not come to its end, also drop by drop', async () => {
    const head = `POST /manage/v1/merchants HTTP/1.1\r\nhost: x\r\nx-api-key: ${hasty.operatorKey}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`;
    for (const answer of [await rawTo(hasty, head), await drip(hasty, head)])
      expect([statusOf(answer), detailOf(answer)]).toEqual([408, 'Request Timeout']);
  });

  it('does not wait for ever for the body of a request that was refused', async () => {
    const head = 'POST /manage/v1/merchants HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{';
    expect(statusOf(await rawTo(hasty, head))).toBe(401);
  });
});

it('lets a client that sends too much read why', async () => {
  const answer = await post('x'.repeat(5_000_000));
  expect(answer.status).toBe(413);
});

it('keeps a caller’s request id when it is harmless', async () => {
  const given = await ask(`${service.url}/healthz`, { headers: { 'x-request-id': 'till-7.42' } });
  expect(given.headers.get('x-request-id')).toBe('till-7.42');
  const odd = await ask(`${service.url}/healthz`, { headers: { 'x-request-id': 'a b;c' } });
  expect(odd.headers.get('x-request-id')).not.toBe('a b;c');
});

it('sees a second key behind a thousand headers', async () => {
  const key = `x-api-key: ${service.operatorKey}\r\n`;
  const answer = await raw(
    `GET /v1/merchants/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${key}${'a: \r\n'.repeat(1100)}${key}\r\n`,
  );
  expect([statusOf(answer), detailOf(answer)]).toEqual([401, 'Invalid API key']);
});

it('answers CONNECT like any other method it does not have', async () => {
  const answer = await raw('CONNECT a:1 HTTP/1.1\r\nhost: x\r\n\r\n');
  expect([statusOf(answer), detailOf(answer)]).toEqual([405, 'Method Not Allowed']);
});
