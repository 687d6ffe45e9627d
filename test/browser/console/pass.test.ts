import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { item, menuClient, text } from '../../harness/menu.js';
import { patch, takeIn, type OrderBody } from '../../harness/orders.js';
import { openForPaper } from '../../harness/printer.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { goToBoard, inMinutes, openConsole, openHome, stopTime } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const line = (id: string) => ({ external_id: id, name: `A ${id}`, quantity: 1 });

async function openKitchen() {
  const tenant = await openForPaper(service);
  const items = ['burger', 'lemonade', 'bread'].map((id) => item(id, { name: text(`A ${id}`) }));
  await menuClient(service, tenant).post({
    menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'] }],
    categories: [
      { external_id: 'c', name: text('All'), item_external_ids: items.map((one) => one.external_id) },
    ],
    items,
  });
  await tenant.manage('PATCH', '/menu/items', {
    items: [
      { external_id: 'burger', prep_type: 'Grill' },
      { external_id: 'lemonade', prep_type: 'Bar' },
    ],
  });
  const order = async (...ids: string[]) =>
    (
      await takeIn(service, tenant, {
        status: 'ACCEPTED',
        ready_by: inMinutes(30),
        items: ids.map(line),
      })
    ).body;
  return { ...tenant, order };
}

test('stations cross their cards off, the pass tells what is missing, and the last one makes it ready', async () => {
  const tenant = await openKitchen();
  await tenant.manage('PATCH', '', { ready_when_done: true });
  const both = await tenant.order('burger', 'lemonade', 'bread');
  await tenant.order('burger');
  const read = async () =>
    (await ask<OrderBody>(`${service.url}/manage/v1/orders/${both.id}`, { key: tenant.key })).body;
  const { page: grill } = await openConsole(browser, service.url, tenant.key, { expected: /409/ });
  await goToBoard(grill, service.url, tenant.storeId);
  await press(grill, 'Grill');
  const { page: pass } = await openHome(browser, service.url, tenant.key);
  await pass.getByRole('link', { name: 'Pass', exact: true }).click();
  const onPass = pass.getByRole('article', { name: 'Order 1' });
  await onPass.getByText('Missing: Bar, Grill').waitFor();
  await lookEverywhere(pass);
  await pass.setViewportSize({ width: 1280, height: 860 });

  await press(grill, 'Grill is done: 1');
  await grill.getByRole('article', { name: 'Order 1' }).and(grill.locator('[data-done=true]')).waitFor();
  // What is done makes room for what is not.
  await expect.poll(() => grill.locator('.column.accepted .call-number').allInnerTexts()).toEqual(['2', '1']);
  await onPass.getByText('Missing: Bar', { exact: true }).waitFor();
  await lookEverywhere(grill);
  await grill.setViewportSize({ width: 1280, height: 860 });
  await press(grill, 'Undo: Grill, 1');
  await onPass.getByText('Missing: Bar, Grill').waitFor();

  // The bar is done before the grill hears of it: neither undoes the other.
  await grill.route('**/events/stream*', (route) => route.abort());
  await grill.route(`**/manage/v1/orders/${both.id}`, async (route) => {
    if (route.request().method() === 'PATCH') {
      await grill.unroute(`**/manage/v1/orders/${both.id}`);
      await patch(service, tenant.key, both.id, { stations_done: ['Bar'] });
    }
    await route.continue();
  });
  await press(grill, 'Grill is done: 1');
  await expect.poll(read).toMatchObject({ status: 'READY', stations_done: ['Bar', 'Grill'] });
  await onPass.getByText('All is here').waitFor();
  await onPass.getByRole('button', { name: 'Hand over 1' }).waitFor();

  await pass.getByRole('link', { name: 'Store details' }).click();
  const setting = pass.getByLabel('Mark an order as ready once all its stations are done');
  expect(await setting.isChecked()).toBe(true);
  await setting.uncheck();
  await pass.getByLabel('Alert staff when a ticket is not printed within (minutes)').fill('5');
  await pass.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await tenant.manage<Record<string, unknown>>('GET', '')).body)
    .toMatchObject({ ready_when_done: false, print_within_minutes: 5 });
});

