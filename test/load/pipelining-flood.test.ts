import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { folderForTest, startForTest, type ServiceProcess } from '../harness/process.js';

const CONNECTIONS = 300;
const FLOOD_MS = 5_000;
const MAX_MB = 600;

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Keeps its connections open, reads nothing, and opens another one for each that is cut. */
function flood({ url }: ServiceProcess, requests: string) {
  const sockets = new Set<Socket>();
  let isOver = false;
  let cut = 0;
  const open = () => {
    if (isOver) return;
    // Nobody listens for data: the socket notices its end, and stops reading once its small buffer is full.
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      cut += 1;
      setTimeout(open, 50);
    });
    socket.write(requests);
  };
  const stop = () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(stop);
  for (let nth = 0; nth < CONNECTIONS; nth += 1) open();
  return { stop, cut: () => cut };
}

async function peakMegabytes({ child }: ServiceProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

it.runIf(process.platform === 'linux')(
  'stays up, within its memory, under connections that pipeline and read nothing',
  async () => {
    const folder = await folderForTest();
    const service = await startForTest({ COMANDA_DATA_DIR: folder });
    await service.untilReady();
    const key = (await readFile(join(folder, 'operator.key'), 'utf8')).trim();

    const tooMany = flood(service, get('/healthz').repeat(500));
    const unread = flood(service, get('/openapi.json').repeat(16));
    await delay(FLOOD_MS);
    await expect.poll(tooMany.cut, { timeout: 30_000 }).toBeGreaterThan(CONNECTIONS);
    expect(unread.cut()).toBe(0);
    tooMany.stop();
    unread.stop();

    const created = await ask(`${service.url}/manage/v1/merchants`, {
      method: 'POST',
      key,
      body: { brand_name: 'Still here' },
    });
    expect(created.status).toBe(201);
    expect(service.child.exitCode).toBeNull();
    expect(await peakMegabytes(service)).toBeLessThan(MAX_MB);
  },
);
