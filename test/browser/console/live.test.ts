import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { importLines, orderRequest, patch, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { openFront } from './front.js';
import { goToBoard, inMinutes, openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const soon = () => inMinutes(20);
const numbersOn = (page: Page) => page.locator('.ticket .call-number').allTextContents();

/** A board that is live, behind an address that can be led elsewhere. */
async function openBoard(tenant: Tenant) {
  const front = await openFront(service.url);
  onTestFinished(() => front.close());
  const shown = await openConsole(browser, front.url, tenant.key, { expected: /ERR_|^failed/ });
  await shown.page.clock.install();
  await goToBoard(shown.page, front.url, tenant.storeId);
  return { ...shown, front };
}

/** The lists of orders that a page asks for from now on: a live board needs none. */
function noteLists(page: Page): string[] {
  const lists: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/orders?')) lists.push(request.url());
  });
  return lists;
}

test('an order is on the board, by its own number, without asking for a list', async () => {
  const tenant = await createTenant(service);
  const { page } = await openConsole(browser, service.url, tenant.key);
  await goToBoard(page, service.url, tenant.storeId);
  const lists = noteLists(page);
  for (const number of [1, 2, 3, 4, 5]) {
    await takeIn(service, tenant, { ready_by: soon() });
    await page.getByRole('article', { name: `Order ${number}`, exact: true }).waitFor();
  }
  expect(lists).toEqual([]);
  await expect.poll(() => page.title()).toMatch(/^\(5\) Board/);

  const imported = orderRequest({ store_id: tenant.storeId, ready_by: soon() });
  expect((await importLines(service, tenant.key, `${JSON.stringify(imported)}\n`)).status).toBe(200);
  await expect.poll(() => page.locator('.ticket').count()).toBe(6);
});

test('two browsers and two tabs see each other’s changes without asking for lists', async () => {
  const tenant = await createTenant(service);
  const { body: order } = await takeIn(service, tenant, { external_id: 'A-1', ready_by: soon() });
  const kitchen = await openConsole(browser, service.url, tenant.key);
  const counter = await openConsole(browser, service.url, tenant.key);
  await goToBoard(kitchen.page, service.url, tenant.storeId);
  await goToBoard(counter.page, service.url, tenant.storeId);
  const secondTab = await counter.context.newPage();
  const streams: string[] = [];
  secondTab.on('request', (request) => {
    if (request.url().includes('/events/stream')) streams.push(request.url());
  });
  await goToBoard(secondTab, service.url, tenant.storeId);
  const lists = [...[kitchen.page, counter.page, secondTab].map(noteLists)];

  await kitchen.page.getByRole('button', { name: 'Accept 1' }).click();
  for (const page of [counter.page, secondTab]) await page.getByRole('button', { name: 'Ready 1' }).waitFor();
  await patch(service, tenant.key, order.id, { status: 'READY' });
  for (const page of [kitchen.page, counter.page, secondTab])
    await page.getByRole('button', { name: 'Hand over 1' }).waitFor();
  expect(lists).toEqual([[], [], []]);
  // The tabs of one browser share a stream; when the one that holds it goes, the other takes over.
  expect(streams).toEqual([]);
  await counter.page.close();
  await expect.poll(() => streams.length).toBe(1);
  await patch(service, tenant.key, order.id, { status: 'FULFILLED' });
  await expect.poll(() => numbersOn(secondTab)).toEqual([]);
});

test('a board outlives a restart of the service, with nothing lost and nothing doubled', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant, { external_id: 'A-1', ready_by: soon() });
  const other = await service.replica();
  const { page, front } = await openBoard(tenant);
  await page.getByRole('article', { name: 'Order 1' }).waitFor();

  front.leadTo(undefined);
  await page.getByText('Live', { exact: true }).waitFor({ state: 'hidden' });
  await takeIn(other, tenant, { external_id: 'A-2', ready_by: soon() });
  front.leadTo(other.url);
  await page.getByText('Live', { exact: true }).waitFor();
  await takeIn(other, tenant, { external_id: 'A-3', ready_by: soon() });
  await expect.poll(async () => (await numbersOn(page)).sort()).toEqual(['1', '2', '3']);
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await other.stop();
});

test('a stream that has been silent for 30 seconds is said to be, and the board looks for itself until it is back', async () => {
  const tenant = await createTenant(service);
  const { page, front } = await openBoard(tenant);
  front.silenceStreams(true);
  await takeIn(service, tenant, { external_id: 'A-1', ready_by: soon() });
  expect(await numbersOn(page)).toEqual([]);

  await page.clock.fastForward(31_000);
  await page.getByText(/^Not live since \d\d:\d\d\. Looking for changes every 5 seconds/).waitFor();
  await page.getByText('Live', { exact: true }).waitFor({ state: 'hidden' });
  await page.getByRole('article', { name: 'Order 1' }).waitFor();
  await takeIn(service, tenant, { external_id: 'A-2', ready_by: soon() });
  await page.getByRole('article', { name: 'Order 2' }).waitFor();

  front.silenceStreams(false);
  // The stream that was opened meanwhile has brought nothing yet; it is given up like the one before it.
  await page.clock.fastForward(31_000);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText(/^Not live since/).waitFor({ state: 'detached' });
  const lists = noteLists(page);
  await takeIn(service, tenant, { external_id: 'A-3', ready_by: soon() });
  await expect.poll(async () => (await numbersOn(page)).sort()).toEqual(['1', '2', '3']);
  expect(lists).toEqual([]);
});
