import { expect, test } from 'vitest';
import { coffeeMenu, openForGuests } from '../../harness/guest.js';
import type { OrderBody } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createKey } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { goToBoard, openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

type Shop = Awaited<ReturnType<typeof openForGuests>>;
const ordersOf = async ({ manage }: Shop) =>
  (await manage<{ orders: OrderBody[] }>('GET', '/orders')).body.orders;

async function openDialog(shop: Shop, expected: RegExp) {
  const { page } = await openConsole(browser, service.url, shop.key, { expected });
  await goToBoard(page, service.url, shop.storeId);
  await page.getByRole('button', { name: 'New order' }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Send to the kitchen' });
  const add = async (name: string) => {
    await dialog.getByLabel('Add from the menu').fill(name);
    await dialog.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  };
  return { page, dialog, send, add };
}

test('a call is an order: dishes with choices, the total of the quote, one order for two taps', async () => {
  const shop = await openForGuests(service);
  const { page, dialog, send, add } = await openDialog(shop, /409|422/);
  expect(await send.isDisabled()).toBe(true);
  await add('Coffee');
  await dialog.getByLabel(/^Oat/).check();
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await dialog.getByText('Total: €1.16').waitFor();
  await dialog.getByRole('button', { name: 'More: Coffee' }).click();
  await add('Cake');
  await dialog.getByText('Total: €5.62').waitFor();
  await dialog.getByText(/^Ready by /).waitFor();

  // Without a name it stays here, and closing it by mistake asks first.
  await send.click();
  expect(await dialog.locator('input[name=name]:invalid').count()).toBe(1);
  page.once('dialog', (question) => void question.dismiss());
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Name').fill('Marta');
  await dialog.getByLabel('Phone').fill('+34 600 100 200');
  await dialog.getByLabel('Service').selectOption('Delivery');
  await dialog.getByLabel('Address').fill('Calle Mayor 1');
  await dialog.getByLabel('Note').fill('Ring twice');
  await dialog.getByLabel(/^When/).fill('2020-01-01T12:00');
  await dialog.getByText('That is too soon for the kitchen. The next free time is').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByLabel(/^When/).fill('');
  await dialog.getByText('Total: €5.62').waitFor();
  await send.dblclick();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Order 1 is taken').waitFor();
  await page.getByRole('article', { name: 'Order 1' }).getByText('Marta').waitFor();
  expect(await ordersOf(shop)).toMatchObject([
    {
      number: 1,
      status: 'PENDING',
      customer: { name: 'Marta', phone: '+34 600 100 200' },
      customer_comments: 'Ring twice',
      service: 'delivery',
      delivery: { address: { line_1: 'Calle Mayor 1' } },
      price: 510,
      tax: 52,
      items: [
        {
          external_id: 'coffee',
          name: 'Café',
          quantity: 2,
          modifiers: [{ group_external_id: 'milk', external_id: 'oat', name: 'Avena', quantity: 1 }],
        },
        { external_id: 'cake', name: 'Tarta', quantity: 1, price: 300, tax: 30, modifiers: [] },
      ],
    },
  ]);
});

test('an answer that was lost makes no second order, and a changed one is not taken in its place', async () => {
  const shop = await openForGuests(service);
  const { page, dialog, send, add } = await openDialog(shop, /failed|Failed|ERR_|409/);
  await add('Cake');
  await dialog.getByLabel('Name').fill('Marta');
  let sent = 0;
  await page.route('**/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent += 1;
    await route.fetch();
    return route.abort();
  });
  await dialog.getByText('Total: €3.30').waitFor();
  await send.click();
  await dialog.getByText('The service cannot be reached').waitFor();
  expect(sent).toBeGreaterThan(0);
  expect(await ordersOf(shop)).toHaveLength(1);
  await page.unroute('**/orders');
  await dialog.getByRole('button', { name: 'More: Cake' }).click();
  await dialog.getByText('Total: €6.60').waitFor();
  await send.click();
  await dialog.getByText('This order has been taken already').waitFor();
  await dialog.getByRole('button', { name: 'Fewer: Cake' }).click();
  await dialog.getByText('Total: €3.30').waitFor();
  await send.click();
  await dialog.waitFor({ state: 'detached' });
  expect(await ordersOf(shop)).toHaveLength(1);
});

test('what sold out or cost more meanwhile is said in words before it is sent again', async () => {
  const shop = await openForGuests(service);
  const { dialog, send, add } = await openDialog(shop, /409|422/);
  await add('Cake');
  await dialog.getByLabel('Name').fill('Marta');
  await dialog.getByText('Total: €3.30').waitFor();
  await shop.manage('PATCH', '/menu', {
    changes: [{ kind: 'item', external_id: 'cake', set: { price: 400, tax: 40 } }],
  });
  await send.click();
  await dialog.getByText('Prices have changed meanwhile').waitFor();
  await dialog.getByText('Total: €4.40').waitFor();
  expect(await ordersOf(shop)).toEqual([]);

  await shop.manage('PATCH', '/menu/items/cake', { left: 1 });
  await dialog.getByRole('button', { name: 'More: Cake' }).click();
  await dialog.getByText('Cake: 1 portion left').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Fewer: Cake' }).click();
  await dialog.getByText('Total: €4.40').waitFor();
  await shop.manage('PATCH', '/menu/items/cake', { in_stock: false, left: null });
  await send.click();
  await dialog.getByText('Cake: sold out', { exact: false }).first().waitFor();
  expect(await ordersOf(shop)).toEqual([]);
  await shop.manage('PATCH', '/menu/items/cake', { in_stock: true });
  await add('Coffee');
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await dialog.getByText('Total: €5.50').waitFor();
  await send.click();
  await dialog.waitFor({ state: 'detached' });
  expect(await ordersOf(shop)).toMatchObject([{ price: 500, tax: 50 }]);
});

test('who may not take orders in is not offered it, and a paused kitchen says so', async () => {
  const shop = await openForGuests(service);
  // A key of the kitchen sees no prices.
  for (const permissions of [['read'], ['kitchen:read', 'orders:write']]) {
    const { key } = await createKey(service, { merchant_id: shop.merchantId, permissions });
    const { page } = await openConsole(browser, service.url, key);
    await goToBoard(page, service.url, shop.storeId);
    expect(await page.getByRole('button', { name: 'New order' }).count()).toBe(0);
  }

  await shop.menu.post(coffeeMenu());
  await shop.manage('PATCH', '/intake', { pause: {} });
  const { dialog, send, add } = await openDialog(shop, /422/);
  await add('Cake');
  await dialog.getByText('No new orders are taken.').waitFor();
  expect(await send.isDisabled()).toBe(true);
});
