import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants, createBrotliDecompress, createGunzip, gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { orderRequest } from '../harness/orders.js';
import { startService, useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService({ menuBytes: 100_000, jsonBytes: 100_000 });

const MEBIBYTE = 1024 * 1024;
const UNPACKED = 512 * MEBIBYTE;
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const gzipBomb = () => {
  const member = gzipSync(Buffer.alloc(16 * MEBIBYTE));
  return Buffer.concat(Array.from({ length: UNPACKED / MEBIBYTE / 16 }, () => member));
};
const brotliBomb = () => brotliCompressSync(Buffer.alloc(UNPACKED), fastBrotli);

const cpuMilliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** What it costs to unpack the whole body, on this machine and at this moment. */
async function costOfUnpacking(coding: string, packed: Buffer) {
  const [startedAt, cpuBefore] = [performance.now(), cpuMilliseconds()];
  const unpacker = coding === 'br' ? createBrotliDecompress() : createGunzip();
  unpacker.end(packed);
  await finished(unpacker.resume());
  return { time: performance.now() - startedAt, cpu: cpuMilliseconds() - cpuBefore };
}

it.each<[string, () => Buffer]>([
  ['gzip', gzipBomb],
  ['br', brotliBomb],
])(
  'unpacks no more of a %s body than it takes to refuse it',
  async (coding, pack) => {
    const body = pack();
    const whole = await costOfUnpacking(coding, body);
    const cpuBefore = cpuMilliseconds();
    const answer = await ask(`${service.url}/manage/v1/merchants`, {
      method: 'POST',
      key: service.operatorKey,
      body,
      headers: { 'content-encoding': coding },
    });
    expect(answer.status).toBe(413);
    await delay(whole.time);
    expect(cpuMilliseconds() - cpuBefore).toBeLessThan(whole.cpu / 2);
  },
  60_000,
);

const tooMuch = Buffer.alloc(4 * MEBIBYTE, 'no backup\n');
const hardToPack = randomBytes(4 * MEBIBYTE);

/** The statuses of a request with this body and of the next one on its connection. */
async function statusesOfTwo(url: string, key: string, path: string, coding: string, body: Buffer) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answers = text(socket);
  const type = path === 'merchants' ? 'application/json' : 'application/x-ndjson';
  socket.write(
    `POST /manage/v1/${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: ${type}\r\n` +
      `content-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(body);
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  return [...(await answers).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

it.each<[string, string, string, Buffer, number]>([
  ['a body', 'merchants', 'identity', tooMuch, 413],
  ['a compressed body', 'merchants', 'gzip', gzipSync(hardToPack), 413],
  ['an archive', 'restore', 'identity', tooMuch, 422],
  ['a compressed archive', 'restore', 'gzip', gzipSync(Buffer.concat([tooMuch, hardToPack])), 422],
])(
  'takes the next request on a connection that brought %s it refused',
  async (_what, path, coding, body, status) => {
    expect(await statusesOfTwo(service.url, service.operatorKey, path, coding, body)).toEqual([status, 200]);
  },
);

it.each(['identity', 'gzip'])('takes the next request after an import that failed (%s)', async (coding) => {
  const broken = await startService();
  onTestFinished(() => broken.stop());
  const { storeId } = await createTenant(broken);
  await broken.db.query({ name: 'break', text: 'ALTER TABLE orders RENAME TO orders_elsewhere' });
  const line = `${JSON.stringify({ store_id: storeId, ...orderRequest() })}\n`;
  const lines = Buffer.from(line.repeat(20_000));
  const body = coding === 'gzip' ? gzipSync(Buffer.concat([lines, hardToPack])) : lines;
  expect(await statusesOfTwo(broken.url, broken.operatorKey, 'orders/import', coding, body)).toEqual([
    503, 200,
  ]);
});

/** Cut in the middle, damaged in the middle, with bytes after its end, of another coding, and no coding at all. */
function damagedBodies(): [string, string, Buffer][] {
  const lines = Buffer.from('{"a line": "of something"}\n'.repeat(5_000));
  const [gzip, br] = [gzipSync(lines), brotliCompressSync(lines, fastBrotli)];
  const damaged = (whole: Buffer) => Buffer.from(whole.map((byte, i) => (i === 20 ? byte ^ 0xff : byte)));
  return [
    ['gzip', 'cut off', gzip.subarray(0, gzip.length / 2)],
    ['gzip', 'damaged', damaged(gzip)],
    ['gzip', 'with bytes after its end', Buffer.concat([gzip, Buffer.from('more')])],
    ['gzip', 'really br', br],
    ['br', 'cut off', br.subarray(0, br.length / 2)],
    ['br', 'damaged', damaged(br)],
    ['br', 'with bytes after its end', Buffer.concat([br, Buffer.from('more')])],
    ['br', 'really gzip', gzip],
    ['br', 'really plain', lines],
  ];
}

it.each(['restore', 'orders/import', 'merchants'])(
  'survives a damaged compressed body, wherever it breaks (%s)',
  async (path) => {
    for (const [coding, what, body] of damagedBodies()) {
      const [status, next] = await statusesOfTwo(service.url, service.operatorKey, path, coding, body);
      // Lines before the damage may have been looked at already.
      expect([200, 413, 422], `${coding} ${what}`).toContain(status);
      expect(next, `${coding} ${what}`).toBe(200);
    }
  },
);

it.each<[string, (whole: Buffer) => Buffer]>([
  ['gzip', (whole) => gzipSync(whole)],
  ['br', (whole) => brotliCompressSync(whole)],
])('refuses a %s body with bytes after its end, wherever they come', async (coding, pack) => {
  const packed = pack(Buffer.from('{"brand_name": "Whole"}'));
  const more = Buffer.from('more');
  const send = (body: Buffer | ReadableStream) =>
    fetch(`${service.url}/manage/v1/merchants`, {
      method: 'POST',
      headers: {
        'x-api-key': service.operatorKey,
        'content-type': 'application/json',
        'content-encoding': coding,
      },
      body,
      duplex: 'half',
    });
  const apart = async function* () {
    yield packed;
    await delay(50);
    yield more;
  };
  expect((await send(packed)).status).toBe(201);
  expect((await send(Buffer.concat([packed, more]))).status).toBe(422);
  expect((await send(ReadableStream.from(apart()))).status).toBe(422);
});

it('refuses a flood of small values before it is parsed', async () => {
  const roomy = await service.replica({});
  onTestFinished(() => roomy.stop());
  const flood = gzipSync(`{"brand_name":[${'{},'.repeat(300_000)}{}]}`);
  const { status, body } = await ask<{ detail: unknown }>(`${roomy.url}/manage/v1/merchants`, {
    method: 'POST',
    key: service.operatorKey,
    body: flood,
    headers: { 'content-encoding': 'gzip' },
  });
  expect([status, body.detail]).toEqual([
    422,
    [
      {
        loc: ['body', expect.any(Number)],
        msg: 'JSON decode error',
        type: 'json_invalid',
        input: {},
        ctx: { error: 'More than 100000 values', line: 1, column: expect.any(Number) as number },
      },
    ],
  ]);
});
