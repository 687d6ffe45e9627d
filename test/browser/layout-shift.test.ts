import { EventEmitter, once } from 'node:events';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { both, coffeeMenu, guestClient, openForGuests } from '../harness/guest.js';
import { takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createStore } from '../harness/tenant.js';
import { useBrowser } from './browser.js';
import { inMinutes, openConsole } from './console/open-console.js';
import { openGuest } from './guest/open-guest.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

/** The most that browsers call good. */
const MOST = 0.1;

/** Adds up what moves by itself from the first paint on. */
const watchShifts = (context: BrowserContext) =>
  context.addInitScript(`
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);

/** Once everything stands still: shifts are told a frame later. */
const shiftedOf = (page: Page) =>
  page.evaluate<number>(
    'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(window.shifted))))',
  );

test.each([390, 1280])('the board moves nothing while it loads, %i pixels wide', async (width) => {
  const shop = await openForGuests(service);
  await shop.manage('PATCH', '/menu/items/coffee', { prep_type: 'Bar' });
  for (const minutes of [30, -5]) await takeIn(service, shop, { ready_by: inMinutes(minutes) });
  const { page, context } = await openConsole(browser, service.url, shop.key, {
    viewport: { width, height: 844 },
  });
  await watchShifts(context);
  // The menu, which names the stations, comes after everything else.
  const reached = new EventEmitter();
  const released = once(reached, 'release');
  await page.route('**/menu_configuration/', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${service.url}/console/stores/${shop.storeId}/board`);
  await page.locator('main h1').waitFor();
  expect(await page.locator('.columns').count()).toBe(0);
  reached.emit('release');
  await page.getByText('Live', { exact: true }).waitFor();
  for (const sign of [/Open, ready in/, 'Bar', /waiting to be accepted/])
    await page.getByText(sign).first().waitFor();
  expect(await shiftedOf(page)).toBeLessThan(MOST);
});

test.each([390, 1280])('Home moves little while its orders take long, %i pixels wide', async (width) => {
  const { page, context } = await openConsole(browser, service.url, service.operatorKey, {
    viewport: { width, height: 844 },
  });
  await watchShifts(context);
  const reached = new EventEmitter();
  const released = once(reached, 'release');
  await page.route('**/orders?status=**', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${service.url}/console/stores/${filled.store}`);
  await page.locator('main h1').waitFor();
  reached.emit('release');
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  await page.getByRole('heading', { name: 'Latest orders' }).waitFor();
  await expect.poll(() => page.locator('.busy').count()).toBe(0);
  expect(await shiftedOf(page)).toBeLessThan(MOST);
});

/** Where the buttons and links of a page's head stand. */
const readHead = (page: Page) =>
  page.evaluate<Record<string, string>>(`Object.fromEntries(
    [...document.querySelectorAll('main header :is(a, button)')].map((element) => {
      const { left, top } = element.getBoundingClientRect();
      return [element.textContent.trim(), left + ' ' + top];
    }),
  )`);

/** A store with something for every page: an order that is late, a pause, two versions of its menu, a second store. */
async function fillStore() {
  const shop = await openForGuests(service);
  await shop.menu.post(coffeeMenu({ price: 260 }));
  await createStore(service, shop.merchantId);
  const { body: order } = await takeIn(service, shop, { ready_by: inMinutes(-5) });
  await shop.manage('PATCH', '/intake', { pause: { note: 'Oven broke' } });
  return { store: shop.storeId, order: order.id };
}

const filled = await fillStore();

/** What is asked for before a page of a store, for what is said above it, and in the page itself. */
const stageOf = (url: string) =>
  /\/session|\/stores\/[^/?]+$/.test(url) ? 0 : /\/intake$|\/orders\?/.test(url) ? 1 : 2;

test.each([
  '/stores/:store',
  ...['board', 'pass', 'orders', 'orders/:order', 'sales', 'menu', 'menu/send', 'versions', 'versions/1/2']
    .concat(['publish', 'places', 'printers', 'settings', 'audit'])
    .map((page) => `/stores/:store/${page}`),
  ...['/overview', '/stores', '/merchants', '/people', '/keys', '/webhooks', '/audit', '/help'],
])('no button over a page moves while the page is read: %s', async (path) => {
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const reached = new EventEmitter();
    const stages = [undefined, once(reached, '1'), once(reached, '2')];
    await page.route('**/console/api/**', async (route) => {
      await stages[stageOf(route.request().url())];
      await route.continue();
    });
    const isOfStore = path.startsWith('/stores/');
    const asked = isOfStore ? page.waitForRequest(/\/intake$/) : undefined;
    const here = path.replace(':store', filled.store).replace(':order', filled.order);
    await page.goto(`${service.url}/console${here}`);
    await asked;
    const heads = [await readHead(page)];
    reached.emit('1');
    await page.locator('main h1').waitFor();
    heads.push(await readHead(page));
    reached.emit('2');
    await expect.poll(() => page.locator('.busy').count()).toBe(0);
    if (/board|pass/.test(path)) await page.getByText('Live', { exact: true }).waitFor();
    const last = await readHead(page);
    for (const head of heads) expect([width, last]).toMatchObject([width, head]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
});

test.each([390, 1280])('the page for guests moves nothing while it loads, %i pixels wide', async (width) => {
  const shop = await openForGuests(service, { welcome: both('Hola', 'Welcome') });
  await shop.menu.post(coffeeMenu());
  await guestClient(service).order(shop.place.code);
  const { page, context } = await openGuest(browser, service.url, shop.place.code, {
    viewport: { width, height: 844 },
  });
  await watchShifts(context);
  await page.reload();
  for (const sign of ['Center', 'Welcome', 'Cake']) await page.getByText(sign).first().waitFor();
  expect(await shiftedOf(page)).toBeLessThan(MOST);
});
