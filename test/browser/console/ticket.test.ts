import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { patch, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { goToBoard, inMinutes, openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

async function createBusyStore() {
  const owner = await createTenant(service);
  const tenant = { ...owner, storeId: await createStore(service, owner.merchantId, { currency: 'EUR' }) };
  const readyBy = inMinutes(20);
  const { body: order } = await takeIn(service, tenant, {
    external_id: 'A-17',
    customer_comments: 'Ring twice',
    items: [
      {
        external_id: 'bowl',
        name: 'Falafel bowl',
        quantity: 3,
        comments: 'No onions, allergy',
        note: 'From the till, not from the guest',
        modifiers: [{ name: 'Tahini', quantity: 2 }],
      },
    ],
    price: 1050,
    tax: 105,
    ready_by: readyBy,
  });
  return { tenant, order, readyBy };
}

test('a card gives an order more minutes in one tap, and takes them back', async () => {
  const { tenant, order, readyBy } = await createBusyStore();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await goToBoard(page, service.url, tenant.storeId);
  const minutesMore = async () => {
    const { body } = await ask<{ ready_by: string }>(`${service.url}/v1/orders/${order.id}`, tenant);
    return (Date.parse(body.ready_by) - Date.parse(readyBy)) / 60_000;
  };
  const card = page.getByRole('article', { name: 'Order 1' });
  await card.getByRole('button', { name: '10 more minutes for 1' }).click();
  await card.getByText(/^In (29|30) min$/).waitFor();
  expect(await minutesMore()).toBe(10);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(minutesMore).toBe(0);
  await card.getByText(/^In (19|20) min$/).waitFor();

  await card.getByText('“No onions, allergy”').waitFor();
  expect(await page.getByText('From the till').count()).toBe(0);
  await lookEverywhere(page);
});

test('the ticket alone is printed, on 80 mm paper, from the board and from the page of the order', async () => {
  const { tenant, order } = await createBusyStore();
  const { page } = await openConsole(browser, service.url, tenant.key, { colorScheme: 'dark' });
  const address = `${service.url}/console/stores/${tenant.storeId}`;
  for (const [path, button, begin, comment, next] of [
    ['board', 'Print 1', '', 'Ring twice', 'Ring thrice'],
    [`orders/${order.id}`, 'Print', "dispatchEvent(new Event('beforeprint'))", 'Ring thrice', 'Do not ring'],
  ] as const) {
    await page.goto(`${address}/${path}`);
    await page.evaluate('window.print = () => (window.printed = true)');
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect.poll(() => page.evaluate('window.printed')).toBe(true);
    // The browser's own print dialog begins with this event.
    await page.evaluate(begin);
    // What is being printed stays as it is.
    await patch(service, tenant.key, order.id, { customer_comments: next });
    await page.locator('main').getByText(next).first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const text = await page.evaluate<string>('document.body.innerText');
    for (const part of ['1', 'Centro', 'Łukasz Nowak', '3×', 'Falafel bowl', '2× Tahini', '€11.55'])
      expect(text).toContain(part);
    expect(text).toContain('“No onions, allergy”');
    expect(text).toContain(comment);
    expect(text).not.toMatch(/Board|Orders|Print|Accept|History/);
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [sheet, ...more] = [...paper.matchAll(/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/g)];
    expect(more).toEqual([]);
    expect(Number(sheet?.[1])).toBeCloseTo((80 / 25.4) * 72, -1);
    expect(Number(sheet?.[2])).toBeLessThan(450);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator('.print-ticket').count()).toBe(0);
  }
});

test('the ticket of a cancelled order says so', async () => {
  const { tenant, order } = await createBusyStore();
  await patch(service, tenant.key, order.id, { status: 'STORE_CANCELLED' });
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/orders/${order.id}`);
  await page.getByRole('heading', { name: /1/ }).first().waitFor();
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.locator('.print-ticket').getByText('CANCELLED', { exact: true }).waitFor({ state: 'attached' });
});
