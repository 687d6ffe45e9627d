import { expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createKey, createTenant } from '../harness/tenant.js';
import { ask } from '../harness/client.js';
import { takeIn } from '../harness/orders.js';
import { comanda } from './command-line.js';

const service = await useService();
const tenant = await createTenant(service);
const { key } = await createKey(service, {
  merchant_id: tenant.merchantId,
  permissions: ['read', 'orders:write', 'store:write'],
});
const run = (...words: string[]) => comanda(['--url', service.url, '--key', key, ...words]);

it('pauses, resumes, and says how busy the kitchen is', async () => {
  const paused = await run('intake', 'pause', tenant.storeId, '--for', '30m', '--note', 'Oven broke');
  expect([paused.code, paused.out]).toEqual([
    0,
    expect.stringMatching(/^Paused until \S+ \S+, Oven broke, next order ready at \S+ \S+\.\n$/),
  ]);
  expect((await run('intake', 'resume', tenant.storeId)).out).toMatch(/^Open, ready in 1[56] min\.\n$/);
  const busy = await run('intake', 'busy', tenant.storeId, '20', '--for', '1h');
  expect(busy.out).toMatch(/^Busy until \S+ \S+, ready in 3[56] min\.\n$/);
  expect((await run('intake', 'pause', tenant.storeId, '--for', 'soon')).code).toBe(2);
});

it('sets how many days ahead orders are taken for', async () => {
  const ahead = (days: string) => run('intake', 'ahead', tenant.storeId, days);
  expect(await ahead('7')).toMatchObject({ code: 0, out: 'Orders are taken for up to 7 days ahead.\n' });
  expect((await ahead('0')).out).toBe('Orders are taken for today.\n');
  expect((await ahead('367')).code).not.toBe(0);
});

it('sets special days one by one, and removes them', async () => {
  await run('intake', 'special', tenant.storeId, '2036-12-31', '--open', '12:00-16:00,19:00-01:00');
  const closed = await run(
    'intake',
    'special',
    tenant.storeId,
    '2036-12-25',
    '--closed',
    '--note',
    'Christmas',
  );
  expect([closed.code, closed.out]).toEqual([0, '2036-12-25 is set.\n']);
  const days = async () =>
    (
      await ask<{ settings: { special_days: unknown[] } }>(
        `${service.url}/manage/v1/stores/${tenant.storeId}/intake`,
        { key },
      )
    ).body.settings.special_days;
  expect(await days()).toEqual([
    { date: '2036-12-25', closed: true, note: 'Christmas' },
    {
      date: '2036-12-31',
      time_periods: [
        { start_time: '12:00', end_time: '16:00' },
        { start_time: '19:00', end_time: '01:00' },
      ],
    },
  ]);
  expect(
    (await run('intake', 'special', tenant.storeId, '2036-12-25', '--closed', '--as', 'Sunday')).code,
  ).toBe(2);
  await run('intake', 'special', tenant.storeId, '2036-12-25', '--remove');
  expect(await days()).toHaveLength(1);
  expect((await run('intake', 'slots', tenant.storeId)).err).toContain('no capacity');
});

it('rejects an order with a reason', async () => {
  const { body } = await takeIn(service, tenant);
  const rejected = await run(
    'orders',
    'status',
    body.id,
    'rejected',
    '--reason',
    'too_busy',
    '--text',
    'Sorry',
  );
  expect(rejected.code).toBe(0);
  const shown = await ask<Record<string, unknown>>(`${service.url}/manage/v1/orders/${body.id}`, { key });
  expect(shown.body).toMatchObject({ status: 'REJECTED', reason: 'too_busy', reason_text: 'Sorry' });
  expect((await run('orders', 'status', body.id, 'rejected', '--reason', 'bored')).code).toBe(2);
});
