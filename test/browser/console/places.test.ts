import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { guestClient, openForGuests, type PlaceBody } from '../../harness/guest.js';
import { useService } from '../../harness/service.js';
import { useBrowser } from '../browser.js';
import { goToBoard, openConsole } from './open-console.js';
import { readCode } from './read-code.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const readCodeOf = (page: Page, label: string) => readCode(page.locator(`[data-label="${label}"]`));

test('places are added as a row, renamed, disabled, given new codes, and printed as codes that can be read', async () => {
  const store = await openForGuests(service);
  const places = async () => (await store.manage<PlaceBody[]>('GET', '/places')).body;
  // Its menu is in English too.
  await store.manage('PATCH', '', { name: { translations: { es: 'Centro' } } });
  const { page } = await openConsole(browser, service.url, store.key);
  await page.goto(`${service.url}/console/stores/${store.storeId}/places`);
  await press(page, 'Add places');
  await page.getByLabel('Name', { exact: true }).fill('Terrace');
  await page.getByLabel('From number').fill('1');
  await page.getByLabel('To number').fill('3');
  await press(page, 'Add');
  await page.getByText('3 places added').waitFor();
  expect((await places()).map(({ label }) => label)).toEqual([
    'Table 7',
    'Terrace 1',
    'Terrace 2',
    'Terrace 3',
  ]);

  await press(page, 'Rename: Terrace 2');
  await page.getByLabel('Name', { exact: true }).fill('Garden');
  await press(page, 'Save');
  await page.getByText('Garden', { exact: true }).waitFor();
  await press(page, 'Disable: Terrace 3');
  await page.getByText('Disabled', { exact: true }).waitFor();
  const before = await places();
  await press(page, 'New code: Terrace 1');
  await press(page, 'New code');
  await page.getByText('The place has a new code: print it').waitFor();
  const after = await places();
  expect(after[1]?.code).not.toBe(before[1]?.code);
  expect(after[3]?.status).toBe('disabled');
  expect(await page.getByRole('link', { name: 'See it as a guest: Table 7' }).getAttribute('href')).toBe(
    after[0]?.url,
  );

  // Printing waits for a person; what would be printed stays until it is over.
  await page.evaluate('window.print = () => undefined');
  await page.reload();
  await page.evaluate('window.print = () => undefined');
  await page.getByRole('alert').getByText('which other devices cannot reach').waitFor();
  await press(page, 'Print the QR codes');
  const [all, table] = [
    page.getByRole('checkbox', { name: 'All places' }),
    page.getByRole('checkbox', { name: 'Table 7' }),
  ];
  await all.uncheck();
  expect(await table.isChecked()).toBe(false);
  await press(page, 'Print');
  await page.getByRole('alert').getByText('Choose at least one place.').waitFor();
  await all.check();
  expect(await table.isChecked()).toBe(true);
  await page.getByRole('checkbox', { name: 'Terrace 1' }).uncheck();
  expect(await all.isChecked()).toBe(false);
  await press(page, 'Print');
  await page.emulateMedia({ media: 'print' });
  await page.locator('.print-codes svg').waitFor();
  await expect.poll(() => page.locator('.print-codes [data-label]').count()).toBe(2);
  expect(await page.locator('.print-codes [data-label="Garden"]').textContent()).toBe(
    'CentroGardenEscanee para pedir · Scan to order',
  );
  expect(await readCodeOf(page, 'Table 7')).toBe(after[0]?.url);
  expect(await readCodeOf(page, 'Garden')).toBe(after[2]?.url);
});

test('the board shows in large type where the guest sits', async () => {
  const store = await openForGuests(service);
  const { page } = await openConsole(browser, service.url, store.key);
  await goToBoard(page, service.url, store.storeId);
  const { body } = await guestClient(service).order(store.place.code);
  const card = page.getByRole('article', { name: `Order ${body.number}` });
  await card.getByText('Table 7', { exact: true }).waitFor();
  await card.getByText('Ana', { exact: true }).waitFor();
  await card.getByText('Very hot').waitFor();
  const size = await page.evaluate<number>(
    `Number.parseFloat(getComputedStyle(document.querySelector('.ticket-place')).fontSize)`,
  );
  expect(size).toBeGreaterThan(22);
});

test('guests are turned on in the store details, with what they are asked for', async () => {
  const store = await openForGuests(service);
  await store.manage('PATCH', '', { guest: null });
  const { page } = await openConsole(browser, service.url, store.key);
  await page.goto(`${service.url}/console/stores/${store.storeId}/places`);
  await page.getByText('Guests cannot order yet').waitFor();
  await page.getByRole('link', { name: 'Turn it on' }).click();
  await page.getByLabel('Guests can order with the QR codes of the places').check();
  await page.getByLabel('Their name').selectOption('required');
  await page.getByLabel('Welcome').fill('es: Hola\nen: Welcome');
  await press(page, 'Save');
  await page.getByRole('link', { name: 'See it as a guest' }).waitFor();
  const { body } = await store.manage<{ guest: object }>('GET', '');
  expect(body.guest).toEqual({
    enabled: true,
    name: 'required',
    phone: 'none',
    most_open: 5,
    welcome: { translations: { es: 'Hola', en: 'Welcome' } },
  });
});
