import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { openForGuests } from '../../harness/guest.js';
import { useService } from '../../harness/service.js';
import type { Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { goToBoard, openConsole } from '../console/open-console.js';
import { add, openGuest, orderCard, press } from './open-guest.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

interface Order {
  readonly id: string;
  readonly status: string;
  readonly customer: { readonly name: string };
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly comments?: string }[];
}

const ordersOf = async ({ storeId, key }: Tenant) =>
  (await ask<{ orders: Order[] }>(`${service.url}/manage/v1/stores/${storeId}/orders`, { key })).body.orders;

const change = (key: string, order: Order | undefined, patch: object) =>
  ask(`${service.url}/manage/v1/orders/${order?.id ?? ''}`, { method: 'PATCH', key, body: patch });

async function openBasket(page: Page): Promise<void> {
  await press(page, /See your order/);
  await page.getByText(/^Ready at about/).waitFor();
}

const ORDERS = '**/guest/v1/places/*/orders';
const ONE_ORDER = '**/guest/v1/orders/*';

test('an order at a table is on the board at once, and the guest sees what becomes of it', async () => {
  const shop = await openForGuests(service);
  const { page: board } = await openConsole(browser, service.url, shop.key);
  await goToBoard(board, service.url, shop.storeId);
  const { page } = await openGuest(browser, service.url, shop.place.code);

  await page.getByRole('heading', { name: 'Center' }).waitFor();
  await page.getByText('Table 7').waitFor();
  await press(page, 'Coffee');
  await page.getByLabel('Oat').check();
  await page.getByLabel('Note for the kitchen').fill('Very hot');
  await press(page, 'More: Quantity');
  await press(page, /^Add.*€2.32$/);
  await openBasket(page);
  await page.getByLabel('Your name (optional)').fill('Ana');
  await press(page, /^Order.*€2.32$/);

  const card = orderCard(page);
  await card.getByText('Waiting to be accepted').waitFor();
  await card.getByText(/^Ready at about .*\d\d:\d\d$/).waitFor();
  const number = (await card.locator('.number').textContent()) ?? '';
  await board.getByRole('article', { name: `Order ${number}` }).waitFor();
  const [order, ...others] = await ordersOf(shop);
  expect(others).toEqual([]);
  expect(order).toMatchObject({
    customer: { name: 'Ana' },
    place: { label: 'Table 7' },
    // The kitchen reads the store's own language.
    items: [{ name: 'Café', quantity: 2, comments: 'Very hot' }],
  });
  await page.getByRole('button', { name: /See your order/ }).waitFor({ state: 'detached' });

  await board.getByRole('button', { name: `Accept ${number}` }).click();
  await card.getByText('Being prepared').waitFor();
  expect(await card.getByRole('button', { name: 'Cancel order' }).count()).toBe(0);
  await change(shop.key, order, { status: 'READY' });
  await card.getByText('Ready, on its way to you').waitFor();
  await change(shop.key, order, { status: 'FULFILLED' });
  await card.getByText('Done. Enjoy!').waitFor();
  await press(page, 'Hide');
  await card.waitFor({ state: 'detached' });
});

test('the guest cancels while the order waits, and reads why another was rejected', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await add(page, 'Cake');
  await openBasket(page);
  await press(page, /^Order/);
  await press(page, 'Cancel order');
  await press(page, 'Yes, cancel it');
  await orderCard(page).getByText('Cancelled by you').waitFor();
  expect((await ordersOf(shop)).map(({ status }) => status)).toEqual(['CUSTOMER_CANCELLED']);

  await add(page, 'Cake');
  await openBasket(page);
  await press(page, /^Order/);
  await orderCard(page).getByText('Waiting to be accepted').waitFor();
  const waiting = (await ordersOf(shop)).find(({ status }) => status === 'PENDING');
  await change(shop.key, waiting, {
    status: 'REJECTED',
    reason: 'out_of_item',
    reason_text: 'The cake fell.',
  });
  await orderCard(page).getByText('Not accepted').waitFor();
  await page.getByText('Something you ordered has run out. The cake fell.').waitFor();
});

