import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { chain, item, menuClient, text } from '../../harness/menu.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { findOverflow } from './accessibility.js';
import { inMinutes, openConsole, stopTime } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);
let tenant: Tenant;

const soon = () => inMinutes(20);
const statusOf = async (id: string) =>
  (await ask<{ status: string }>(`${service.url}/v1/orders/${id}`, { key: tenant.key })).body.status;

test('an order moves over the board, can be held back, and is seen by another browser', async () => {
  tenant = await createTenant(service);
  const { body: order } = await takeIn(service, tenant, { external_id: 'A-17', ready_by: soon() });
  const [kitchen, counter] = await Promise.all([
    openConsole(browser, service.url, tenant.key),
    openConsole(browser, service.url, tenant.key),
  ]);
  for (const { page } of [kitchen, counter]) {
    await page.goto(`${service.url}/console/stores/${tenant.storeId}/board`);
    await page.getByRole('button', { name: /^Accept / }).waitFor();
  }
  await expect.poll(() => kitchen.page.title()).toMatch(/^\(1\) Board/);

  await stopTime(kitchen.page);
  await kitchen.page.getByRole('button', { name: /^Accept / }).click();
  await kitchen.page.getByRole('button', { name: /^Undo / }).click();
  await kitchen.page.getByRole('button', { name: /^Accept / }).waitFor();
  await kitchen.page.clock.resume();
  expect(await statusOf(order.id)).toBe('PENDING');

  await kitchen.page.getByRole('button', { name: /^Accept / }).click();
  await expect.poll(() => statusOf(order.id)).toBe('ACCEPTED');
  await counter.page.getByRole('button', { name: /^Ready / }).waitFor();
  await expect.poll(() => counter.page.title()).toMatch(/^Board/);

  await counter.page.getByRole('button', { name: /^Cancel / }).click();
  await counter.page.getByRole('button', { name: 'Keep it' }).click();
  await counter.page.getByRole('button', { name: /^Ready / }).click();
  // Left within the five seconds: nobody is there to undo it, so it goes out at once.
  await counter.page.getByRole('link', { name: 'Orders', exact: true }).click();
  await expect.poll(() => statusOf(order.id)).toBe('READY');
});

test('a hostile order is shown as text, and breaks nothing', async () => {
  tenant = await createTenant(service);
  const long = 'x'.repeat(10_000);
  await takeIn(service, tenant, {
    customer: { name: `<img src=x onerror=alert(1)>\u202e${long}`.slice(0, 10_000), phone: '\u202e+1' },
    customer_comments: `</p><script>document.title='gone'</script>${long}`.slice(0, 10_000),
    items: Array.from({ length: 300 }, (_, i) => ({
      external_id: `<b>${i}`,
      name: `<i>${i}</i>${'y'.repeat(500)}`,
      quantity: i,
    })),
    ready_by: soon(),
  });
  for (const width of [360, 1280]) {
    const { page } = await openConsole(browser, service.url, tenant.key, {
      viewport: { width, height: 800 },
    });
    for (const path of ['board', 'orders']) {
      await page.goto(`${service.url}/console/stores/${tenant.storeId}/${path}`);
      await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
      expect(await findOverflow(page)).toBe(0);
      expect(await page.locator('main img, main script, main i, main b').count()).toBe(0);
    }
    await page.locator('a.order-link').first().click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await findOverflow(page)).toBe(0);
  }
});

test('an item is sold out in two taps on a phone, and several at once', async () => {
  tenant = await createTenant(service);
  const menu = menuClient(service, tenant);
  const items = [item('i', { name: text('Ice') }), item('j', { name: text('Juice') })];
  const categories = [{ external_id: 'c', name: text('c'), item_external_ids: ['i', 'j'] }];
  await menu.post({ ...chain(), items, categories });
  const { page } = await openConsole(browser, service.url, tenant.key, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu`);
  const inStock = async () => (await menu.flat()).body['items']?.map((each) => each.in_stock);
  const tap = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().tap();
  await tap(/^Ice\b/);
  await tap('Until I say so');
  await expect.poll(inStock).toEqual([false, true]);
  await page.getByText('Sold out').first().waitFor();

  for (const [what, then] of [
    ['Mark sold out', [false, false]],
    ['Back in stock', [true, true]],
  ] as const) {
    await tap('Select several');
    await tap(/^Ice\b/);
    await tap(/^Juice\b/);
    await tap(what);
    if (what === 'Mark sold out') await tap('Until I say so');
    await expect.poll(inStock).toEqual(then);
  }
});
