import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { both, coffeeMenu, guestClient, openForGuests, type PlaceBody } from '../../harness/guest.js';
import { item, modifierGroup, modifierItem, text } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { useBrowser } from '../browser.js';
import { add, comeBack, openGuest, orderCard, press } from './open-guest.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const countOrders = async ({ storeId, key }: { storeId: string; key: string }) =>
  (await ask<{ orders: unknown[] }>(`${service.url}/manage/v1/stores/${storeId}/orders`, { key })).body.orders
    .length;

const orderButton = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /^Order/ });

async function openWith(...dishes: readonly string[]) {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code, { expected: /409|422|429/ });
  for (const dish of dishes) await add(page, dish);
  await press(page, /See your order/);
  await page.getByText(/^Ready at about/).waitFor();
  return { shop, page };
}

test('what sells out while the basket is open is marked there, and the rest can be ordered', async () => {
  const { shop, page } = await openWith('Coffee', 'Cake');
  await shop.manage('PATCH', '/menu/items/cake', { in_stock: false });
  await comeBack(page);
  const line = page.locator('.basket-line', { hasText: 'Cake' });
  await line.getByText('Sold out').waitFor();
  await orderButton(page).click();
  await page.getByText('Please look at the marked dishes first.').waitFor();
  expect(await countOrders(shop)).toBe(0);
  await line.getByRole('button', { name: 'Remove: Cake' }).click();
  await page.getByRole('button', { name: /^Order.*€1.10$/ }).click();
  await orderCard(page).waitFor();
  expect(await countOrders(shop)).toBe(1);
});

test('a dish that leaves the menu while it is open gives way to the basket', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await add(page, 'Coffee');
  await press(page, 'Cake');
  await page.getByRole('dialog').waitFor();
  const { items, categories, ...rest } = coffeeMenu();
  await shop.menu.post({
    ...rest,
    items: items.slice(0, 1),
    categories: categories.map((one) => ({ ...one, item_external_ids: ['coffee'] })),
  });
  await comeBack(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press(page, /See your order/);
  await orderButton(page).waitFor();
});

test('of a dish that runs low the basket says how many are left', async () => {
  const { shop, page } = await openWith('Cake');
  await shop.manage('PATCH', '/menu/items/cake', { left: 1 });
  await page.getByRole('dialog').getByRole('button', { name: 'More: Cake' }).click();
  await page.locator('.basket-line').getByText('Only 1 left').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Fewer: Cake' }).click();
  await page.getByText('Only 1 left').waitFor({ state: 'detached' });
  await orderButton(page).click();
  await orderCard(page).waitFor();
});

test('the menu says of what few are left, and no more can be chosen', async () => {
  const shop = await openForGuests(service);
  await shop.manage('PATCH', '/menu/items/cake', { left: 2 });
  await shop.manage('PATCH', '/menu/items/coffee', { left: 6 });
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await page.locator('article', { hasText: 'Cake' }).getByText('Only 2 left').waitFor();
  expect(await page.getByText(/^Only /).count()).toBe(1);
  await press(page, 'Cake');
  const more = page.getByRole('dialog').getByRole('button', { name: 'More: Quantity' });
  await more.click();
  await expect.poll(() => more.isDisabled()).toBe(true);
});

test('a pause closes the open basket, says until when, and ends by itself', async () => {
  const { shop, page } = await openWith('Cake');
  const until = new Date(Date.now() + 30 * 60_000).toISOString();
  await shop.manage('PATCH', '/intake', { pause: { until, note: 'Oven broke' } });
  await comeBack(page);
  await page
    .getByRole('dialog')
    .getByText(/^No orders are taken until .*\d\d:\d\d\.$/)
    .waitFor();
  await page.getByRole('dialog').getByText('Oven broke').waitFor();
  await expect.poll(() => orderButton(page).isDisabled()).toBe(true);
  await shop.manage('PATCH', '/intake', { pause: null });
  // Nobody touches the page: it looks by itself.
  await expect.poll(() => orderButton(page).isEnabled(), { timeout: 60_000 }).toBe(true);
  await orderButton(page).click();
  await orderCard(page).waitFor();
});

