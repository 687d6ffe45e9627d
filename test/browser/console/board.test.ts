import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { patch, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { goToBoard, inMinutes, openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const soon = () => inMinutes(20);
const statusOf = async ({ key }: Tenant, id: string) =>
  (await ask<{ status: string }>(`${service.url}/v1/orders/${id}`, { key })).body.status;

test('a card has all that the kitchen needs, and its move goes out after five seconds, not before', async () => {
  const owner = await createTenant(service);
  const storeId = await createStore(service, owner.merchantId, { currency: 'EUR', timezone: 'Asia/Tokyo' });
  const tenant = { ...owner, storeId };
  const { body: order } = await takeIn(service, tenant, {
    external_id: 'table-seven-0042',
    customer: { name: 'Zoë Ångström', phone: '+1' },
    customer_comments: 'No onions, please',
    items: [
      {
        external_id: 'bowl',
        name: 'Falafel bowl',
        quantity: 3,
        modifiers: [{ name: 'Tahini', quantity: 2 }],
      },
    ],
    price: 1050,
    tax: 105,
    created_at: '2026-11-15T23:30:00Z',
    ready_by: soon(),
  });
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.clock.install();
  await goToBoard(page, service.url, tenant.storeId);
  const card = page.getByRole('article', { name: 'Order 1' });
  for (const text of ['1', 'Zoë Ångström', '3×', 'Falafel bowl', '2× Tahini', 'No onions, please', '€11.55'])
    await card.getByText(text, { exact: true }).waitFor();
  await card.getByText(/^08:30 → \d\d:\d\d · 1 line$/).waitFor();

  const moves: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('status') === true) moves.push(request.url());
  });
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Accept 1' }).click();
  await page.clock.runFor(4_500);
  await card.getByText(/^In the kitchen in \d s$/).waitFor();
  expect([moves, await statusOf(tenant, order.id)]).toEqual([[], 'PENDING']);
  await page.clock.runFor(1_000);
  await expect.poll(() => statusOf(tenant, order.id)).toBe('ACCEPTED');
});

test('rejecting and cancelling ask first, also those who use the keyboard alone', async () => {
  const tenant = await createTenant(service);
  const { body: first } = await takeIn(service, tenant, { external_id: 'A-1', ready_by: soon() });
  const { body: second } = await takeIn(service, tenant, { external_id: 'A-2', ready_by: soon() });
  await patch(service, tenant.key, second.id, { status: 'ACCEPTED' });
  const { page } = await openConsole(browser, service.url, tenant.key);
  await goToBoard(page, service.url, tenant.storeId);
  const focused = () =>
    page.evaluate<string | null>(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
    );
  const tabTo = (name: string) =>
    expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return focused();
      })
      .toBe(name);

  await tabTo('Reject 1');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Reject 1?' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('Reject 1');
  expect(await statusOf(tenant, first.id)).toBe('PENDING');
  await page.keyboard.press('Enter');
  await page.getByRole('radio').first().focus();
  await page.keyboard.press('Space');
  await tabTo('Reject the order');
  await page.keyboard.press('Enter');
  await expect.poll(() => statusOf(tenant, first.id)).toBe('REJECTED');
  await page.getByRole('article', { name: 'Order 1' }).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Cancel 2' }).click();
  await page.getByLabel('The customer cancelled').check();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await expect.poll(() => statusOf(tenant, second.id)).toBe('CUSTOMER_CANCELLED');
});

test('kitchen mode fills the screen, with larger type, and Back leaves it', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant, { external_id: 'A-1', ready_by: soon() });
  const { page } = await openConsole(browser, service.url, tenant.key);
  await goToBoard(page, service.url, tenant.storeId);
  const look = () =>
    page.evaluate<{ number: number; items: number; links: number; isFull: boolean }>(`({
      number: parseFloat(getComputedStyle(document.querySelector('.call-number')).fontSize),
      items: parseFloat(getComputedStyle(document.querySelector('.ticket-items')).fontSize),
      links: document.querySelectorAll('nav a').length,
      isFull: document.fullscreenElement !== null,
    })`);
  const before = await look();
  await page.getByRole('button', { name: 'Kitchen mode' }).click();
  await expect.poll(look).toMatchObject({ links: 0, isFull: true });
  const during = await look();
  expect(during.number).toBeGreaterThan(before.number * 1.4);
  expect(during.items).toBeGreaterThan(before.items * 1.3);
  expect(new URL(page.url()).search).toBe('?kitchen=on');
  await page.goBack();
  await expect.poll(async () => (await look()).links).toBe(before.links);
  await goToBoard(page, service.url, tenant.storeId, '?kitchen=on');
  await page.getByRole('button', { name: 'Leave kitchen mode' }).click();
  await expect.poll(async () => (await look()).number).toBe(before.number);
});
