import { expect, inject, it, onTestFinished } from 'vitest';
import { takeIn } from '../harness/orders.js';
import { folderForTest } from '../harness/process.js';
import { startReceiver } from '../harness/receiver.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { createDatabase } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { createWebhook, eventsOf, webhookClient } from '../harness/webhooks.js';

const SENDING = { COMANDA_SECRET_KEY: 'secret-key-for-tests-0123456789abcdef' };

async function startTwo(ofFirst: Record<string, string> = SENDING) {
  const { connection, drop } = await createDatabase(inject('template'));
  onTestFinished(drop);
  const environment = { COMANDA_DATA_DIR: await folderForTest() };
  const first = await startProcessOn(connection, { ...environment, ...ofFirst });
  const second = await startProcessOn(connection, { ...environment, ...SENDING });
  return { first, second };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

it('kill -9 of one of two processes loses no event, and the other goes on within the lease', async () => {
  const { first, second } = await startTwo();
  const tenant = await createTenant(asService(second));
  const receiver = await startReceiver((_, response) => setTimeout(() => response.end(), 10));
  await createWebhook(webhookClient(second, tenant.key), { url: receiver.url });
  for (let i = 0; i < 40; i += 1) {
    await takeIn(asService(i % 2 === 0 && i < 20 ? first : second), tenant);
    if (i === 20) first.child.kill('SIGKILL');
  }
  const sequences = () => eventsOf(receiver.requests).map(({ sequence }) => sequence);
  await expect.poll(() => new Set(sequences()).size, { timeout: 45_000 }).toBe(40);
  // Up to repetition, in order.
  expect([...new Set(sequences())]).toEqual(upTo(40));
});

it('a process that is told to end finishes its request and gives its leases back: the other goes on at once', async () => {
  const { first, second } = await startTwo();
  const tenant = await createTenant(asService(first));
  const client = webhookClient(first, tenant.key);
  const times: number[] = [];
  const receiver = await startReceiver((_, response) => {
    times.push(performance.now());
    // Long enough for a signal to arrive while a request is under way.
    setTimeout(() => response.end(), 300);
  });
  await createWebhook(client, { url: receiver.url });
  // Written through the first, which therefore is the one that sends.
  for (let i = 0; i < 20; i += 1) await takeIn(asService(first), tenant);
  await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const sequences = () => eventsOf(receiver.requests).map(({ sequence }) => sequence);
  await expect.poll(() => sequences().length, { timeout: 60_000 }).toBe(20);
  // None was broken off and sent again, and nobody waited for the lease of 20 seconds to run out.
  expect(sequences()).toEqual(upTo(20));
  const pauses = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(Math.max(...pauses)).toBeLessThan(8_000);
  const late = webhookClient(second, tenant.key);
  const { body } = await late.send<{ id: string }[]>('GET', '');
  await expect
    .poll(async () => (await late.get(body[0]?.id ?? '')).body.lag, { timeout: 20_000 })
    .toEqual([{ store_id: tenant.storeId, behind: 0 }]);
}, 120_000);

it('what a process writes that cannot send is sent at once by one that can', async () => {
  const { first, second } = await startTwo({});
  const tenant = await createTenant(asService(second));
  const receiver = await startReceiver();
  await createWebhook(webhookClient(second, tenant.key), { url: receiver.url });
  for (let i = 1; i <= 3; i += 1) {
    await takeIn(asService(first), tenant);
    await expect.poll(() => receiver.requests.length, { timeout: 8_000 }).toBe(i);
  }
});
