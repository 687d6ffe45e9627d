import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guestClient, manageClient, openForGuests, type PlaceBody } from '../harness/guest.js';
import { preparedFolder, startProcess, type ServiceProcess } from '../harness/process.js';
import type { Service } from '../harness/service.js';

const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';
const TABLES = 8;
/** Fewer than may wait at a place. */
const ORDERS = 40;

let folder: string;
let running: ServiceProcess;

const service = () => ({ url: running.url, operatorKey: OPERATOR_KEY }) as Service;

async function start(): Promise<void> {
  running = await startProcess({
    COMANDA_DATA_DIR: folder,
    COMANDA_OPERATOR_KEY: OPERATOR_KEY,
    COMANDA_RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  });
  await running.untilReady(60_000);
}

beforeAll(async () => {
  folder = await preparedFolder();
  await start();
}, 120_000);
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  await rm(folder, { recursive: true, force: true });
}, 60_000);

it('makes one order of each tap, with the same token, when the service is killed before it answers', async () => {
  const store = await openForGuests(service(), { most_open: 50 });
  const codes: string[] = [];
  for (let table = 0; table < TABLES; table += 1) {
    const { body } = await store.manage<PlaceBody>('POST', '/places', { label: `${table}`, kind: 'table' });
    codes.push(body.code);
  }
  const tokens = new Map<string, string>();
  const tapped: { code: string; key: string }[] = [];
  const before = guestClient(service());
  const order = async (code: string, table: number) => {
    for (let serial = 0; serial < ORDERS; serial += 1) {
      const key = `${table}-${serial}`;
      tapped.push({ code, key });
      const answer = await before.order(code, {}, key).catch(() => undefined);
      if (answer?.status !== 201) return;
      tokens.set(key, answer.body.token);
    }
  };
  const guests = codes.map(order);
  await expect.poll(() => tokens.size, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(20);
  running.child.kill('SIGKILL');
  await running.ended;
  await start();
  await Promise.all(guests);

  const after = guestClient(service());
  for (const { code, key } of tapped) {
    const { status, body } = await after.order(code, {}, key);
    expect([key, status]).toEqual([key, 201]);
    if (tokens.has(key)) expect(body.token).toBe(tokens.get(key));
    expect((await after.get<{ status: string }>(`/orders/${body.token}`)).body.status).toBe('PENDING');
  }
  const manage = manageClient(service(), store);
  const { body } = await manage<{ orders: unknown[] }>('GET', '/orders?limit=1000');
  expect(body.orders).toHaveLength(tapped.length);
}, 180_000);
