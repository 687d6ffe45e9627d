import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import {
  folderForTest,
  preparedFolder,
  startForTest,
  untilStatus,
  type ServiceProcess,
} from '../harness/process.js';

const portOf = ({ url }: ServiceProcess) => Number(new URL(url).port);

async function isListening(service: ServiceProcess): Promise<boolean> {
  const socket = connect(portOf(service), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A write whose head the service has taken and whose body it waits for. */
async function beginMerchant(service: ServiceProcess, key: string, brand_name: string) {
  const body = JSON.stringify({ brand_name });
  const socket = connect(portOf(service), '127.0.0.1');
  let received = '';
  socket.on('data', (piece: Buffer) => (received += piece.toString()));
  // A connection that is cut shows in what was received.
  socket.on('error', () => undefined);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    [
      'POST /manage/v1/merchants HTTP/1.1',
      'host: x',
      `x-api-key: ${key}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  );
  await expect.poll(() => received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  return async () => {
    socket.write(body);
    await ended;
    return Number(/^HTTP\/1\.1 (?!100)(\d+)/m.exec(received)?.[1] ?? 0);
  };
}

const keyOf = async (folder: string) => (await readFile(join(folder, 'operator.key'), 'utf8')).trim();
const createMerchant = async (url: string, key: string, brand_name: string) =>
  (await ask(`${url}/manage/v1/merchants`, { method: 'POST', key, body: { brand_name } })).status;
const brandsOf = async (url: string, key: string) =>
  (await ask<{ brand_name: string }[]>(`${url}/v1/merchants/?limit=1000`, { key })).body.map(
    ({ brand_name }) => brand_name,
  );

describe('a service with the bundled database', () => {
  it('makes an operator key that its owner alone can read', async () => {
    const folder = await folderForTest();
    const service = await startForTest({ COMANDA_DATA_DIR: folder });
    await service.untilReady();
    expect((await stat(join(folder, 'operator.key'))).mode & 0o777).toBe(0o600);
    expect(await createMerchant(service.url, await keyOf(folder), 'A')).toBe(201);
    expect(service.output()).not.toContain(await keyOf(folder));
  });

  it('loses nothing that was acknowledged when it is killed, and starts again', async () => {
    const folder = await folderForTest(preparedFolder);
    const first = await startForTest({ COMANDA_DATA_DIR: folder });
    await first.untilReady();
    const key = await keyOf(folder);
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let i = 0; ; i += 1) {
        const brand = `brand ${i}`;
        const status = await createMerchant(first.url, key, brand).catch(() => 0);
        if (status !== 201) return;
        acknowledged.push(brand);
        if (i === 30) first.child.kill('SIGKILL');
      }
    })();
    await writing;
    expect(await first.ended).toBe('SIGKILL');
    const second = await startForTest({ COMANDA_DATA_DIR: folder });
    await second.untilReady();
    expect(acknowledged.length).toBeGreaterThan(30);
    expect(await brandsOf(second.url, key)).toEqual(expect.arrayContaining(acknowledged));
  });

  it('turns a second service on the same folder away and names the first', async () => {
    const folder = await folderForTest(preparedFolder);
    const first = await startForTest({ COMANDA_DATA_DIR: folder });
    await first.untilReady();
    const second = await startForTest({ COMANDA_DATA_DIR: folder });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(String(first.child.pid));
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'answers what has begun before it ends by %s, and a second signal changes nothing',
    async (signal) => {
      const folder = await folderForTest(preparedFolder);
      const service = await startForTest({ COMANDA_DATA_DIR: folder });
      await service.untilReady();
      const key = await keyOf(folder);
      const finishes = await Promise.all(
        Array.from({ length: 5 }, (_, i) => beginMerchant(service, key, `late ${i}`)),
      );
      service.child.kill(signal);
      await expect.poll(() => isListening(service)).toBe(false);
      for (const again of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) service.child.kill(again);
      expect(await Promise.all(finishes.map((finish) => finish()))).toEqual([201, 201, 201, 201, 201]);
      expect(await service.ended).toBe(0);
      const next = await startForTest({ COMANDA_DATA_DIR: folder });
      await next.untilReady();
      expect(await brandsOf(next.url, key)).toHaveLength(5);
    },
  );

  it('drains by default where requests come through a proxy, and ends at once where none has', async () => {
    const folder = await folderForTest(preparedFolder);
    for (const headers of [{ 'x-forwarded-for': '192.0.2.1' }, undefined]) {
      const service = await startForTest({ COMANDA_DATA_DIR: folder });
      await service.untilReady();
      expect((await fetch(`${service.url}/healthz`, headers && { headers })).status).toBe(200);
      service.child.kill('SIGTERM');
      // Still answered, and it says that it is about to end.
      if (headers !== undefined) await untilStatus(`${service.url}/readyz`, 503);
      expect(await service.ended).toBe(0);
    }
  });

  it('does not wait for connections that have brought no request, or half of one', async () => {
    const folder = await folderForTest(preparedFolder);
    const service = await startForTest({ COMANDA_DATA_DIR: folder });
    await service.untilReady();
    const key = await keyOf(folder);
    const halfABody = `POST /manage/v1/merchants HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`;
    const sockets = ['', 'GET /healthz HTTP/1.1\r\nHo', halfABody].map((head) => {
      const socket = connect(portOf(service), '127.0.0.1').on('error', () => undefined);
      socket.write(head);
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await untilStatus(`${service.url}/readyz`, 200);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('makes no database when the port is taken', async () => {
    const first = await startForTest({ COMANDA_DATA_DIR: await folderForTest(preparedFolder) });
    await first.untilReady();
    const folder = await folderForTest();
    const second = await startForTest({ COMANDA_DATA_DIR: folder, PORT: String(portOf(first)) });
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(
      `Comanda did not start.\nPORT ${portOf(first)} on 127.0.0.1 is in use: Comanda is already running there. ` +
        'Use that one, stop it, or set PORT to a free port.\n',
    );
    expect(await readdir(folder)).toEqual([]);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });
});

describe('the log without a terminal', () => {
  it('is JSON, or text for people if asked', async () => {
    const json = await startForTest({ COMANDA_DATA_DIR: await folderForTest() });
    const text = await startForTest({ COMANDA_DATA_DIR: await folderForTest(), COMANDA_LOG_FORMAT: 'text' });
    const lines = ({ output }: typeof json) =>
      output()
        .split('\n')
        .filter((line) => line !== '');
    await expect.poll(() => lines(json).at(-1)).toContain('"msg":"Comanda is ready on ');
    for (const line of lines(json)) expect(JSON.parse(line)).toHaveProperty('msg');
    await expect.poll(() => lines(text).at(-1)).toBe('  Stop      Ctrl-C');
    expect(text.output()).toContain(`  API       ${text.url}/v1\n`);
    expect(text.output()).not.toMatch(/^\{/m);
  });
});

describe('a wrong setting', () => {
  it('stops the start with a sentence', async () => {
    const service = await startForTest({ LOG_LEVEL: 'loud' });
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain('LOG_LEVEL is "loud"; expected');
  });
});
