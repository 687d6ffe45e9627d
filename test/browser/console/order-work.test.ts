import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { patch, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { inMinutes, openConsole, stopTime } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const orderOf = async ({ key }: Tenant, id: string) =>
  (await ask<{ status: string; ready_by: string }>(`${service.url}/v1/orders/${id}`, { key })).body;

test('an order is rejected with a reason and one button that confirms', async () => {
  const tenant = await createTenant(service);
  const { body: order } = await takeIn(service, tenant, { external_id: 'A-18', ready_by: inMinutes(20) });
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/orders/${order.id}`);
  await page.getByRole('button', { name: 'Reject 1' }).click();
  const confirm = page.getByRole('button', { name: 'Reject the order' });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel('Too busy').check();
  await confirm.click();
  await page.getByText('gave the reason: Too busy').waitFor();
  const { body } = await ask<Record<string, unknown>>(`${service.url}/manage/v1/orders/${order.id}`, {
    key: tenant.key,
  });
  expect(body).toMatchObject({ status: 'REJECTED', reason: 'too_busy' });
});

test('an order is worked on its own page, which others see at once and which sees what others do', async () => {
  const tenant = await createTenant(service);
  const readyBy = inMinutes(20);
  const { body: order } = await takeIn(service, tenant, { external_id: 'A-17', ready_by: readyBy });
  const { page } = await openConsole(browser, service.url, tenant.key);
  const other = await openConsole(browser, service.url, tenant.key);
  const address = `${service.url}/console/stores/${tenant.storeId}/orders`;
  await other.page.goto(address);
  await other.page.getByRole('cell', { name: 'New', exact: false }).first().waitFor();
  await page.goto(`${address}/${order.id}`);

  await page.getByRole('button', { name: 'More minutes for 1' }).click();
  await page.getByRole('button', { name: /^\+15 min/ }).click();
  const later = new Date(Date.parse(readyBy) + 15 * 60_000).toISOString();
  await expect.poll(async () => (await orderOf(tenant, order.id)).ready_by).toBe(later);
  // A promise can be taken back.
  await page.locator('.toast').getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await orderOf(tenant, order.id)).ready_by).toBe(readyBy);

  // Also much later, from the history; a step to another status is said to be final.
  await patch(service, tenant.key, order.id, { ready_by: later });
  await page.reload();
  await page.locator('.history').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await orderOf(tenant, order.id)).ready_by).toBe(readyBy);

  await stopTime(page);
  await page.getByRole('button', { name: 'Accept 1' }).click();
  await page.getByRole('button', { name: 'Undo 1' }).click();
  await page.getByRole('button', { name: 'Accept 1' }).click();
  await page.clock.resume();
  await page.getByText('1: accepted. This cannot be taken back, but the order can be cancelled.').waitFor();
  await page.getByRole('button', { name: 'Ready 1' }).waitFor();
  await page.getByText('A step from one status to the next cannot be undone').waitFor();
  await other.page.getByText('In the kitchen').first().waitFor();
  expect((await orderOf(tenant, order.id)).status).toBe('ACCEPTED');

  await patch(service, tenant.key, order.id, { status: 'READY' });
  await page.getByRole('button', { name: 'Hand over 1' }).waitFor();
  await page.getByRole('button', { name: 'Cancel 1' }).click();
  await page.getByLabel('Another reason').check();
  await page.getByLabel('What the guest is told').fill('The oven broke');
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByText('The oven broke').waitFor();
  await page.getByText('Cancelled by the store').first().waitFor();
  await other.page.getByText('Cancelled by the store').first().waitFor();
  await expect.poll(() => page.locator('.order-work button').count()).toBe(0);

  await page.evaluate('window.print = () => (window.printed = true)');
  await page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => page.evaluate('window.printed')).toBe(true);

  // A new order is in the list without a reload.
  await takeIn(service, tenant, { external_id: 'A-18', ready_by: readyBy });
  await other.page.getByRole('link', { name: '2', exact: true }).waitFor();
});

test('a search by number finds an order that is long done, also by the number it came with', async () => {
  const tenant = await createTenant(service);
  const { body: done } = await takeIn(service, tenant, {
    external_id: 'till-1-004711',
    ready_by: inMinutes(9),
  });
  await patch(service, tenant.key, done.id, { status: 'REJECTED' });
  await takeIn(service, tenant, { external_id: 'A-18', ready_by: inMinutes(9) });
  const { page } = await openConsole(browser, service.url, tenant.key);
  for (const [text, found] of [
    ['1', '1'],
    ['till-1-004711', '1'],
    ['2', '2'],
    ['002', '2'],
  ] as const) {
    await page.goto(`${service.url}/console/stores/${tenant.storeId}/orders?q=${text}`);
    await page.getByText('1 order has this number').waitFor();
    const numbered = page.getByRole('region', { name: 'Orders with this number' });
    await expect.poll(() => numbered.getByRole('link').allTextContents()).toEqual([found]);
  }
});

test('the lines of an order add up to its total, with what each choice costs', async () => {
  const owner = await createTenant(service);
  const storeId = await createStore(service, owner.merchantId, { currency: 'EUR' });
  const tenant = { ...owner, storeId };
  const coffee = { name: 'Flat white', quantity: 2, price: 380 };
  const { body: order } = await takeIn(service, tenant, {
    items: [
      { ...coffee, modifiers: [{ name: 'Oat milk', quantity: 1, price_change: 60 }] },
      {
        name: 'Bowl',
        quantity: 1,
        price: 1290,
        modifiers: [{ name: 'Tahini', quantity: 2, price_change: 105 }],
      },
      { name: 'Cake', quantity: 1, price: 560 },
    ],
    price: 2840,
    tax: 284,
  });
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${storeId}/orders/${order.id}`);
  await page.getByRole('heading', { name: 'Items' }).waitFor();
  const lines = await page.locator('.order-line > .number:not(.choices)').allTextContents();
  expect(lines).toEqual(['€8.80', '€15.00', '€5.60']);
  for (const text of ['€3.80 each', '+€0.60', '+€2.10']) await page.getByText(text).waitFor();
  // What was given for free is told too: 29.40 less 1.00, and the tax that the lines do not state.
  expect(await page.locator('.totals').innerText()).toMatch(
    /discounts, fees\s+−€1\.00\s+Tax\s+€2\.84\s+Total\s+€31\.24/,
  );

  const { body: guest } = await takeIn(service, tenant, {
    items: [{ ...coffee, tax: 38, modifiers: [{ name: 'Oat milk', price_change: 60, tax_change: 6 }] }],
    price: 880,
    tax: 88,
  });
  await page.goto(`${service.url}/console/stores/${storeId}/orders/${guest.id}`);
  await page.getByText('€4.18 each').waitFor();
  await page.getByText('+€0.66').waitFor();
  expect(await page.locator('.order-line > .number:not(.choices)').allTextContents()).toEqual(['€9.68']);
  expect(await page.locator('.totals').innerText()).toMatch(/^\s*Total\s+€9\.68\s+Tax in it\s+€0\.88\s*$/);
});

test('the history names who did what, to staff too, and calls one’s own doing “You”', async () => {
  const tenant = await createTenant(service);
  const about = { merchant_id: tenant.merchantId, permissions: ['read', 'orders:write'] };
  const tablet = await createKey(service, { ...about, label: 'Kitchen tablet' });
  const counter = await createKey(service, { ...about, label: 'Counter' });
  const { body: order } = await takeIn(service, tenant, { ready_by: inMinutes(20) });
  await patch(service, tablet.key, order.id, { status: 'ACCEPTED' });
  await patch(service, service.operatorKey, order.id, { in_pos: true });
  await patch(service, counter.key, order.id, { status: 'READY' });
  const { page } = await openConsole(browser, service.url, counter.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/orders/${order.id}`);
  await page.getByText('Kitchen tablet accepted it').waitFor();
  await page.getByText('You made it ready').waitFor();
  await page.getByText('The operator entered it in the till').waitFor();
  expect(await page.locator('.history').innerText()).not.toContain(tablet.id);
});
