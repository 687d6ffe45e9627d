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
  await page.goto(`${service.url}/console/stores/${shop.storeId}/board`);
  await page.getByText('Live', { exact: true }).waitFor();
  for (const sign of [/Open, ready in/, 'Bar', /waiting to be accepted/])
    await page.getByText(sign).first().waitFor();
  expect(await shiftedOf(page)).toBeLessThan(MOST);
});

test('buttons over a menu stand where they will be before it is read', async () => {
  const shop = await openForGuests(service);
  await shop.menu.post(coffeeMenu());
  await createStore(service, shop.merchantId);
  const { page } = await openConsole(browser, service.url, shop.key);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/menu_configuration/flat', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${service.url}/console/stores/${shop.storeId}/menu`);
  const link = page.getByRole('link', { name: 'Send to other stores' });
  const before = await link.boundingBox();
  letGo();
  await page.getByText('Cake').first().waitFor();
  expect(await link.boundingBox()).toEqual(before);
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
