import { expect, test } from 'vitest';
import { openForGuests, type PlaceBody } from '../../harness/guest.js';
import { patch, type OrderBody } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { useBrowser } from '../browser.js';
import { add, openGuest, orderCard, press } from './open-guest.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

test('the card shows number, service, where to pick up, what the store changed and why, and what to pay at the counter', async () => {
  const shop = await openForGuests(service);
  await shop.manage('PATCH', '', {
    address_line_1: 'Calle Mayor 1',
    postal_code: '28013',
    city: 'Madrid',
    store_phone: '+34 910 000 000',
  });
  const { body: place } = await shop.manage<PlaceBody>('POST', '/places', { label: 'Hatch', kind: 'pickup' });
  const { page } = await openGuest(browser, service.url, place.code);
  await add(page, 'Coffee');
  await add(page, 'Cake');
  await press(page, /See your order/);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Order/ })
    .click();
  const card = orderCard(page);
  await card.getByText('Pay at the counter: €4.40').waitFor();
  await card.getByText('Calle Mayor 1, 28013 Madrid').waitFor();
  expect(await card.locator('.number').textContent()).toBe('1');
  expect(await card.getByText('Pick-up', { exact: true }).count()).toBe(1);
  expect(await card.getByRole('link').getAttribute('href')).toBe('tel:+34 910 000 000');
  expect(await card.getByText('The restaurant has changed your order.').count()).toBe(0);

  const { body: list } = await shop.manage<{ orders: OrderBody[] }>('GET', '/orders');
  const [order] = list.orders;
  const items = ((order?.['items'] ?? []) as { external_id: string }[]).filter(
    (line) => line.external_id !== 'cake',
  );
  const change = { items, expected_revision: order?.['revision'], reason: 'out_of_item' };
  expect((await patch(service, shop.key, String(order?.id), change)).status).toBe(200);
  await card.getByText('The restaurant has changed your order.').waitFor();
  await card.getByText('Something you ordered has run out.').waitFor();
  await card.getByText('Total Now €1.10, was €4.40').waitFor();
  await card.getByText('Pay at the counter: €1.10').waitFor();
  expect(await card.getByRole('listitem').allTextContents()).toEqual(['1 × Café', '1 0 × Tarta']);
  // It is handed over before it is paid.
  for (const status of ['ACCEPTED', 'FULFILLED'])
    expect((await patch(service, shop.key, String(order?.id), { status })).status).toBe(200);
  await card.getByRole('button', { name: 'Hide' }).waitFor();
  await page.reload();
  await card.getByText('Pay at the counter: €1.10').waitFor();
  await shop.manage('POST', `/places/${place.id}/bill/settle`, { method: 'card', expected_due: 110 });
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await card.getByText('Paid', { exact: true }).waitFor();
});
