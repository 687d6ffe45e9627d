import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { folderForTest } from '../harness/process.js';
import { startReceiver } from '../harness/receiver.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { createDatabase } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { createWebhook, webhookClient } from '../harness/webhooks.js';

it('the key of the secrets is a file of its owner, made with the first webhook; whoever lost it is told what to do', async () => {
  const { connection, drop } = await createDatabase(inject('template'));
  onTestFinished(drop);
  const folder = await folderForTest();
  const path = join(folder, 'secret.key');
  const start = () => startProcessOn(connection, { COMANDA_DATA_DIR: folder, LOG_LEVEL: 'warn' });
  const end = async ({ child, ended }: Awaited<ReturnType<typeof start>>) => {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  };

  const first = await start();
  const tenant = await createTenant(asService(first));
  const receiver = await startReceiver();
  await expect(stat(path)).rejects.toThrow('ENOENT');
  const { id, secret } = await createWebhook(webhookClient(first, tenant.key), { url: receiver.url });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const key = await readFile(path, 'utf8');
  expect(key).toMatch(/^[\w-]{43}\n$/);
  expect(secret).not.toContain(key.trim());
  expect(first.output()).toContain('set it on all of them as COMANDA_SECRET_KEY');
  await end(first);

  await chmod(path, 0o644);
  const second = await start();
  expect((await webhookClient(second, tenant.key).get(id)).body['secret_readable']).toBe(true);
  expect(second.output()).toContain(`Run: chmod 600 ${path}`);
  await end(second);

  await writeFile(path, '');
  const third = await start();
  await expect.poll(third.output, { timeout: 20_000 }).toContain(`${path} is empty`);
  await end(third);

  await rm(path);
  const fourth = await start();
  const late = webhookClient(fourth, tenant.key);
  expect((await late.get(id)).body['secret_readable']).toBe(false);
  expect(await late.send('POST', `/${id}/test`)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Rotate') as string },
  });
  await expect.poll(fourth.output, { timeout: 20_000 }).toContain('or rotate their secrets');
  expect((await late.send('POST', `/${id}/rotate`)).status).toBe(200);
  expect((await late.send('POST', `/${id}/test`)).body).toMatchObject({ delivered: true });
  expect(await readFile(path, 'utf8')).not.toBe(key);
}, 120_000);
