import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { openForGuests } from '../../harness/guest.js';
import { takeIn, type OrderBody } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { useBrowser } from '../browser.js';
import { findOverflow } from './accessibility.js';
import { inMinutes, openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

test('a customer is erased from the page of an order, with every order of the same phone number', async () => {
  const shop = await openForGuests(service);
  const customer = { name: 'Ana Ruiz', phone: '+34 600 111 222' };
  const ids: string[] = [];
  for (const number of [1, 2]) {
    const { body } = await takeIn(service, shop, {
      customer,
      external_id: `a-${number}`,
      ready_by: inMinutes(9),
    });
    ids.push(body.id);
  }
  const other = await takeIn(service, shop, { ready_by: inMinutes(9) });
  const { page } = await openConsole(browser, service.url, shop.key);
  await page.goto(`${service.url}/console/stores/${shop.storeId}/orders/${ids[0]}`);
  await page.getByRole('button', { name: 'Erase the customer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/2 orders/).waitFor();
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Ana Ruiz').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Erase the customer' }).waitFor({ state: 'detached' });
  const customerOf = async (id: string) =>
    (await ask<OrderBody>(`${service.url}/manage/v1/orders/${id}`, { key: shop.key })).body.customer;
  for (const id of ids) expect(await customerOf(id)).toEqual({ name: '', phone: '' });
  expect(await customerOf(other.body.id)).toEqual(other.body.customer);
});

test('on a phone the menu page has one row of controls, and what is said of a dish names it', async () => {
  const shop = await openForGuests(service);
  const { page } = await openConsole(browser, service.url, shop.key, {
    viewport: { width: 390, height: 844 },
  });
  await page.goto(`${service.url}/console/stores/${shop.storeId}/menu`);
  const dish = page.getByRole('button', { name: /^Cake/ });
  await dish.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Until tomorrow' }).click();
  await page.getByText(/^Cake: /).waitFor();
  await dish.getByText('Sold out').waitFor();
  const rowsOf = (selector: string) =>
    page.evaluate<number>(`new Set(
      [...document.querySelectorAll('${selector}')]
        .map((one) => one.getBoundingClientRect())
        .filter(({ width, height }) => width > 1 && height > 1)
        .map(({ bottom }) => Math.round(bottom / 20)),
    ).size`);
  expect(await rowsOf('.menu-head .button')).toBe(1);
  expect(await rowsOf('.menu-controls input, .menu-controls button, .menu-controls select')).toBe(1);
  expect(await findOverflow(page)).toBe(0);

  await dish.click();
  await page.getByRole('dialog').getByRole('link', { name: 'Edit Cake' }).click();
  await page.getByRole('dialog', { name: 'Edit Cake' }).waitFor();
});
