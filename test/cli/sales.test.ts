import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { item } from '../harness/menu.js';
import { takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';
import { comanda } from './command-line.js';

const service = await useService();
const made = await createTenant(service);
const storeId = await createStore(service, made.merchantId, { timezone: 'Asia/Tokyo', currency: 'JPY' });
const run = (...words: string[]) =>
  comanda(['--url', service.url, '--key', made.key, 'sales', storeId, ...words]);

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const tokyo = (moment: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo', dateStyle: 'short' }).format(new Date(moment));
const yesterday = ago(24);
const sell = (created_at: string, more: object = {}) =>
  takeIn(service, { ...made, storeId }, { created_at, price: 1_000, tax: 100, ...more });
// Items that were on a menu once are counted each.
for (const items of [[item('tea'), item('latte')], []])
  await ask(`${service.url}/v1/stores/${storeId}/menu_configuration/`, {
    method: 'POST',
    key: made.key,
    body: { items },
  });
await sell(ago(24 * 20), { items: [{ external_id: 'tea', quantity: 4, price: 250, tax: 25 }] });
await sell(yesterday);
await sell(yesterday, { status: 'STORE_CANCELLED' });

it('shows rows, as a table and as CSV', async () => {
  const items = await run('--by', 'item', '--since', '30d', '--csv');
  expect([items.code, items.out]).toEqual([
    0,
    'external_id,name,units,price,tax,cancelled_units,cancelled_price,cancelled_tax,rejected_units,rejected_price,rejected_tax,currency\r\n' +
      'tea,,4,1000,100,0,0,0,0,0,0,JPY\r\nlatte,,1,390,39,1,390,39,0,0,0,JPY\r\n',
  ]);
  const days = await run('--since', 'yesterday', '--until', 'yesterday');
  expect(days.out).toBe(`${tokyo(yesterday)}\t1\t1000 JPY\t100 JPY\t1100 JPY\t1\t0\n`);
});

it('prints a slip of a day', async () => {
  const { code, out } = await run('--day', 'yesterday');
  expect(code).toBe(0);
  expect(out).toContain(`Sales of ${tokyo(yesterday)}\n`);
  for (const [left, right] of [
    ['Orders', '1'],
    ['Takings', '1100 JPY'],
    ['Cancelled (1)', '1100 JPY'],
    ['Rejected (0)', '0 JPY'],
    ['1 x latte', '429 JPY'],
  ] as const)
    expect(out).toContain(`${left}${' '.repeat(42 - left.length - right.length)}${right}\n`);
  const { out: json } = await run('--day', 'yesterday', '--json');
  expect(JSON.parse(json)).toMatchObject({ day: tokyo(yesterday), total: { orders: 1 } });
});

it('refuses what it cannot show', async () => {
  expect((await run('--by', 'year')).code).toBe(2);
  expect((await run('--since', 'soon')).code).toBe(2);
  expect((await run('--day', 'today', '--since', '3d')).code).toBe(2);
});
