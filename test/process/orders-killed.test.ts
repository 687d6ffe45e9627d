import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { importLines, list, orderRequest, takeIn, type OrderBody } from '../harness/orders.js';
import { preparedFolder, startProcess, type ServiceProcess } from '../harness/process.js';
import { createTenant, type Tenant } from '../harness/tenant.js';
import type { Service } from '../harness/service.js';

const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';
const WRITERS = 10;
const LINES = 12_000;

let folder: string;
let running: ServiceProcess;
let tenant: Tenant;

/** The parts of a service that the helpers use; here it is a process of its own. */
const service = () => ({ url: running.url, operatorKey: OPERATOR_KEY }) as Service;

beforeAll(async () => {
  folder = await preparedFolder();
  await start();
  tenant = await createTenant(service());
}, 120_000);
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function start(): Promise<void> {
  running = await startProcess({
    COMANDA_DATA_DIR: folder,
    COMANDA_OPERATOR_KEY: OPERATOR_KEY,
    COMANDA_RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  });
  await running.untilReady(60_000);
}

async function killAndStart(): Promise<void> {
  running.child.kill('SIGKILL');
  await running.ended;
  await start();
}

describe('kill -9', () => {
  it('during intake loses no order that was answered and makes none twice', async () => {
    const answered = new Map<string, string>();
    const before = service();
    const write = async (writer: number) => {
      for (let serial = 0; ; serial += 1) {
        const name = `${writer}-${serial}`;
        const by = writer % 2 === 0 ? { external_id: name } : {};
        const answer = await takeIn(before, tenant, { price: serial, ...by }, keyOf(writer, name)).catch(
          () => undefined,
        );
        if (answer?.status !== 201) return name;
        answered.set(name, answer.body.id);
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    await expect.poll(() => answered.size, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(100);
    await killAndStart();
    const unanswered = await Promise.all(writers);

    for (const [name, id] of answered) {
      const { status, body } = await ask<OrderBody>(`${running.url}/v1/orders/${id}`, { key: tenant.key });
      expect([name, status, body.id]).toEqual([name, 200, id]);
    }
    const names = [...answered.keys(), ...unanswered];
    for (const name of names) {
      const [writer = 0, serial = 0] = name.split('-').map(Number);
      const by = writer % 2 === 0 ? { external_id: name } : {};
      const again = await takeIn(service(), tenant, { price: serial, ...by }, keyOf(writer, name));
      expect([200, 201]).toContain(again.status);
      if (answered.has(name)) expect(again.body.id).toBe(answered.get(name));
    }
    await expectCount(names.length);
  }, 180_000);

  it('during an import leaves whole chunks, and the import can be sent again', async () => {
    const { body: before } = await list(service(), tenant);
    const lines = Array.from({ length: LINES }, (_, i) =>
      JSON.stringify({
        store_id: tenant.storeId,
        ...orderRequest({ external_id: `import-${i}`, items: [] }),
      }),
    );
    const text = lines.join('\n');
    const cut = importLines(service(), tenant.key, text).catch(() => undefined);
    const count = async () => (await list(service(), tenant)).body.count;
    await expect.poll(count, { timeout: 60_000, interval: 10 }).toBeGreaterThan(before.count);
    await killAndStart();
    await cut;
    const { body: between } = await list(service(), tenant);
    const left = between.count - before.count;
    const { body } = await importLines(service(), tenant.key, text);
    expect(body).toEqual({ created: LINES - left, existing: left, refused: 0, errors: [] });
    await expectCount(before.count + LINES);
  }, 180_000);
});

function keyOf(writer: number, name: string): Record<string, string> {
  return writer % 2 === 0 ? {} : { 'idempotency-key': name };
}

/** The kept count, the sales and the orders themselves agree. */
async function expectCount(count: number): Promise<void> {
  const { body: page } = await list(service(), tenant);
  const { body: exported } = await ask<string>(
    `${running.url}/manage/v1/stores/${tenant.storeId}/orders/export`,
    { key: tenant.key },
  );
  const orders = exported
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { price: number; items: { quantity: number; price: number }[] });
  expect([page.count, orders.length]).toEqual([count, count]);
  const takings = orders.reduce((sum, { price }) => sum + price, 0);
  const lines = orders.flatMap(({ items }) => items);
  expect(await readTotal('day')).toMatchObject({ orders: count, price: takings });
  expect(await readTotal('item')).toMatchObject({
    units: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    price: lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0),
  });
}

/** Of all orders of the test, whose day may end meanwhile. */
async function readTotal(by: string): Promise<object> {
  const from = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const url = `${running.url}/manage/v1/stores/${tenant.storeId}/sales?by=${by}&from=${from}`;
  return (await ask<{ total: object }>(url, { key: tenant.key })).body.total;
}
