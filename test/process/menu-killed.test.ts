import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { itemsOf, menuClient, numberedMenu } from '../harness/menu.js';
import { preparedFolder, startProcess, type ServiceProcess } from '../harness/process.js';

const KEY = 'operator-key-for-tests-0123456789abcdef';
const ITEMS = 400;
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
  const service = await startProcess(settings);
  running = service;
  await service.untilReady(60_000);
  return service;
}

async function createStore({ url }: ServiceProcess): Promise<string> {
  const create = async (noun: string, body: object) =>
    (await ask<{ id: string }>(`${url}/manage/v1/${noun}`, { method: 'POST', key: KEY, body })).body.id;
  const merchantId = await create('merchants', { brand_name: 'Casa' });
  return create('stores', { merchant_id: merchantId, name: { translations: {} } });
}

it(
  'after kill -9 in the middle of publications the menu is one of them, whole, and none that was answered is lost',
  { timeout: 180_000 },
  async () => {
    let service = await start();
    const storeId = await createStore(service);
    let lastAnswered = 0;
    for (let round = 0; round < 3; round += 1) {
      const progress = { isOver: false, next: lastAnswered + 1 };
      const store = menuClient(service, { storeId, key: KEY });
      const posting = (async () => {
        while (!progress.isOver) {
          const number = (progress.next += 1);
          const answer = await store.post(numberedMenu(number, ITEMS)).catch(() => undefined);
          if (answer?.status !== 200) return;
          lastAnswered = number;
        }
      })();
      const before = lastAnswered;
      await expect.poll(() => lastAnswered, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before);
      await delay(100 + round * 43);
      const closed = once(service.child, 'close');
      service.child.kill('SIGKILL');
      progress.isOver = true;
      await Promise.all([posting, closed]);

      service = await start();
      const found = menuClient(service, { storeId, key: KEY });
      const items = itemsOf(await found.tree());
      const prices = new Set(items.map(({ price }) => price));
      expect(prices.size).toBeLessThanOrEqual(1);
      const [price = 0] = prices;
      expect(price).toBeGreaterThanOrEqual(lastAnswered);
      expect(items).toHaveLength(price === 0 ? 0 : ITEMS);
      const { body } = await found.manage<{ current_version: number; versions: { version: number }[] }>(
        'versions',
      );
      expect(body.versions.map(({ version }) => version)).toEqual(
        Array.from({ length: body.current_version }, (_, i) => body.current_version - i).slice(0, 100),
      );
      lastAnswered = Math.max(lastAnswered, price);
    }
  },
);
