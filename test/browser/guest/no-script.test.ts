import { expect, test } from 'vitest';
import { openForGuests } from '../../harness/guest.js';
import { useService } from '../../harness/service.js';
import { useBrowser } from '../browser.js';
import { findOverflow } from '../console/accessibility.js';
import { openGuest } from './open-guest.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

test('a browser that runs no script shows the menu, in a style of its own', async () => {
  const shop = await openForGuests(service);
  await shop.manage('PATCH', '/menu/items/cake', { in_stock: false });
  const { page } = await openGuest(browser, service.url, shop.place.code, { javaScriptEnabled: false });
  await page.getByRole('heading', { name: 'All' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/order/${shop.place.code}/menu`);
  expect(await page.getByRole('listitem').allTextContents()).toEqual([
    'Coffee1.10 EUR',
    'CakeSold out3.30 EUR',
  ]);
  expect(await page.evaluate('getComputedStyle(document.querySelector("ul")).listStyleType')).toBe('none');
  expect(await findOverflow(page)).toBe(0);
});