test('a pause that the page has not heard of refuses the order in a sentence', async () => {
  const { shop, page } = await openWith('Cake');
  await page.route(/\/guest\/v1\/places\/\w+$/, () => undefined);
  await shop.manage('PATCH', '/intake', { pause: {} });
  await orderButton(page).click();
  await page.getByText(/^No orders are taken at the moment\. The next free time is/).waitFor();
  expect(await countOrders(shop)).toBe(0);
});

test('a closed store says until when, and its menu can be read', async () => {
  const shop = await openForGuests(service);
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toLocaleDateString('en', {
    weekday: 'long',
    timeZone: 'UTC',
  });
  const hours = [{ day_of_week: tomorrow, time_periods: [{ start_time: '00:00', end_time: '24:00' }] }];
  await shop.manage('PATCH', '/intake/settings', { hours });
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await page.getByText(/^Closed until .*00:00\./).waitFor();
  await press(page, 'Cake');
  await page.getByRole('dialog').getByText('€3.30').waitFor();
  expect(await page.getByRole('button', { name: /^Add/ }).count()).toBe(0);
});

test('a price that moves is shown in the basket', async () => {
  const { shop, page } = await openWith('Coffee');
  await shop.menu.post(coffeeMenu({ price: 200, tax: 20 }));
  await comeBack(page);
  await page.getByText('Now €2.20, was €1.10').waitFor();
  await page.getByRole('button', { name: /^Order.*€2.20$/ }).click();
  await orderCard(page).getByText('€2.20').first().waitFor();
});

test('a price that moves under the tap is asked about again', async () => {
  const { shop, page } = await openWith('Coffee');
  await page.route('**/guest/v1/places/*/menu', () => undefined);
  await shop.menu.post(coffeeMenu({ price: 200, tax: 20 }));
  await page.getByRole('button', { name: /^Order.*€1.10$/ }).click();
  await page.getByText('Prices have changed: the total is now €2.20. Order again if that is fine.').waitFor();
  expect(await countOrders(shop)).toBe(0);
  await page.getByRole('button', { name: /^Order.*€2.20$/ }).click();
  await orderCard(page).getByText('€2.20').first().waitFor();
  expect(await countOrders(shop)).toBe(1);
});

test('a total that has moved is not said of another basket, nor before why that is refused', async () => {
  const { shop, page } = await openWith('Coffee');
  await page.route('**/guest/v1/places/*/menu', () => undefined);
  await shop.menu.post(coffeeMenu({ price: 200, tax: 20 }));
  await page.getByRole('button', { name: /^Order.*€1.10$/ }).click();
  const moved = page.getByText(/^Prices have changed/);
  await moved.waitFor();
  await press(page, 'More: Coffee');
  await page.getByRole('button', { name: /^Order.*€4.40$/ }).waitFor();
  expect(await moved.count()).toBe(0);
  await shop.manage('PATCH', '/menu/items/coffee', { left: 2 });
  await press(page, 'More: Coffee');
  await page.getByText('Only 2 left').waitFor();
  await page.getByText('Please look at the marked dishes first.').waitFor();
});

test('the promise in an open basket follows the kitchen', async () => {
  const { shop, page } = await openWith('Cake');
  const promise = page.getByText(/^Ready at about/);
  const before = await promise.textContent();
  await shop.manage('PATCH', '/intake/settings', { prep_minutes: 45 });
  await comeBack(page);
  await expect.poll(() => promise.textContent()).not.toBe(before);
});

