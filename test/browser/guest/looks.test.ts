import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { coffeeMenu, openForGuests, type PlaceBody } from '../../harness/guest.js';
import { item, modifierGroup, modifierItem } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { readFromLeft, useBrowser } from '../browser.js';
import { findBarriers, findOverflow } from '../console/accessibility.js';
import { add, openGuest, orderCard, press } from './open-guest.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

/** Something of everything that the page can show. */
const richMenu = (languages: readonly string[]) => {
  const named = (name: string) => ({
    translations: Object.fromEntries(languages.map((tag) => [tag, `${name} ${tag}`])),
  });
  return {
    items: [
      item('soup', {
        name: named('Soup'),
        description: named('Of the day, with bread that we bake ourselves every morning'),
        allergens: 'celery',
        dietary_labels: ['VEGAN'],
      }),
      item('steak', { name: named('Steak'), in_stock: false, dietary_labels: ['GLUTEN_FREE'] }),
      item('wine', { name: named('Wine'), alcohol_by_volume: 13.5, modifier_external_ids: ['size'] }),
    ],
    menus: [{ external_id: 'm', availability: [], category_external_ids: ['food', 'drinks'] }],
    categories: [
      { external_id: 'food', name: named('Food'), item_external_ids: ['soup', 'steak'] },
      { external_id: 'drinks', name: named('Drinks'), item_external_ids: ['wine'] },
    ],
    modifier_groups: [
      {
        external_id: 'size',
        type: 'single',
        name: named('Size'),
        group_min: 1,
        group_max: 1,
        charge_after: 0,
        modifier_item_external_ids: ['glass', 'bottle'],
      },
    ],
    modifier_items: ['glass', 'bottle'].map((external_id, i) => ({
      external_id,
      name: named(external_id),
      price_change: i * 1500,
      tax_change: i * 150,
      min_quantity: 0,
      max_quantity: 1,
      default_quantity: 1 - i,
    })),
  };
};

async function expectClean(page: Page, state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = [state, colorScheme, await findOverflow(page), await findBarriers(page)];
    expect(found).toEqual([state, colorScheme, 0, []]);
  }
  const small = await page.evaluate<string[]>(`
    [...document.querySelectorAll('button, a, select, summary, label.option')]
      .map((target) => [target, target.getBoundingClientRect()])
      .filter(([target, { width, height }]) => width > 0 && (width < 44 || height < 44) && !target.closest('.item'))
      .map(([target, { width, height }]) => target.textContent + ' ' + width + 'x' + height)
  `);
  expect([state, small]).toEqual([state, []]);
}

test('every state of the page has no barriers at 360 px, in both themes', async () => {
  const shop = await openForGuests(service);
  await shop.menu.post(richMenu(['en']));
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await page.getByRole('button', { name: 'Soup en' }).waitFor();
  await expectClean(page, 'menu');
  await press(page, 'Wine en');
  await page.getByRole('dialog').waitFor();
  await expectClean(page, 'dish');
  await press(page, /^Add/);
  await press(page, /See your order/);
  await page.getByText(/^Ready at about/).waitFor();
  await expectClean(page, 'basket');
  await press(page, /^Order/);
  await orderCard(page).waitFor();
  await expectClean(page, 'order');
  await shop.manage('PATCH', '/intake', { pause: { note: 'Oven broke' } });
  await page.reload();
  await page.getByText('Oven broke').waitFor();
  await expectClean(page, 'paused');
});

test('the filter shows what fits the diet alone', async () => {
  const shop = await openForGuests(service);
  await shop.menu.post(richMenu(['en']));
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await page.getByText('Allergens: celery').waitFor();
  await page.getByText('13.5% alcohol').waitFor();
  // Whoever eats nothing but plants says nothing against a vegan dish.
  await press(page, 'Vegetarian');
  await page.getByText('Steak en').waitFor({ state: 'detached' });
  await page.getByText('Soup en').waitFor();
  await press(page, 'Gluten-free');
  await page.getByText('Nothing on the menu is marked with all of these.').waitFor();
});