test('a kitchen that is faster than Cancel is told in a sentence, and without a stream the page asks by itself', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code, { expected: /409|FAILED|failed:/ });
  await page.route('**/guest/v1/orders/*/stream', (route) => route.abort());
  await add(page, 'Cake');
  await openBasket(page);
  await press(page, /^Order/);
  await press(page, 'Cancel order');
  await change(shop.key, (await ordersOf(shop))[0], { status: 'ACCEPTED' });
  await press(page, 'Yes, cancel it');
  await page.getByText('The kitchen has already accepted it. Please ask the staff.').waitFor();
  await orderCard(page).getByText('Being prepared').waitFor();
  const [accepted] = await ordersOf(shop);
  expect(accepted?.status).toBe('ACCEPTED');
  await change(shop.key, accepted, { status: 'READY' });
  await orderCard(page).getByText('Ready, on its way to you').waitFor();
});

test('a double tap is one order', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await add(page, 'Cake');
  await openBasket(page);
  await page.getByRole('button', { name: /^Order/ }).dblclick();
  await orderCard(page).waitFor();
  expect(await ordersOf(shop)).toHaveLength(1);
});

/** The service takes the order, and its answer is lost on the way. */
const loseResponse = async (route: Route) => {
  await route.fetch();
  await route.abort();
};

test('an order whose answer was lost is sent again by itself, and is one order', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code, { expected: /ERR_FAILED|failed:/ });
  await page.route(ORDERS, loseResponse, { times: 2 });
  await add(page, 'Cake');
  await openBasket(page);
  await page.getByLabel('Anything else we should know?').fill('It is a birthday');
  await press(page, /^Order/);
  await page.getByText(/^No answer yet/).waitFor();
  await page.keyboard.press('Escape');
  await add(page, 'Coffee');
  await orderCard(page).getByText('Waiting to be accepted').waitFor();
  expect(await ordersOf(shop)).toHaveLength(1);
  // What was added meanwhile is still there, and what was said of the cake is not said of the coffee.
  await page.getByRole('button', { name: /See your order.*€1.10$/ }).click();
  expect(await page.getByLabel('Anything else we should know?').inputValue()).toBe('');
});

test('what is added or changed while an order is being sent stays in the basket', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code);
  const held: Route[] = [];
  await page.route(ORDERS, (route) => void held.push(route));
  await add(page, 'Cake');
  await add(page, 'Coffee');
  await openBasket(page);
  await press(page, /^Order/);
  await press(page, 'More: Cake');
  await press(page, 'Change: Coffee');
  await page.getByLabel('Note for the kitchen').fill('Very hot');
  await press(page, /^Save/);
  await page.getByText('“Very hot”').waitFor();
  await held[0]?.continue();
  await orderCard(page).waitFor();
  const [order] = await ordersOf(shop);
  expect(order?.items.map(({ quantity }) => quantity)).toEqual([1, 1]);
  await page.getByRole('button', { name: /See your order.*€4.40$/ }).click();
  await page.locator('.basket-line', { hasText: 'Cake' }).getByText('1', { exact: true }).waitFor();
  await page.getByText('“Very hot”').waitFor();
});

test('an order that was sent again when too many asked is still one order', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code, {
    expected: /ERR_FAILED|failed:|429/,
  });
  const refuse = (route: Route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { detail: 'Too Many Requests' } });
  let sent = 0;
  await page.route(ORDERS, (route) => {
    sent += 1;
    if (sent === 1) return loseResponse(route);
    return sent < 4 ? refuse(route) : route.continue();
  });
  await add(page, 'Cake');
  await openBasket(page);
  await press(page, /^Order/);
  await page.getByText(/^No answer yet/).waitFor();
  await orderCard(page).getByText('Waiting to be accepted').waitFor();
  expect([sent, (await ordersOf(shop)).length]).toEqual([4, 1]);
});

test('two tabs of one guest send the same order once', async () => {
  const shop = await openForGuests(service);
  const { page, context } = await openGuest(browser, service.url, shop.place.code, {
    expected: /ERR_FAILED|failed:/,
  });
  await add(page, 'Cake');
  const other = await context.newPage();
  await other.goto(page.url());
  await openBasket(other);
  await page.route(ORDERS, loseResponse);
  await openBasket(page);
  await press(page, /^Order/);
  await page.getByText(/^No answer yet/).waitFor();
  await page.close();
  await press(other, /^Order/);
  await orderCard(other).getByText('Waiting to be accepted').waitFor();
  expect(await ordersOf(shop)).toHaveLength(1);
});