test('a promise that moves far away under the tap is shown before the order goes', async () => {
  const { shop, page } = await openWith('Cake');
  await page.route('**/guest/v1/places/*/quote', () => undefined, { times: 1 });
  await shop.manage('PATCH', '/intake/settings', { prep_minutes: 1440 });
  const isAsked = page.waitForRequest(/\/quote$/);
  await comeBack(page);
  await isAsked;
  await orderButton(page).click();
  await page.getByText(/^The next free time is/).waitFor();
  expect(await countOrders(shop)).toBe(0);
  await press(page, /^Order for/);
  await orderCard(page).waitFor();
  expect(await countOrders(shop)).toBe(1);
});

test('a slot that fills offers the next free time', async () => {
  const shop = await openForGuests(service);
  await shop.manage('PATCH', '/intake/settings', { capacity: { slot_minutes: 60, orders: 1 } });
  const { body: counter } = await shop.manage<PlaceBody>('POST', '/places', {
    label: 'Counter',
    kind: 'pickup',
  });
  const { page } = await openGuest(browser, service.url, counter.code, { expected: /422/ });
  await add(page, 'Cake');
  await press(page, /See your order/);
  await page.getByText(/^Ready at about/).waitFor();
  const when = page.getByLabel('When');
  const quarters = await page.evaluate<string[]>(
    `[...document.querySelectorAll('dialog option')].map(({ value }) => value)`,
  );
  // The hour after the next, so that the other order is in the same slot.
  const wanted = quarters.find(
    (value) => value.slice(14, 16) === '30' && Date.parse(value) > Date.now() + 3_600_000,
  );
  await when.selectOption(wanted ?? '');
  const other = await guestClient(service).order(counter.code, { ready_by: wanted });
  expect(other.status).toBe(201);
  await orderButton(page).click();
  await page.getByText(/^The kitchen is fully booked for then\. The next free time is/).waitFor();
  await press(page, /^Order for/);
  await orderCard(page).waitFor();
  expect(await countOrders(shop)).toBe(2);
});

test('a dish that is not served at the time that the guest chooses is marked as that', async () => {
  const shop = await openForGuests(service);
  await shop.manage('PATCH', '', { timezone: 'UTC' });
  const later = Date.now() + 47 * 3_600_000;
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const time_periods = [{ start_time: '00:00', end_time: '24:00' }];
  const availability = days
    .filter((_, day) => day !== new Date(later).getUTCDay())
    .map((day_of_week) => ({ day_of_week, time_periods }));
  const { menus, ...rest } = coffeeMenu();
  await shop.menu.post({ ...rest, menus: menus.map((menu) => ({ ...menu, availability })) });
  const counter = await shop.manage<PlaceBody>('POST', '/places', { label: 'Counter', kind: 'pickup' });
  const { page } = await openGuest(browser, service.url, counter.body.code);
  await add(page, 'Cake');
  const quarter = new Date(Math.floor(later / 900_000) * 900_000).toISOString();
  const ready = page.locator('.pace');
  await ready.getByText(/^Ready in about/).waitFor();
  await page.getByLabel('When').selectOption(quarter);
  await ready.getByText(/^Ready at about .*\d\d:\d\d/).waitFor();
  await press(page, /See your order/);
  await page.locator('.basket-line').getByText('Not served at this time').waitFor();
});

test('too many orders from one place are answered with when to try again', async () => {
  const shop = await openForGuests(service, { most_open: 1 });
  await guestClient(service).order(shop.place.code);
  const { page } = await openGuest(browser, service.url, shop.place.code, { expected: /429/ });
  await add(page, 'Cake');
  await press(page, /See your order/);
  await page.getByText(/^Ready at about/).waitFor();
  await orderButton(page).click();
  await page.getByText(/^Too many orders from here just now\. Please try again at .*\d\d:\d\d\.$/).waitFor();
});

