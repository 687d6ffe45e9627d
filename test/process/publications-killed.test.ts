import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { numberedMenu } from '../harness/menu.js';
import { preparedFolder, startProcess, type ServiceProcess } from '../harness/process.js';

const KEY = 'operator-key-for-tests-0123456789abcdef';
const STORES = 30;
let dataDir: string;
let running: ServiceProcess | undefined;
beforeAll(async () => {
  dataDir = await preparedFolder();
});
afterAll(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended;
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ServiceProcess> {
  const settings = { COMANDA_DATA_DIR: dataDir, COMANDA_OPERATOR_KEY: KEY, COMANDA_RATE_LIMIT: 'off' };
  running = await startProcess(settings);
  await running.untilReady(60_000);
  return running;
}

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly stores: { store_id: string; result?: string; version?: number }[];
}

it(
  'after kill -9 in the middle of a publication at a set time, each store is published once',
  { timeout: 240_000 },
  async () => {
    const call = async <T>(path: string, body?: object) => {
      const request = { key: KEY, ...(body === undefined ? {} : { method: 'POST', body }) };
      return (await ask<T>(`${service.url}/manage/v1/${path}`, request)).body;
    };
    let service = await start();
    const { id: merchantId } = await call<{ id: string }>('merchants', { brand_name: 'Casa' });
    const ids: string[] = [];
    for (let i = 0; i < STORES; i += 1)
      ids.push(
        (await call<{ id: string }>('stores', { merchant_id: merchantId, name: { translations: {} } })).id,
      );
    const at = new Date(Date.now() + 2_000).toISOString();
    const made = await call<Shown>('menu/publications', {
      menu: numberedMenu(1, 300),
      store_ids: ids,
      at,
    });
    const read = () => call<Shown>(`menu/publications/${made.id}`);
    const countDone = async () => (await read()).stores.filter(({ result }) => result !== undefined).length;
    await expect.poll(countDone, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    const closed = once(service.child, 'close');
    service.child.kill('SIGKILL');
    await closed;

    service = await start();
    await expect.poll(async () => (await read()).status, { timeout: 120_000 }).toBe('done');
    const { stores } = await read();
    expect(stores.map(({ store_id, result, version }) => [store_id, result, version])).toEqual(
      ids.map((id) => [id, 'published', 1]),
    );
    for (const id of ids) {
      const { events } = await call<{ events: { data: object }[] }>(
        `stores/${id}/events?types=menu.published`,
      );
      expect(events.map(({ data }) => data)).toMatchObject([{ version: 1, publication_id: made.id }]);
    }
  },
);
