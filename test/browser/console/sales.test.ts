import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { item, menuClient, text } from '../../harness/menu.js';
import { patch, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { openConsole, zoneOfNoon } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);
const DAY_MS = 86_400_000;

async function createShop() {
  const owner = await createTenant(service);
  const timezone = zoneOfNoon();
  const storeId = await createStore(service, owner.merchantId, { currency: 'EUR', timezone });
  const tenant = { ...owner, storeId };
  await menuClient(service, tenant).post({ items: [item('tea', { name: text('Mint tea') }), item('latte')] });
  const sell = async (days: number, price: number, units: number) => {
    const created_at = new Date(Date.now() - days * DAY_MS).toISOString();
    const items = [{ external_id: 'tea', quantity: units, price: 500, tax: 0 }];
    return (await takeIn(service, tenant, { created_at, items, price, tax: 0 })).body;
  };
  await sell(0, 1_000, 2);
  await sell(1, 2_000, 4);
  const { id } = await sell(1, 7_700, 1);
  await patch(service, tenant.key, id, { status: 'STORE_CANCELLED' });
  await sell(7, 1_000, 2);
  await sell(8, 1_000, 2);
  return { tenant, sell };
}

test('the sales page adds up days, compares them with the week before, and follows what is sold', async () => {
  const { tenant, sell } = await createShop();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}`);
  await page.getByRole('link', { name: 'Sales', exact: true }).first().click();
  const figures = page.locator('.figures');
  await figures.getByText('€30.00').waitFor();
  await figures.getByText('+50 % on the week before').first().waitFor();
  await figures.getByText('1 · €77.00').waitFor();
  await page.getByRole('img', { name: 'Takings by day; the numbers follow in a table' }).waitFor();
  const top = page.getByRole('region', { name: 'Top items' });
  await top.getByText('Mint tea').waitFor();
  await top.getByText('6 · €30.00').waitFor();
  await expect.poll(() => page.locator('.table tbody tr').count()).toBe(7);

  await sell(0, 500, 1);
  await figures.getByText('€35.00').waitFor();

  await page.getByLabel('By', { exact: true }).selectOption('hour');
  await page.getByRole('heading', { name: 'By hour of the day' }).waitFor();
  await page.getByRole('link', { name: 'Yesterday' }).click();
  await figures.getByText('€20.00').first().waitFor();
  expect(new URL(page.url()).searchParams.get('by')).toBe('hour');
});

test('no figures of another period stand under new dates, while they are added up or when that fails', async () => {
  const { tenant } = await createShop();
  const { page } = await openConsole(browser, service.url, tenant.key, { expected: /422/ });
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/sales`);
  const figures = page.locator('.figures');
  await figures.getByText('€30.00').waitFor();
  await page.route('**/sales?**', () => undefined);
  await page.getByRole('link', { name: 'Yesterday' }).click();
  await page.getByText('Adding up the sales').waitFor();
  expect(await figures.count()).toBe(0);

  await page.unrouteAll();
  await page.getByRole('link', { name: 'Today' }).click();
  await figures.getByText('€10.00').first().waitFor();
  await page.route('**/sales?**', (route) => route.fulfill({ status: 422, json: { detail: [] } }));
  await page.getByRole('link', { name: 'Yesterday' }).click();
  await page.getByRole('alert').waitFor();
  expect(await figures.count()).toBe(0);
});

test('a date is typed on the keyboard, and is one step of the history', async () => {
  const { tenant } = await createShop();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(
    `${service.url}/console/stores/${tenant.storeId}/sales?from=2026-03-02&to=2026-03-30&by=day`,
  );
  const from = page.getByLabel('From', { exact: true });
  const until = page.getByLabel('Until', { exact: true });
  const shown = () => new URL(page.url()).searchParams.get('from');
  // The day comes after the month.
  await from.press('ArrowRight');
  await page.keyboard.type('15', { delay: 300 });
  expect([await from.inputValue(), shown()]).toEqual(['2026-03-15', '2026-03-02']);
  await page.keyboard.press('Enter');
  await expect.poll(shown).toBe('2026-03-15');
  expect(await from.evaluate('document.activeElement.name')).toBe('from');
  await until.press('ArrowRight');
  await page.keyboard.type('20');
  await from.focus();
  await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBe('2026-03-20');
  expect(await from.evaluate('document.activeElement.name')).toBe('from');
  await page.goBack();
  await page.goBack();
  await expect
    .poll(() => Promise.all([from.inputValue(), until.inputValue()]))
    .toEqual(['2026-03-02', '2026-03-30']);
});

test('the table can be saved as a file', async () => {
  const { tenant } = await createShop();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/sales?by=item`);
  await page.getByRole('heading', { name: 'By item' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Centro-[\d-]+-item\.csv$/);
  expect(await readFile(await download.path(), 'utf8')).toBe(
    '\uFEFFItem,Units,Price with tax,Tax,' +
      'Cancelled: Units,Cancelled: Price with tax,Cancelled: Tax,' +
      'Rejected: Units,Rejected: Price with tax,Rejected: Tax,Currency\r\n' +
      'Mint tea,6,30.00,0.00,1,5.00,0.00,0,0.00,0.00,EUR\r\n',
  );
});

test('the file has charges, discounts and tips by day', async () => {
  const { tenant } = await createShop();
  const extra = (price: number, tax: number) => ({ name: 'x', price, tax });
  await takeIn(service, tenant, {
    ...{ items: [], price: 150, tax: 15, tip: 70 },
    charges: [{ kind: 'delivery', ...extra(250, 25) }],
    discounts: [extra(100, 10)],
  });
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/sales?by=day`);
  await page.getByRole('heading', { name: 'By day' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const [head, ...days] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toMatch(/,Charges,Discounts,Tips,Currency$/);
  expect(days.at(-1)).toMatch(/,2,11\.65,0\.15,.*,2\.75,1\.10,0\.70,EUR$/);
  expect(days.at(-2)).toMatch(/,0\.00,0\.00,0\.00,EUR$/);
});

test('the sales page has no barriers, also at 360 pixels', async () => {
  const { tenant } = await createShop();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/sales`);
  await page.locator('.figures').getByText('€30.00').waitFor();
  await lookEverywhere(page);
});
