import { expect, it, onTestFinished } from 'vitest';
import { backup, restore } from '../harness/backup.js';
import { takeIn } from '../harness/orders.js';
import { startReceiver } from '../harness/receiver.js';
import { startService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { createWebhook, eventsOf, webhookClient } from '../harness/webhooks.js';

it('an installation that was restored goes on where the backup stood, with the same key alone', async () => {
  const first = await startService({}, { delivers: true });
  onTestFinished(() => first.stop());
  const tenant = await createTenant(first);
  let isOpen = true;
  const receiver = await startReceiver((_, response) => response.writeHead(isOpen ? 200 : 503).end());
  const client = webhookClient(first, tenant.key);
  const { id } = await createWebhook(client, { url: receiver.url });
  for (let i = 0; i < 3; i += 1) await takeIn(first, tenant);
  await expect.poll(async () => (await client.get(id)).body.lag).toMatchObject([{ behind: 0 }]);
  isOpen = false;
  for (let i = 0; i < 2; i += 1) await takeIn(first, tenant);
  await expect.poll(() => receiver.requests.length).toBe(4);
  await expect.poll(async () => (await client.deliveries(id)).length).toBe(4);
  const archive = await backup(first);
  await client.send('PATCH', `/${id}`, { status: 'disabled' });
  isOpen = true;

  const stranger = await startService(
    {},
    { delivers: true, secretKey: 'another-key-0123456789-0123456789-01' },
  );
  onTestFinished(() => stranger.stop());
  expect((await restore(stranger, archive)).status).toBe(200);
  // What it does send has come: deliveries have begun.
  const [other, witness] = [await createTenant(stranger), await startReceiver()];
  await createWebhook(webhookClient(stranger, other.key), { url: witness.url });
  await takeIn(stranger, other);
  await expect.poll(() => witness.requests.length).toBe(1);
  expect(receiver.requests).toHaveLength(4);
  expect((await webhookClient(stranger, tenant.key).get(id)).body).toMatchObject({
    secret_readable: false,
    lag: [{ behind: 2 }],
  });

  const second = await startService({}, { delivers: true });
  onTestFinished(() => second.stop());
  expect((await restore(second, archive)).status).toBe(200);
  await takeIn(second, tenant);
  const sequences = () => eventsOf(receiver.requests).map(({ sequence }) => sequence);
  await expect.poll(sequences).toEqual([1, 2, 3, 4, 4, 5, 6]);
});
