import { expect, test } from 'vitest';
import { formsOf, readCatalogues } from '../../support/catalogues.js';
import { item, menuClient, text } from '../../harness/menu.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { ask } from '../../harness/client.js';
import { createTenant } from '../../harness/tenant.js';
import { readFromLeft, useBrowser } from '../browser.js';
import { findOverflow } from './accessibility.js';
import { inMinutes, openConsole, openHome } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const PAGES = ['', '/board', '/orders', '/menu', '/menu/edit', '/sales', '/versions', '/publish', '/places'];

async function fillStore() {
  const tenant = await createTenant(service);
  await ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, {
    method: 'PATCH',
    key: service.operatorKey,
    body: { currency: 'EUR' },
  });
  const menu = menuClient(service, tenant);
  for (const name of ['Tee', 'Minztee']) await menu.post({ items: [item('tea', { name: text(name) })] });
  await takeIn(service, tenant, { external_id: 'A-1', price: 123_400, tax: 50, ready_by: inMinutes(30) });
  return tenant;
}

const tenant = await fillStore();

const catalogues = readCatalogues('console/src/text/phrases');
/** What the console says for a key, in a language. */
const say = (language: string, key: string) => formsOf(catalogues.get(language)?.[key] ?? '')[0] ?? '';

test.each([
  ['de-DE', '1.234,50 €'],
  ['es-ES', '1234,50 €'],
  ['fr-FR', '1 234,50 €'],
  ['pt-PT', '1234,50 €'],
  ['ar-AE', '1,234.50 €'],
] as const)('the console speaks the language of the browser: %s', async (locale, amount) => {
  const { page } = await openConsole(browser, service.url, undefined, {
    locale,
    viewport: { width: 360, height: 800 },
  });
  const [language = ''] = locale.split('-');
  const saidIn = (one: string) => new Set(Object.values(catalogues.get(one) ?? {}).flatMap(formsOf));
  const own = saidIn(language);
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  await page.getByLabel(say(language, 'your_key')).fill(service.operatorKey);
  await page.getByRole('button', { name: say(language, 'sign_in'), exact: true }).click();
  await page.getByLabel(say(language, 'your_key')).waitFor({ state: 'detached' });
  const english = new Set([...saidIn('en')].filter((phrase) => !own.has(phrase)));
  const store = `/stores/${tenant.storeId}`;
  const paths = [...PAGES.map((path) => store + path), `${store}/settings`, '/stores', '/people', '/keys'];
  for (const path of [...paths, '/webhooks', '/merchants', '/help']) {
    await page.goto(`${service.url}/console${path}`);
    await page.locator('main h1').first().waitFor();
    await expect.poll(() => page.locator('.busy').count()).toBe(0);
    const said = (await page.locator('body').innerText()).split('\n').map((line) => line.trim());
    expect({
      path,
      language: await page.evaluate<string>('document.documentElement.lang'),
      direction: await page.evaluate<string>('document.documentElement.dir'),
      overflow: await findOverflow(page),
      english: said.filter((line) => english.has(line)),
    }).toEqual({ path, language, direction, overflow: 0, english: [] });
  }
  await page.goto(`${service.url}/console${store}/orders`);
  await page
    .getByText(amount.replaceAll(' ', '\u00a0'))
    .or(page.getByText(amount.replace(' ', '\u202f').replace(' ', '\u00a0')))
    .filter({ visible: true })
    .first()
    .waitFor();

  // Dates are longer in some languages: they have room beside what happened.
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.locator('.order-link').first().click();
  await page.locator('.history li').first().waitFor();
  const isCut = `[...document.querySelectorAll('.history .number')].some((date) => date.scrollWidth > date.clientWidth)`;
  expect(await page.evaluate<boolean>(isCut)).toBe(false);
});

test('a person chooses another language, and the device remembers it', async () => {
  const { page } = await openHome(browser, service.url, service.operatorKey, { locale: 'nl-NL' });
  await page.getByRole('combobox', { name: 'Language of the console' }).selectOption({ label: 'Deutsch' });
  await page.getByRole('combobox', { name: say('de', 'language_of_the_console') }).waitFor();
  await page.goto(`${service.url}/console/stores`);
  await page.getByRole('heading', { name: say('de', 'stores'), level: 1 }).waitFor();
  await page
    .getByRole('combobox', { name: say('de', 'language_of_the_console') })
    .selectOption({ label: 'English' });
  await page.getByRole('heading', { name: 'Stores', level: 1 }).waitFor();
});

test('signs stand left of the digits in Arabic: amounts and minutes', async () => {
  const own = await fillStore();
  const { body: order } = await takeIn(service, own, {
    external_id: 'A-2',
    items: [{ name: 'Soup', quantity: 1, price: 1000, tax: 0 }],
    charges: [{ kind: 'delivery', name: 'Way', price: 250, tax: 0 }],
    discounts: [{ name: 'First', price: 100, tax: 0 }],
    price: 1150,
    tax: 0,
    ready_by: inMinutes(30),
  });
  const { page } = await openConsole(browser, service.url, undefined, { locale: 'ar-AE' });
  await page.getByLabel(say('ar', 'your_key')).fill(own.key);
  await page.keyboard.press('Enter');
  await page.getByLabel(say('ar', 'your_key')).waitFor({ state: 'detached' });
  const store = `${service.url}/console/stores/${own.storeId}`;
  await page.goto(`${store}/orders/${order.id}`);
  expect(await readFromLeft(page, '.totals dd')).toContain('+2.50');
  expect(await readFromLeft(page, '.totals dd', 1)).toContain('−1.00');
  await page.goto(`${store}/board`);
  expect(await readFromLeft(page, '.ticket-more button')).toBe('+5');
});
