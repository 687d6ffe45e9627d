import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.js';
import { loadDemo } from '../../../src/demo/load-demo.js';
import { exampleIds } from '../../../src/support/example-ids.js';
import { item, menuClient, text } from '../../harness/menu.js';
import { patch, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { inMinutes, openConsole, zoneOfNoon } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);
await loadDemo(service.db, loadConfig({}).limits, Date.now());

const demo = `/console/stores/${exampleIds.store}`;

test('the menu is as a guest sees it: at a chosen time, in each language, with the rules of its choices', async () => {
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  await page.goto(`${service.url}${demo}/menu`);
  const breakfast = page.locator('details.menu-part').filter({ hasText: /Desayuno|Breakfast/ });
  const badge = breakfast.locator('summary .badge');
  // A Monday, by the clock of the store.
  await page.getByLabel(/^Time in Europe/).fill('2026-11-16T08:00');
  await expect.poll(() => badge.textContent()).toBe('Being served');
  await page.getByLabel(/^Time in Europe/).fill('2026-11-16T20:00');
  await expect.poll(() => badge.textContent()).toBe('Not served at this time');
  expect(new URL(page.url()).searchParams.get('at')).toBe('2026-11-16T20:00');
  await breakfast.locator('summary').click();
  const greyed = breakfast.locator('.item').first();
  expect(await greyed.getAttribute('data-off')).toBe('true');
  expect(await greyed.locator('.badge').textContent()).toBe('Not served at this time');

  await page.getByLabel('Language', { exact: true }).selectOption('Arabic');
  await page.getByText('قائمة العشاء').waitFor();
  await page.reload();
  await page.getByText('قائمة العشاء').waitFor();
  const shown = page.locator('.menu');
  expect([await shown.getAttribute('dir'), await shown.getAttribute('lang')]).toEqual(['rtl', 'ar']);
  await page.getByLabel('Language', { exact: true }).selectOption('Spanish');
  await expect.poll(() => shown.getAttribute('dir')).toBe('ltr');

  await page.getByLabel('Search').fill('CREMA');
  await expect.poll(() => page.locator('.item').count()).toBe(1);
  expect(await page.locator('.item .badge').textContent()).toBe('Sold out');
  await page.getByLabel('Search').fill('flat');
  await page.getByRole('button', { name: /Flat white/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Vegetarian').waitFor();
  await dialog.getByText('Allergens: milk').waitFor();
  await dialog
    .getByText(/^(Choose \d|Optional, up to \d)/)
    .first()
    .waitFor();
  await dialog.getByText(/^\+€/).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Search').fill('nothing has this');
  await page.getByText('Nothing on the menu has that').waitFor();
});

test('orders are found by what a caller can say, with the exact count, at an address that can be kept', async () => {
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  const singly: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/manage/v1/orders/')) singly.push(request.url());
  });
  await page.goto(`${service.url}${demo}/orders`);
  await page.getByText(/^\d+ orders$/).waitFor();
  await page.getByText(/^1 to 25 of \d+$/).waitFor();
  // Each row has the number that the order came with, and none was asked for by itself.
  await expect.poll(() => page.locator('a.order-link').count()).toBe(25);
  await expect.poll(() => page.locator('a.order-link').first().textContent()).toMatch(/^\d{1,3}$/);
  expect(singly).toEqual([]);

  const box = page.getByLabel('Number, name, phone or status');
  const search = async (text: string) => {
    await box.fill(text);
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(text);
  };
  await search('lukasz');
  await page.getByText(/^\d+ orders? match(es)?$/).waitFor();
  const names = await page.locator('td[data-label=Customer] bdi:first-child').allTextContents();
  expect(new Set(names.filter((name) => !name.startsWith('+')))).toEqual(new Set(['Łukasz Nowak']));
  await search('Handed over lukasz 555 01');
  await page.reload();
  await page.getByText(/match(es)?$/).waitFor();
  expect(await box.inputValue()).toBe('Handed over lukasz 555 01');
  const statuses = await page.locator('td[data-label=Status] .badge').allTextContents();
  expect(new Set(statuses)).toEqual(new Set(['Handed over']));
  await page.goBack();
  await expect.poll(() => box.inputValue()).toBe('lukasz');
  await page.getByRole('link', { name: 'Clear' }).click();
  const number = (await page.locator('a.order-link').nth(7).textContent()) ?? '';
  await search(number);
  await page.getByText(/^\d+ orders? ha(s|ve) this number/).waitFor();
  expect(await page.locator('a.order-link').first().textContent()).toBe(number);

  await page.getByRole('link', { name: 'Clear' }).click();
  await page.getByLabel('From').fill('2031-01-01');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('No order matches').waitFor();
  await page.getByRole('link', { name: 'Clear' }).click();
  await page.locator('a.order-link').first().waitFor();
  await page.getByLabel('From').fill('2026-11-16');
  await page.getByLabel('Until').fill('2026-11-10');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('This is before the first day.').waitFor();
  expect(await page.getByLabel('Until').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => page.locator('a.order-link').count()).toBe(0);
  await page.goto(`${service.url}${demo}/orders?page=999`);
  await page.getByRole('link', { name: 'To the first page' }).click();
  await page.getByText(/^1 to 25 of \d+$/).waitFor();

  // A list that never comes keeps nobody on the page.
  await page.route('**/v1/stores/*/orders/**', () => undefined);
  await page.goto(`${service.url}${demo}/orders`);
  await page.getByText('Reading the orders').waitFor();
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByText('Being served').first().waitFor();
});