test('a television shows the numbers and nothing else, and comes back by itself', async () => {
  const owner = await createTenant(service, ['read', 'orders:write', 'keys:write']);
  await createStore(service, owner.merchantId, { name: { translations: { en: 'Harbour' } } });
  const orders: OrderBody[] = [];
  for (let nth = 0; nth < 15; nth += 1) {
    const more = { status: 'ACCEPTED', ready_by: inMinutes(20 + nth) };
    orders.push((await takeIn(service, owner, more)).body);
  }
  for (const { id } of orders.slice(0, 2)) await patch(service, owner.key, id, { status: 'READY' });
  const { page } = await openHome(browser, service.url, owner.key);
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: 'People and tablets' }).click();
  await press(page, 'Let someone in');
  await dialog.getByLabel('Name').fill('Television');
  await dialog.getByLabel('Pick-up screen', { exact: false }).check();
  await press(page, 'Make the link');
  await dialog.getByText('Choose the one store whose numbers the screen shows.').waitFor();
  await dialog.getByLabel('Centro').check();
  await press(page, 'Make the link');
  const url = await dialog.locator('#sign-in-link').innerText();
  await press(page, 'Done');
  await page.getByRole('row', { name: /^Television Centro Pick-up screen/ }).waitFor();

  const { page: screen, context } = await openConsole(browser, service.url, undefined, {
    viewport: { width: 1920, height: 1080 },
    colorScheme: 'dark',
    expected: /ERR_INTERNET_DISCONNECTED|401|pickup_screen/,
  });
  await screen.clock.install();
  await screen.goto('about:blank');
  await screen.goto(url);
  const numbers = (title: string) =>
    screen.getByRole('region', { name: title }).locator('li').allInnerTexts();
  await expect.poll(() => numbers('Ready')).toEqual(['2', '1']);
  expect(await numbers('In the kitchen')).toEqual(orders.slice(2).map(({ number }) => String(number)));
  expect((await screen.locator('body').innerText()).replace(/\d|\s/g, '')).toBe('InthekitchenReady');
  await lookEverywhere(screen);

  // As many as there can be, in a kitchen that is far behind.
  const most = Array.from({ length: 40 }, (_, nth) => 960 + nth);
  await screen.route('**/pickup_screen', (route) =>
    route.fulfill({ json: { preparing: most, ready: most } }),
  );
  for (const [width, height] of [
    [1920, 1080],
    [1080, 1920],
  ] as const) {
    await screen.setViewportSize({ width, height });
    await screen.clock.runFor(5_000);
    await screen.getByText('and 12 more').first().waitFor();
    // On a screen of 50 inches, 52 of its 1080 lines are the 30 millimetres that are read from six metres away.
    const digits =
      "[...document.querySelectorAll('li')].map((one) => parseFloat(getComputedStyle(one).fontSize) * 0.72)";
    expect(Math.min(...(await screen.evaluate<number[]>(digits)))).toBeGreaterThan(52);
    const cut =
      "[...document.querySelectorAll('li, ol')].filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight).length";
    expect([width, await screen.evaluate<number>(cut)]).toEqual([width, 0]);
  }
  await screen.unroute('**/pickup_screen');

  await context.setOffline(true);
  await screen.clock.runFor(60_000);
  await screen.getByText('These numbers are out of date').waitFor();
  await patch(service, owner.key, orders[2]?.id ?? '', { status: 'READY' });
  await context.setOffline(false);
  await screen.clock.runFor(15_000);
  await expect.poll(() => numbers('Ready')).toEqual(['3', '2', '1']);
  await screen.getByText('These numbers are out of date').waitFor({ state: 'detached' });

  // No other page opens to it.
  await screen.goto(`${service.url}/console/stores`);
  await expect.poll(() => numbers('Ready')).toEqual(['3', '2', '1']);
  expect(await screen.getByRole('link').count()).toBe(0);
  await press(page, 'End: Television');
  await press(page, 'End');
  await screen.getByLabel('Your key').waitFor();
});

test('the kitchen works its board and sees no takings', async () => {
  const tenant = await openKitchen();
  await tenant.order('burger');
  const { key } = await createKey(service, {
    merchant_id: tenant.merchantId,
    permissions: ['kitchen:read', 'orders:write', 'stock:write'],
  });
  // A request that is refused would be a trouble of the page.
  const { page } = await openHome(browser, service.url, key);
  await page.getByText('Latest orders').waitFor();
  expect(await page.getByText('Takings').count()).toBe(0);
  for (const name of ['Sales', 'Overview'])
    expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
  const store = `/console/stores/${tenant.storeId}`;
  for (const [path, sign] of [
    [`${store}/orders`, 'A burger'],
    [`${store}/menu`, 'Being served'],
    [`${store}/versions`, 'Version 1'],
    [`${store}/places`, 'Places'],
    [`${store}/printers`, 'Printers'],
    [`${store}/pass`, 'Missing: Grill'],
    [`${store}/settings`, 'This key may not change the store'],
    ['/console/stores', 'Centro'],
    ['/console/merchants', 'Casa Comanda'],
  ] as const) {
    await page.goto(service.url + path);
    await page.locator('main').getByText(sign).filter({ visible: true }).first().waitFor();
  }
  await page.getByRole('link', { name: 'Pick-up screen' }).click();
  await page.getByRole('region', { name: 'In the kitchen' }).getByText('1').waitFor();
  await page.getByRole('link', { name: 'Leave' }).click();
  await page.getByText('Latest orders').waitFor();
  await goToBoard(page, service.url, tenant.storeId);
  await stopTime(page);
  await page.getByRole('button', { name: 'Ready 1' }).click();
  await page.getByRole('button', { name: 'Undo 1' }).click();
});
