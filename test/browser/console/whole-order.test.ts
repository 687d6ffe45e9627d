import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { guestClient, openForGuests, TWO_COFFEES } from '../../harness/guest.js';
import { patch, takeIn, type OrderBody } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { goToBoard, inMinutes, openConsole, zoneOfNoon } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);
const guest = guestClient(service);

const orderOf = async (key: string, id: unknown) =>
  (await ask<OrderBody>(`${service.url}/manage/v1/orders/${String(id)}`, { key })).body;

const sumsOf = async ({ storeId, key }: Tenant) => {
  const url = `${service.url}/manage/v1/stores/${storeId}/orders`;
  return (await ask<{ orders: { due: number }[] }>(url, { key })).body.orders.map(({ due }) => due);
};

test('a card and a page show number, service, source, fees, address and what is due, and take a payment in two taps', async () => {
  const owner = await createTenant(service);
  const storeId = await createStore(service, owner.merchantId, { currency: 'EUR' });
  const { body: order } = await takeIn(
    service,
    { storeId, key: owner.key },
    {
      ready_by: inMinutes(30),
      service: 'delivery',
      source: { name: 'Glovo', reference: 'GL-88' },
      references: { till: '146' },
      items: [{ name: 'Soup', quantity: 2, price: 400, tax: 40 }],
      charges: [{ kind: 'delivery', name: 'Delivery fee', price: 250, tax: 25 }],
      discounts: [{ name: 'First order', price: 100, tax: 10 }],
      tip: 120,
      price: 950,
      tax: 95,
      payments: [{ method: 'online', amount: 165, reference: 'ch_1' }],
      delivery: {
        address: { line_1: 'Calle Mayor 1', city: 'Madrid', latitude: 40.4, longitude: -3.7 },
        notes: 'Second bell',
      },
    },
  );
  const { page } = await openConsole(browser, service.url, owner.key);
  await goToBoard(page, service.url, storeId);
  const card = page.getByRole('article', { name: 'Order 1' });
  await expect
    .poll(async () => (await card.innerText()).split('\n'))
    .toEqual(expect.arrayContaining(['1', 'Delivery', '€10.00 due', 'Glovo GL-88']));
  expect(await card.locator('.badge .icon').count()).toBeGreaterThan(0);

  await page.goto(`${service.url}/console/stores/${storeId}/orders/${order.id}`);
  await page.getByRole('heading', { name: 'Items' }).waitFor();
  expect(await page.locator('.totals').first().innerText()).toMatch(
    /Delivery fee\s+\+€2\.75\s+First order\s+−€1\.10\s+Total\s+€10\.45\s+Tax in it\s+€0\.95\s+Tip\s+€1\.20/,
  );
  const link = page.getByRole('link', { name: 'Calle Mayor 1, Madrid' });
  expect(await link.getAttribute('href')).toMatch(/^geo:40\.4,-3\.7\?q=40\.4,-3\.7\(Calle/);
  for (const text of ['“Second bell”', '146', 'ch_1', 'Glovo']) await page.getByText(text).first().waitFor();

  await page.getByRole('button', { name: 'Add a payment' }).click();
  await page.getByRole('button', { name: 'Cash' }).click();
  await page.getByText('Paid', { exact: true }).first().waitFor();
  expect(await orderOf(owner.key, order.id)).toMatchObject({
    due: 0,
    payments: [{ method: 'online' }, { method: 'cash', amount: 1000 }],
  });
});

test('an order is changed in a dialog: fewer, removed, added with choices, the difference first', async () => {
  const shop = await openForGuests(service);
  const items = TWO_COFFEES.items.map((item) => ({ ...item, comments: 'Extra hot' }));
  await guest.order(shop.place.code, { items });
  const { body: list } = await shop.manage<{ orders: OrderBody[] }>('GET', '/orders');
  const id = list.orders[0]?.id;
  const { page } = await openConsole(browser, service.url, shop.key, { expected: /409/ });
  await page.goto(`${service.url}/console/stores/${shop.storeId}/orders/${id}`);
  await page.getByRole('button', { name: 'Change order' }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Send the change' });
  await dialog.getByText('“Extra hot”').waitFor();
  await dialog.getByRole('button', { name: 'Fewer: Café' }).click();
  await dialog.getByText('New total: €1.16').waitFor();
  await dialog.getByText('−€1.16').waitFor();
  await dialog.getByLabel('Add from the menu').fill('coff');
  await dialog.getByRole('button', { name: /^Coffee/ }).click();
  await dialog.getByLabel(/^Oat/).check();
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await dialog.getByLabel('Add from the menu').fill('cake');
  await dialog.getByRole('button', { name: /^Cake/ }).click();
  await dialog.getByText('New total: €5.62').waitFor();
  await dialog.getByText('+€3.30').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByLabel('Something is sold out').check();

  // Somebody else is faster: nothing is lost, and a sentence says what to do.
  await patch(service, shop.key, String(id), { in_pos: true });
  await send.click();
  await dialog.getByText('Someone else has changed the order meanwhile').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(await orderOf(shop.key, id)).toMatchObject({ price: 210, tax: 22 });

  await page.getByRole('button', { name: 'Change order' }).click();
  await dialog.getByRole('button', { name: 'Remove Café' }).click();
  await dialog.getByText('Nothing is left of the order').waitFor();
  await dialog.getByLabel('Add from the menu').fill('cake');
  await dialog.getByRole('button', { name: /^Cake/ }).click();
  await dialog.getByLabel('Another reason').check();
  await dialog.getByLabel('What the guest is told').fill('No milk today');
  await send.click();
  await dialog.waitFor({ state: 'detached' });
  expect(await orderOf(shop.key, id)).toMatchObject({
    price: 300,
    tax: 30,
    due: 330,
    reason: 'other',
    reason_text: 'No milk today',
    items: [{ external_id: 'cake', name: 'Tarta', quantity: 1, price: 300, tax: 30 }],
  });
  // Lines, price and tax are one change.
  await page.getByText('changed the order').first().waitFor();
  await expect.poll(() => page.getByText('changed the order').count()).toBe(1);
});

test('an order for tomorrow lies under Later, rings once, and rings again when it must be begun', async () => {
  const owner = await createTenant(service);
  const storeId = await createStore(service, owner.merchantId, { timezone: zoneOfNoon() });
  const { page } = await openConsole(browser, service.url, owner.key);
  await page.clock.install();
  await page.addInitScript(`
    window.rung = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) { window.rung += 1; return start.apply(this, given); };
  `);
  await goToBoard(page, service.url, storeId);
  const rung = () => page.evaluate<number>('window.rung');
  await page.getByRole('button', { name: 'Sound off' }).click();
  await page.getByRole('button', { name: 'Sound on' }).waitFor();
  await expect.poll(rung).toBe(2);
  await takeIn(service, { storeId, key: owner.key }, { ready_by: inMinutes(24 * 60) });
  const later = page.getByRole('region', { name: /^Later/ });
  await later.getByRole('article', { name: 'Order 1' }).waitFor();
  expect(await page.locator('.columns .ticket').count()).toBe(0);
  await expect.poll(rung).toBe(4);
  await page.clock.runFor(20_000);
  expect(await rung()).toBe(4);
  expect(await page.getByRole('button', { name: 'Silence' }).count()).toBe(0);

  await page.clock.fastForward((24 * 60 - 10) * 60_000);
  await page.getByText('1 order to start').waitFor();
  await later.waitFor({ state: 'detached' });
  await page.locator('.columns').getByText('Time to start').waitFor();
  await expect.poll(rung).toBeGreaterThan(4);
  await page.getByRole('button', { name: 'Silence' }).click();
  await page.getByText('Time to start').waitFor({ state: 'detached' });
});

test('the places page says what each table owes and settles it, also while an order arrives', async () => {
  const shop = await openForGuests(service);
  await guest.order(shop.place.code);
  const { page } = await openConsole(browser, service.url, shop.key, { expected: /409/ });
  await page.goto(`${service.url}/console/stores/${shop.storeId}/places`);
  await page.getByRole('cell', { name: '€2.32' }).waitFor();
  await page.getByRole('button', { name: 'Settle Table 7' }).click();
  await page.getByRole('dialog').getByText('Order 1').waitFor();
  await guest.order(shop.place.code);
  await page.getByRole('dialog').getByRole('button', { name: 'Card' }).click();
  await page.getByText('The bill has changed meanwhile').waitFor();
  await page.getByRole('dialog').getByText('€4.64').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Card' }).click();
  await page.getByText('Table 7 is settled').waitFor();
  expect(await sumsOf(shop)).toEqual([0, 0]);
  await page.getByRole('button', { name: 'Settle Table 7' }).waitFor({ state: 'detached' });

  // What the table is called now is in the lists too.
  await shop.manage('PATCH', `/places/${shop.place.id}`, { label: 'Terrace 1' });
  for (const list of ['', '/orders']) {
    await page.goto(`${service.url}/console/stores/${shop.storeId}${list}`);
    await page
      .getByText(/^(Ana, )?Terrace 1$/)
      .first()
      .waitFor();
  }
});