test('a tab follows what another tab has ordered', async () => {
  const shop = await openForGuests(service);
  const { page, context } = await openGuest(browser, service.url, shop.place.code);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('heading', { name: 'Center' }).waitFor();
  await add(page, 'Cake');
  await openBasket(page);
  await press(page, /^Order/);
  await orderCard(other).getByText('Waiting to be accepted').waitFor();
  await page.close();
  await change(shop.key, (await ordersOf(shop))[0], { status: 'ACCEPTED' });
  await orderCard(other).getByText('Being prepared').waitFor();
});

test('a slow response does not undo what the stream has said since', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await add(page, 'Cake');
  await openBasket(page);
  const held: (() => void)[] = [];
  await page.route(ONE_ORDER, async (route) => {
    const response = await route.fetch();
    if (held.length === 0) await new Promise<void>((resolve) => held.push(resolve));
    await route.fulfill({ response });
  });
  await press(page, /^Order/);
  await orderCard(page).getByText('Waiting to be accepted').waitFor();
  await expect.poll(() => held).toHaveLength(1);
  await change(shop.key, (await ordersOf(shop))[0], { status: 'ACCEPTED' });
  await orderCard(page).getByText('Being prepared').waitFor();
  const askedAgain = page.waitForRequest(ONE_ORDER);
  held[0]?.();
  await askedAgain;
  await orderCard(page).getByText('Being prepared').waitFor();
  // What is still under way ends with the page.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('after a reload the order is still the same one, and another guest at the table sees nothing of it', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code, { expected: /ERR_FAILED|failed:/ });
  await page.route(ORDERS, loseResponse);
  await add(page, 'Cake');
  await page.reload();
  // The basket is there too.
  await openBasket(page);
  await press(page, /^Order/);
  await page.getByText(/^No answer yet/).waitFor();
  await page.unroute(ORDERS);
  await page.reload();
  await orderCard(page).getByText('Waiting to be accepted').waitFor();
  await page.reload();
  await orderCard(page).getByText('Waiting to be accepted').waitFor();
  expect(await ordersOf(shop)).toHaveLength(1);

  const other = await openGuest(browser, service.url, shop.place.code);
  await other.page.getByRole('heading', { name: 'Center' }).waitFor();
  expect(await orderCard(other.page).count()).toBe(0);
  expect(await other.page.evaluate<number>('localStorage.length')).toBe(0);
});

test('without a connection the order waits, and goes when there is one', async () => {
  const shop = await openForGuests(service);
  const { page, context } = await openGuest(browser, service.url, shop.place.code, {
    expected: /INTERNET_DISCONNECTED|failed:/,
  });
  await add(page, 'Cake');
  await openBasket(page);
  await context.setOffline(true);
  await press(page, /^Order/);
  await page.getByText(/^No answer yet/).waitFor();
  expect(await ordersOf(shop)).toHaveLength(0);
  await context.setOffline(false);
  await orderCard(page).waitFor();
  expect(await ordersOf(shop)).toHaveLength(1);
});

test('an order that nobody answered for long is sent only if the guest says so', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code, { expected: /ERR_FAILED|failed:/ });
  await page.route(ORDERS, (route) => route.abort());
  await add(page, 'Cake');
  await openBasket(page);
  await press(page, /^Order/);
  await page.getByText(/^No answer yet/).waitFor();
  await page.evaluate(`
    const name = Object.keys(localStorage).find((key) => key.startsWith('comanda-pending'));
    const kept = JSON.parse(localStorage.getItem(name));
    kept.value.at -= 11 * 60_000;
    localStorage.setItem(name, JSON.stringify(kept));
  `);
  await page.reload();
  await page.getByText(/^We do not know whether your order has arrived/).waitFor();
  // Not before: the page that was left tried again and again.
  await page.unroute(ORDERS);
  expect(await ordersOf(shop)).toHaveLength(0);
  await press(page, 'Send again');
  await orderCard(page).waitFor();
  expect(await ordersOf(shop)).toHaveLength(1);
});

test('a code that stands for nothing says so', async () => {
  const { page } = await openGuest(browser, service.url, 'nobody', { expected: /404/ });
  await page.getByRole('heading', { name: 'Place not found' }).waitFor();
});
