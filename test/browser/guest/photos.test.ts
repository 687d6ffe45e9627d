import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { openForGuests } from '../../harness/guest.js';
import { png } from '../../harness/images.js';
import { item, text } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { useBrowser } from '../browser.js';
import { findBarriers, findOverflow } from '../console/accessibility.js';
import { openGuest } from './open-guest.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

/** A list longer than what a browser loads ahead: up to 8,000 pixels, where it takes the connection to be slow. */
const ITEMS = Array.from({ length: 300 }, (_, i) => `dish-${i}`);
const FIRST_AND_LAST = [...ITEMS.slice(0, 20), ...ITEMS.slice(-20)];

async function openShop(withPhotos: readonly string[]) {
  const shop = await openForGuests(service);
  await shop.menu.post({
    items: ITEMS.map((id) => item(id, { name: text(`The ${id}`), in_stock: id !== 'dish-1' })),
    menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'] }],
    categories: [{ external_id: 'c', name: text('Food'), item_external_ids: ITEMS }],
  });
  for (const [at, id] of withPhotos.entries())
    for (const [size, body] of [
      ['large', png(120, 90, at + 1)],
      ['small', png(40, 30, at + 1)],
    ] as const)
      await ask(`${service.url}/manage/v1/stores/${shop.storeId}/menu/items/${id}/photo?size=${size}`, {
        method: 'PUT',
        key: shop.key,
        body,
        headers: { 'content-type': 'image/png' },
      });
  return shop;
}

/** How far the page moved under the guest's eyes while it loaded. */
const SHIFTS = `globalThis.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.shifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

const loaded = (page: Page) =>
  page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/photos/')).length`,
  );

test('photos come when they are near, the small ones in the list, and nothing moves', async () => {
  const shop = await openShop(FIRST_AND_LAST);
  const { page, context } = await openGuest(browser, service.url, shop.place.code, {
    reducedMotion: 'reduce',
  });
  await context.addInitScript(SHIFTS);
  // The second time, the browser has photos in memory.
  for (let reload = 0; reload < 2; reload += 1) {
    await page.waitForLoadState('networkidle');
    await page.reload();
  }
  const first = page.getByRole('img', { name: 'The dish-0', exact: true });
  await first.waitFor();
  await expect.poll(() => page.evaluate('document.images[0].naturalWidth')).toBe(40);
  expect(
    await page.evaluate(`(({ width, height, loading, attributes }) =>
      [width / height, attributes.width.value, attributes.height.value, loading])(document.images[0])`),
  ).toEqual([expect.closeTo(4 / 3, 1), '40', '30', 'lazy']);
  await page.waitForLoadState('networkidle');
  expect(await loaded(page)).toBeLessThan(FIRST_AND_LAST.length);
  expect(await page.evaluate('globalThis.shifts')).toBeLessThan(0.05);
  expect(await findBarriers(page)).toEqual([]);
  expect(await findOverflow(page)).toBe(0);

  await page.getByRole('button', { name: 'The dish-0', exact: true }).click();
  const large = page.getByRole('dialog').getByRole('img', { name: 'The dish-0' });
  await large.waitFor();
  await expect.poll(() => page.evaluate(`document.querySelector('dialog img').naturalWidth`)).toBe(120);
  expect(await findBarriers(page)).toEqual([]);
});

test('the text of the menu waits for no photo', async () => {
  const shop = await openShop(FIRST_AND_LAST);
  const { page } = await openGuest(browser, service.url, shop.place.code);
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.route('**/photos/**', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('button', { name: 'The dish-299', exact: true }).waitFor();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  expect(await page.evaluate('document.images[0].naturalWidth')).toBe(0);
  isHeld = false;
  for (const go of held) go();
  await expect.poll(() => page.evaluate('document.images[0].naturalWidth')).toBe(40);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a list in which one dish has a photo, or none has, is whole', async () => {
  for (const some of [['dish-1'], []]) {
    const shop = await openShop(some);
    const { page } = await openGuest(browser, service.url, shop.place.code, { colorScheme: 'dark' });
    await page.getByRole('button', { name: 'The dish-0', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('img').count()).toBe(some.length);
    expect(await findBarriers(page)).toEqual([]);
    expect(await findOverflow(page)).toBe(0);
  }
});