test('a name that is required is asked for', async () => {
  const shop = await openForGuests(service, { name: 'required', phone: 'optional' });
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await add(page, 'Cake');
  await press(page, /See your order/);
  await orderButton(page).click();
  await page.getByText('Please enter your name.').waitFor();
  await page.getByLabel('Your name').fill('Ana');
  await page.getByLabel('Your phone number (optional)').fill('600 555 100');
  await orderButton(page).click();
  await orderCard(page).waitFor();
});

/** A combo of a main with choices of its own, and sauces of which two are free. */
const comboMenu = {
  items: [
    item('combo', { name: text('Combo'), price: 1000, tax: 100, modifier_external_ids: ['main', 'sauces'] }),
    item('burger', { name: text('Burger'), modifier_external_ids: ['doneness'], sell_separately: false }),
  ],
  menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'] }],
  categories: [{ external_id: 'c', name: both('Todo', 'All'), item_external_ids: ['combo', 'burger'] }],
  modifier_groups: [
    modifierGroup('main', {
      name: text('Main'),
      group_min: 1,
      group_max: 1,
      modifier_item_external_ids: ['m-burger', 'm-salad'],
    }),
    modifierGroup('sauces', {
      name: text('Sauces'),
      group_max: 4,
      charge_after: 2,
      modifier_item_external_ids: ['mayo', 'chili', 'herbs'],
    }),
    modifierGroup('doneness', {
      name: text('Doneness'),
      group_min: 1,
      group_max: 1,
      modifier_item_external_ids: ['rare', 'well'],
    }),
  ],
  modifier_items: [
    modifierItem('m-burger', { name: text('Burger'), default_quantity: 1, menu_item_external_id: 'burger' }),
    modifierItem('m-salad', { name: text('Salad') }),
    modifierItem('mayo', { name: text('Mayo'), price_change: 50, tax_change: 5, max_quantity: 2 }),
    modifierItem('chili', { name: text('Chili'), price_change: 50, tax_change: 5 }),
    modifierItem('herbs', { name: text('Herbs'), price_change: 70, tax_change: 7 }),
    modifierItem('rare', { name: text('Rare') }),
    modifierItem('well', { name: text('Well done'), price_change: 0, tax_change: 0 }),
  ],
};

test('a combo asks for what its parts ask for, and costs what the kitchen is told', async () => {
  const shop = await openForGuests(service);
  await shop.menu.post(comboMenu);
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await press(page, 'Combo');
  const dialog = page.getByRole('dialog');
  const group = (name: string) => dialog.getByRole('group', { name, exact: true });
  expect(await dialog.getByLabel('Burger').isChecked()).toBe(true);
  await group('Main').getByText('Choose 1').first().waitFor();
  await group('Sauces').getByText('2 free').waitFor();
  await press(page, /^Add/);
  await group('Doneness').getByText('Still to choose').waitFor();
  await dialog.getByLabel('Well done').check();
  await press(page, 'More: Mayo');
  await press(page, 'More: Mayo');
  await dialog.getByLabel('Herbs').check();
  // The combo 11.00, the burger 0.06, and herbs, which come after the two that are free.
  await press(page, /^Add.*€11.83$/);
  await press(page, /See your order/);
  await page.getByText('Burger, Well done, 2 × Mayo, Herbs').waitFor();
  await page.getByText(/^Ready at about/).waitFor();
  await page.getByRole('button', { name: /^Order.*€11.83$/ }).click();
  await orderCard(page).waitFor();
  const { body } = await ask<{ orders: { price: number; tax: number; items: unknown[] }[] }>(
    `${service.url}/manage/v1/stores/${shop.storeId}/orders`,
    { key: shop.key },
  );
  expect(body.orders).toMatchObject([
    {
      price: 1075,
      tax: 108,
      items: [
        {
          external_id: 'combo',
          modifiers: [
            { external_id: 'm-burger', modifiers: [{ external_id: 'well' }] },
            { external_id: 'mayo', quantity: 2 },
            { external_id: 'herbs', quantity: 1 },
          ],
        },
      ],
    },
  ]);
});