test('home adds up the day of the store, hour by hour, and tells what waits, is late and is sold out', async () => {
  const owner = await createTenant(service);
  const timezone = zoneOfNoon();
  const storeId = await createStore(service, owner.merchantId, { currency: 'EUR', timezone });
  const tenant = { ...owner, storeId };
  const menu = menuClient(service, tenant);
  await menu.post({ items: [item('tea', { name: text('Mint tea'), in_stock: false })] });
  const created_at = inMinutes(-4);
  const { body: kept } = await takeIn(service, tenant, {
    price: 1000,
    tax: 100,
    created_at,
    ready_by: inMinutes(-1),
  });
  await takeIn(service, tenant, { price: 500, tax: 50, created_at, ready_by: inMinutes(30) });
  const { body: refused } = await takeIn(service, tenant, {
    price: 9900,
    created_at,
    ready_by: inMinutes(30),
  });
  await patch(service, tenant.key, kept.id, { status: 'ACCEPTED' });
  await patch(service, tenant.key, refused.id, { status: 'REJECTED' });

  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${storeId}`);
  for (const [label, count] of [
    ['Waiting to be accepted', '1'],
    ['In the kitchen', '1'],
    ['Ready to hand over', '0'],
    ['Late', '1'],
  ] as const)
    await page.getByRole('link', { name: `${count} ${label}`, exact: true }).waitFor();
  const wall = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' });
  const [hour = ''] = wall.format(new Date(created_at)).split(':');
  await page.getByRole('row', { name: `${hour}:00 2 €16.50` }).waitFor({ state: 'attached' });
  await page.getByText('€16.50', { exact: true }).first().waitFor();
  await page.getByText(/^[45] min$/).waitFor();
  await page.getByRole('button', { name: 'Mint tea: back in stock' }).click();
  await page.getByText('Everything on the menu can be had').waitFor();
  await page.getByRole('link', { name: 'All orders', exact: true }).click();
  await page.locator('a.order-link').last().click();
  await page
    .getByText(wall.format(new Date(created_at)))
    .first()
    .waitFor();

  // What happens now is in the figures a moment later.
  await page.goto(`${service.url}/console/stores/${storeId}`);
  await page.getByText('€16.50', { exact: true }).first().waitFor();
  await takeIn(service, tenant, { price: 300, tax: 50, created_at, ready_by: inMinutes(30) });
  await page.getByText('€20.00', { exact: true }).first().waitFor();
});

test('every list that is empty says what to do next', async () => {
  const { key, storeId } = await createTenant(service);
  const { page } = await openConsole(browser, service.url, key);
  const store = `/console/stores/${storeId}`;
  for (const [path, ...words] of [
    [
      store,
      'None yet. Orders arrive through the API',
      'Mark an item on the menu page when it runs out',
      'Nothing has been sold yet today',
    ],
    [`${store}/board`, 'A new order appears here by itself', 'Accept an order to see it here'],
    [`${store}/orders`, 'How to send one'],
    [`${store}/menu`, 'Publish one from a JSON or YAML file'],
    [`${store}/versions`, 'Publish the first one from a JSON or YAML file'],
    ['/console/webhooks', 'Make one, then send it a test'],
  ] as const) {
    await page.goto(service.url + path);
    for (const sentence of words) await page.getByText(sentence).first().waitFor();
  }
});
