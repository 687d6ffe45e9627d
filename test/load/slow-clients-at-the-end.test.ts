import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { menuClient, numberedMenu } from '../harness/menu.js';
import { startService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const CONNECTIONS = 3_000;
/** What an answer that is being made may take; clients that are waited for would take as long. */
const LONGEST_ANSWER_MS = 30_000;

it('ends soon, however many slow clients are connected', { timeout: 120_000 }, async () => {
  const service = await startService({ requestSeconds: 600 });
  const { storeId, key } = await createTenant(service);
  const port = Number(new URL(service.url).port);
  const head = (line: string, auth = key) =>
    `${line} HTTP/1.1\r\nhost: x\r\nx-api-key: ${auth}\r\ncontent-type: application/json\r\n`;
  const body = 'content-length: 1000\r\n\r\n{';
  const kinds = [
    'GET /v1/stores/ HTTP/1.1\r\nhost:',
    head(`POST /manage/v1/stores/${storeId}/orders`) + body,
    head(`POST /v1/stores/${storeId}/menu_configuration/`) + body,
    head(`POST /manage/v1/stores/${storeId}/orders`, 'made-up') + body,
  ];
  // Seventeen megabytes: more than the buffers between here and there take.
  const menu = numberedMenu(1, 400);
  const items = menu.items.map((one) => ({ ...one, ingredients: 'the same words, '.repeat(150) }));
  expect((await menuClient(service, { storeId, key }).post({ ...menu, items })).status).toBe(200);
  const unread = `${head(`GET /v1/stores/${storeId}/menu_configuration/flat`)}\r\n`.repeat(17);
  const sockets: Socket[] = [];
  for (let nth = 0; nth < CONNECTIONS; nth += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    socket.write(nth % 1_000 === 0 ? unread : (kinds[nth % kinds.length] ?? ''));
    sockets.push(socket);
    if (nth % 250 === 249) await once(socket, 'connect');
  }
  for (const [nth, socket] of sockets.entries()) if (nth % 1_000 === 0) await once(socket, 'readable');
  const begun = performance.now();
  await service.stop();
  expect(performance.now() - begun).toBeLessThan(LONGEST_ANSWER_MS * 0.8);
  for (const socket of sockets) socket.destroy();
});

it('leaves an answer that is read, and a body that comes, to their end', { timeout: 60_000 }, async () => {
  const service = await startService();
  const { key } = await createTenant(service);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(
    `POST /manage/v1/orders/import HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/x-ndjson\r\n` +
      'expect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
  await expect.poll(() => received, { timeout: 20_000 }).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  const blank = `${(64 * 1024).toString(16)}\r\n${'\n'.repeat(64 * 1024)}\r\n`;
  socket.write(blank);
  const sending = setInterval(() => socket.write(blank), 50);
  const stopped = service.stop();
  // Longer than it takes to tell that a client is slow.
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  clearInterval(sending);
  socket.write('0\r\n\r\n');
  await stopped;
  expect(received).toMatch(/^HTTP\/1\.1 200 /m);
  socket.destroy();
});
