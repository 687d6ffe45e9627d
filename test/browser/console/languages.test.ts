import { expect, test } from 'vitest';
import { de } from '../../../console/src/text/phrases/de.js';
import { es } from '../../../console/src/text/phrases/es.js';
import { fr } from '../../../console/src/text/phrases/fr.js';
import { pt } from '../../../console/src/text/phrases/pt.js';
import { item, menuClient, text } from '../../harness/menu.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { ask } from '../../harness/client.js';
import { createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { findOverflow } from './accessibility.js';
import { inMinutes, openConsole } from './open-console.js';

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

test.each([
  ['de-DE', de, '1.234,50 €'],
  ['es-ES', es, '1234,50 €'],
  ['fr-FR', fr, '1 234,50 €'],
  ['pt-PT', pt, '1234,50 €'],
] as const)('the console speaks the language of the browser: %s', async (locale, phrases, amount) => {
  const { page } = await openConsole(browser, service.url, undefined, {
    locale,
    viewport: { width: 360, height: 800 },
  });
  const [language] = locale.split('-');
  await page.getByLabel(phrases['Your key']).fill(service.operatorKey);
  await page.getByRole('button', { name: phrases['Sign in'], exact: true }).click();
  await page.getByLabel(phrases['Your key']).waitFor({ state: 'detached' });
  const english = new Set<string>(
    Object.entries(phrases).flatMap(([phrase, translated]) =>
      phrase === translated || Object.values<string>(phrases).includes(phrase) ? [] : [phrase],
    ),
  );
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
      overflow: await findOverflow(page),
      english: said.filter((line) => english.has(line)),
    }).toEqual({ path, language, overflow: 0, english: [] });
  }
  await page.goto(`${service.url}/console${store}/orders`);
  await page
    .getByText(amount.replaceAll(' ', '\u00a0'))
    .or(page.getByText(amount.replace(' ', '\u202f').replace(' ', '\u00a0')))
    .filter({ visible: true })
    .first()
    .waitFor();
});

test('a person chooses another language, and the device remembers it', async () => {
  const { page } = await openConsole(browser, service.url, service.operatorKey, { locale: 'nl-NL' });
  await page.getByRole('combobox', { name: 'Language of the console' }).selectOption({ label: 'Deutsch' });
  await page.getByRole('combobox', { name: de['Language of the console'] }).waitFor();
  await page.goto(`${service.url}/console/stores`);
  await page.getByRole('heading', { name: de.Stores, level: 1 }).waitFor();
  await page
    .getByRole('combobox', { name: de['Language of the console'] })
    .selectOption({ label: 'English' });
  await page.getByRole('heading', { name: 'Stores', level: 1 }).waitFor();
});
