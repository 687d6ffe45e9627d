import { expect, it, onTestFinished } from 'vitest';
import { takeIn } from '../harness/orders.js';
import { folderForTest, startForTest } from '../harness/process.js';
import { startReceiver } from '../harness/receiver.js';
import { createDatabase, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { createWebhook, eventsOf, webhookClient } from '../harness/webhooks.js';

const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';

it('kill -9 of one of two processes loses no event, and the other goes on within the lease', async () => {
  const { connection, drop } = await createDatabase();
  onTestFinished(drop);
  const { host, port, user, password, database } = connection;
  const folder = await folderForTest();
  const url = new URL('postgres://localhost/');
  url.username = user ?? '';
  url.password = typeof password === 'string' ? password : '';
  url.pathname = database ?? '';
  url.searchParams.set('host', host ?? '');
  url.searchParams.set('port', String(port ?? 5432));
  const start = async () => {
    const running = await startForTest({
      DATABASE_URL: url.href,
      COMANDA_DATA_DIR: folder,
      COMANDA_OPERATOR_KEY: OPERATOR_KEY,
      COMANDA_SECRET_KEY: 'secret-key-for-tests-0123456789abcdef',
      COMANDA_WEBHOOK_ALLOW: '127.0.0.0/8',
      COMANDA_RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
    });
    await running.untilReady(60_000);
    return running;
  };
  const [first, second] = [await start(), await start()];
  const of = ({ url: address }: { url: string }) => ({ url: address, operatorKey: OPERATOR_KEY }) as Service;
  const tenant = await createTenant(of(second));
  const receiver = await startReceiver((_, response) => setTimeout(() => response.end(), 10));
  await createWebhook(webhookClient(second, tenant.key), { url: receiver.url });
  for (let at = 0; at < 40; at += 1) {
    await takeIn(of(at % 2 === 0 && at < 20 ? first : second), tenant);
    if (at === 20) first.child.kill('SIGKILL');
  }
  const sequences = () => eventsOf(receiver.requests).map(({ sequence }) => sequence);
  await expect.poll(() => new Set(sequences()).size, { timeout: 45_000 }).toBe(40);
  // Up to repetition, in order.
  const firsts = [...new Set(sequences())];
  expect(firsts).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
});
