import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants, createBrotliDecompress, createGunzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { orderRequest } from '../harness/orders.js';
import { startService, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ bodyBytes: 100_000, jsonBytes: 100_000 });
});
afterAll(() => service.stop());

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
    500, 200,
  ]);
});