test('a phone number is read from left to right on a page in Arabic', async () => {
  const shop = await openForGuests(service);
  await shop.manage('PATCH', '', { store_phone: '+34 910 000 001' });
  const { body: place } = await shop.manage<PlaceBody>('POST', '/places', { label: 'Hatch', kind: 'pickup' });
  const { page } = await openGuest(browser, service.url, place.code, { locale: 'ar-AE' });
  await page.getByRole('button', { name: 'Tarta', exact: true }).click();
  await press(page, /^إضافة/);
  await press(page, /عرض طلبك/);
  await page.getByRole('dialog').getByRole('button', { name: /اطلب/ }).click();
  await page.getByRole('link', { name: '+34 910 000 001' }).waitFor();
  expect(await readFromLeft(page, 'a[href^="tel:"]')).toContain('+34 910 000 001');
});

test('what a choice adds or takes off has its sign left of the digits in Arabic', async () => {
  const shop = await openForGuests(service);
  const menu = coffeeMenu();
  const choices = [50, -40].map((price_change) =>
    modifierItem(`oat${price_change}`, { price_change, tax_change: 0 }),
  );
  const group = modifierGroup('milk', { modifier_item_external_ids: ['oat50', 'oat-40'] });
  await shop.menu.post({ ...menu, modifier_groups: [group], modifier_items: choices });
  const { page } = await openGuest(browser, service.url, shop.place.code, { locale: 'ar-AE' });
  await press(page, 'Café');
  expect(await readFromLeft(page, 'dialog label.choice')).toContain('+0.50');
  expect(await readFromLeft(page, 'dialog label.choice', 1)).toContain('−0.40');
});

test('the page speaks the language of the browser, from right to left where it is read so', async () => {
  const shop = await openForGuests(service);
  await shop.menu.post(richMenu(['es', 'ar', 'he', 'ja']));
  const { page } = await openGuest(browser, service.url, shop.place.code, { locale: 'ar-AE' });
  const turned = () =>
    page.evaluate<string[]>('[document.documentElement.lang, document.documentElement.dir]');
  await page.getByRole('button', { name: 'Soup ar' }).click();
  expect(await turned()).toEqual(['ar', 'rtl']);
  await page.getByRole('dialog').waitFor();
  await expectClean(page, 'dish in Arabic');
  await page.getByRole('button', { name: /^إضافة/ }).click();
  await page.getByRole('button', { name: /عرض طلبك/ }).click();
  await page.getByText('الدفع في المطعم.').waitFor();
  await expectClean(page, 'basket in Arabic');
  await page.keyboard.press('Escape');
  for (const [tag, dish, phrase, direction] of [
    ['es', 'Soup es', 'Los precios incluyen impuestos.', 'ltr'],
    // The page itself speaks no Hebrew; the menu does.
    ['he', 'Soup he', 'Prices include taxes.', 'rtl'],
    // The menu has no German: it comes in the store's own language.
    ['de', 'Soup es', 'Preise einschließlich Steuern.', 'ltr'],
    ['fr', 'Soup es', 'Prix toutes taxes comprises.', 'ltr'],
    ['pt', 'Soup es', 'Os preços incluem impostos.', 'ltr'],
  ] as const) {
    await page.locator('.language select').selectOption(tag);
    await page.getByText(phrase).waitFor();
    await page.getByRole('button', { name: dish }).waitFor();
    expect(await turned()).toEqual([tag, direction]);
  }
  // It is remembered.
  await page.reload();
  await page.getByText('Os preços incluem impostos.').waitFor();
});

test('a guest orders by keyboard alone', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code, { isMobile: false });
  await page.getByRole('button', { name: 'Cake' }).waitFor();
  const tabTo = (name: RegExp) =>
    expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return page.evaluate<string>('document.activeElement.textContent');
      })
      .toMatch(name);
  await tabTo(/^Cake$/);
  await page.keyboard.press('Enter');
  await tabTo(/^Add/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The focus is back where it was.
  await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Cake');
  await tabTo(/See your order/);
  await page.keyboard.press('Enter');
  await tabTo(/^Order/);
  await page.keyboard.press('Enter');
  await orderCard(page).waitFor();
});

test('the page can be added to the home screen under the name of the store', async () => {
  const shop = await openForGuests(service);
  const { page } = await openGuest(browser, service.url, shop.place.code);
  await add(page, 'Cake');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = (await (await fetch(service.url + (href ?? ''))).json()) as {
    name: string;
    start_url: string;
  };
  expect([manifest.name, manifest.start_url]).toEqual(['Center', `/order/${shop.place.code}`]);
});
