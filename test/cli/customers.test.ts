import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { list, takeIn } from '../harness/orders.js';
import { useService, startService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const service = await useService();
const PHONE = '+49 30 9137 4428';
const customer = { name: 'Ada', phone: PHONE };

const as = (key: string, url: string, ...words: string[]) => comanda([...words, '--url', url, '--key', key]);

it('exports and erases a customer, and asks before', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant, { customer });
  const run = (...words: string[]) => as(tenant.key, service.url, 'customers', ...words);
  const path = join(folder, 'ada.ndjson');
  expect(await run('export', PHONE, '-o', path)).toMatchObject({
    code: 0,
    out: `Wrote 1 orders to ${path}.\n`,
  });
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ order: { customer }, history: [] });

  expect(await run('erase', '--phone', PHONE, '--dry-run')).toMatchObject({
    code: 0,
    out: 'Would erase the customer of 1 order in 1 store.\n',
  });
  expect((await run('erase', '--phone', PHONE)).code).not.toBe(0);
  expect((await run('erase')).err).toContain('State either --phone or --order.');
  expect((await list(service, tenant, 'phone_number=4428')).body.count).toBe(1);
  const erased = await run('erase', '--phone', PHONE, '--store', tenant.storeId, '--yes');
  expect(erased).toMatchObject({ code: 0, out: 'Erased the customer of 1 order.\n' });
  expect((await list(service, tenant, 'phone_number=4428')).body.count).toBe(0);
});

it('exports final orders from before a date', async () => {
  const tenant = await createTenant(service);
  const completed = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const days of [5, 15])
    await takeIn(service, tenant, { status: 'FULFILLED', completed_at: completed(days), price: days });
  const { code, out } = await as(
    tenant.key,
    service.url,
    'orders',
    'export',
    tenant.storeId,
    '--before',
    '10d',
  );
  expect([
    code,
    out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { price: number }).price),
  ]).toEqual([0, [15]]);
});

it('restores an archive without the customers that a newer one lists as erased', async () => {
  const first = await startService();
  const tenant = await createTenant(first);
  await takeIn(first, tenant, { customer });
  const operator = (url: string, ...words: string[]) => as(first.operatorKey, url, ...words);
  const [old, newer] = [join(folder, 'old.ndjson'), join(folder, 'newer.ndjson.gz')];
  expect((await operator(first.url, 'backup', old)).code).toBe(0);
  await as(tenant.key, first.url, 'customers', 'erase', '--phone', PHONE, '--yes');
  expect((await operator(first.url, 'backup', newer)).code).toBe(0);
  await first.stop();

  const target = await useService();
  const missing = await operator(target.url, 'restore', old, '--erased-in', join(folder, 'none.ndjson'));
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('Cannot read')]);
  expect((await operator(target.url, 'restore', old, '--erased-in', newer)).code).toBe(0);
  const { body } = await list(target, tenant);
  expect([body.count, body.order_result_list[0]?.customer]).toEqual([1, { name: '', phone: '' }]);
});
