import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { patch, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { openFront } from './front.js';
import { goToBoard, inMinutes, openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const tabIcon = (page: Page) =>
  page.evaluate<string>('document.querySelector("link[rel=icon]").getAttribute("href")');

test('an order that waits or is late shows on every page of its store, in the title, the icon and by sound', async () => {
  const tenant = await createTenant(service);
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.addInitScript(`
    window.rung = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) { window.rung += 1; return start.apply(this, given); };
  `);
  await goToBoard(page, service.url, tenant.storeId);
  await page.getByRole('button', { name: 'Sound off' }).click();
  await page.getByRole('button', { name: 'Sound on' }).waitFor();
  const calm = await tabIcon(page);
  for (const [link, title] of [
    ['Menu', /^Menu/],
    ['Orders', /^Orders/],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await expect.poll(() => page.title()).toMatch(title);
  }
  const before = await page.evaluate<number>('window.rung');

  const { body: order } = await takeIn(service, tenant, { external_id: 'A-1', ready_by: inMinutes(30) });
  await page.getByText('1 order waiting to be accepted').waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(1\) Orders/);
  expect(await tabIcon(page)).not.toBe(calm);
  await expect.poll(() => page.evaluate<number>('window.rung')).toBeGreaterThan(before);
  await page.getByRole('link', { name: 'Store details' }).click();
  await page.getByText('1 order waiting to be accepted').waitFor();
  await page.getByRole('button', { name: 'Silence' }).click();
  await page.getByRole('button', { name: 'Silence' }).waitFor({ state: 'detached' });
  await patch(service, tenant.key, order.id, { status: 'ACCEPTED', ready_by: inMinutes(-2) });
  await page.getByText('1 order is late').waitFor();
  await page.getByRole('button', { name: 'Silence' }).waitFor();

  await patch(service, tenant.key, order.id, { status: 'READY' });
  await page.getByText('1 order is late').waitFor({ state: 'detached' });
  await expect.poll(() => page.title()).toMatch(/^Store details/);
  expect(await tabIcon(page)).toBe(calm);
});

test('while the service is away the board says since when and when it tries again, and comes back by itself', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant, { external_id: 'A-1', ready_by: inMinutes(30) });
  const front = await openFront(service.url);
  onTestFinished(() => front.close());
  const { page } = await openConsole(browser, front.url, tenant.key, { expected: /ERR_|^failed/ });
  await goToBoard(page, front.url, tenant.storeId);
  front.leadTo(undefined);
  await page.getByText(/^The service cannot be reached since \d\d:\d\d\.$/).waitFor();
  await page.getByText(/^Next try in [1-5] s\.$/).waitFor();
  await page.locator('.columns[inert]').waitFor();
  expect(await page.getByText('Failed to fetch').count()).toBe(0);

  front.leadTo(service.url);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText(/cannot be reached/).waitFor({ state: 'detached' });
  await page.locator('.columns:not([inert])').waitFor();
  await page.getByRole('button', { name: 'Accept 1' }).click();
});

test('an error of a card goes when the order has moved on', async () => {
  const tenant = await createTenant(service);
  const { body: order } = await takeIn(service, tenant, { external_id: 'A-1', ready_by: inMinutes(30) });
  const { page } = await openConsole(browser, service.url, tenant.key, { expected: /ERR_|^failed/ });
  await goToBoard(page, service.url, tenant.storeId);
  await page.getByRole('button', { name: 'Seen' }).click();
  await page.getByRole('button', { name: 'Seen' }).waitFor({ state: 'detached' });
  const card = page.getByRole('article', { name: 'Order 1' });
  await page.route(`**/manage/v1/orders/${order.id}`, (route) => route.abort());
  await page.getByRole('button', { name: 'Accept 1' }).click();
  // A change that is no move, while the tap can still be taken back, does not hide the error.
  await patch(service, tenant.key, order.id, { customer_comments: 'No onions' });
  await card.getByText('No onions').waitFor();
  await card.getByText('The service cannot be reached').waitFor();
  await page.unroute(`**/manage/v1/orders/${order.id}`);
  await patch(service, tenant.key, order.id, { status: 'ACCEPTED' });
  await page.getByRole('button', { name: 'Ready 1' }).waitFor();
  expect(await card.getByRole('alert').count()).toBe(0);
});
