import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chain } from '../../harness/menu.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { makeTestFolder } from '../../harness/test-folder.js';
import { useBrowser } from '../browser.js';
import { findBarriers } from './accessibility.js';
import { dropFiles } from './drop-files.js';
import { inMinutes, openConsole, openHome } from './open-console.js';

const folder = makeTestFolder();
const [service, browser] = await Promise.all([useService(), useBrowser()]);

test('an empty installation says what to do next, all the way to the first order on the board', async () => {
  const { page, context } = await openHome(browser, service.url, service.operatorKey);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();

  await page.getByText('No stores yet').waitFor();
  await press('New store');
  await page.getByText('There is no merchant yet').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  for (const [link, sentence] of [
    ['Webhooks', 'Make one, then send it a test'],
    ['Merchants', 'Make the first one, then its stores'],
    ['Stores', 'make the merchant first'],
  ] as const) {
    await follow(link);
    await page.getByText(sentence).waitFor();
  }

  await follow('To the merchants');
  await press('New merchant');
  await page.getByLabel('Brand name').fill('La Esquina');
  await press('Save');
  await page.getByRole('heading', { name: 'Stores', exact: true }).waitFor();
  await press('New store');
  await page.getByRole('combobox', { name: 'Merchant' }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('en: Corner Café');
  await page.getByLabel('Country').selectOption('ES');
  await press('Make the store');

  await page.getByText('Drop a menu file here').waitFor();
  const path = join(folder, 'menu.json');
  await writeFile(path, JSON.stringify(chain()));
  await dropFiles(page, path);
  await press('Publish');
  await page.getByRole('heading', { name: 'Menu', exact: true }).waitFor();
  await page.getByText('Being served').waitFor();

  await follow('Keys');
  await press('Issue a key');
  await page.getByLabel('What is it for?').fill('Point of sale');
  await page.getByLabel(/Take orders in/).check();
  await press('Issue the key');
  const shown = (await page.locator('#secret').textContent()) ?? '';
  await press('Copy it');
  await page.getByText('Copied', { exact: true }).waitFor();
  const key = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(key).toBe(shown);
  await press('I have kept it');
  await page.getByText('Point of sale').waitFor();
  expect(await page.content()).not.toContain(key);

  await follow('Board');
  await page.getByText('A new order appears here by itself').waitFor();
  const storeId = /stores\/([^/]+)/.exec(page.url())?.[1] ?? '';
  await takeIn(service, { storeId, key }, { external_id: 'A-1', ready_by: inMinutes(20) });
  await page.getByRole('article', { name: 'Order 1' }).waitFor();
});

test('where a page may not use the clipboard, the secret is selected to be copied by hand', async () => {
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  // The dialog may be opened before the merchants are there.
  let answer: (() => void) | undefined;
  await page.route('**/merchants?**', async (route) => {
    await new Promise<void>((resolve) => (answer = resolve));
    await route.continue();
  });
  await page.goto(`${service.url}/console/keys`);
  await page.getByRole('button', { name: 'Issue a key', exact: true }).click();
  answer?.();
  await page.getByLabel('Merchant').locator('option').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Issue the key', exact: true }).click();
  await page.getByRole('button', { name: 'Copy it', exact: true }).click();
  const shown = await page.locator('#secret').textContent();
  await expect.poll(() => page.evaluate<string>('getSelection().toString()')).toBe(shown);
});
