import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chain, item, menuClient, text } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createTenant, type Tenant } from '../../harness/tenant.js';
import { makeTestFolder } from '../../harness/test-folder.js';
import { useBrowser } from '../browser.js';
import { dropFiles } from './drop-files.js';
import { openConsole, type ConsoleOptions } from './open-console.js';

const folder = makeTestFolder();
const [service, browser] = await Promise.all([useService(), useBrowser()]);

async function openPublish(tenant: Tenant, url = service.url, options: ConsoleOptions = {}) {
  const { page } = await openConsole(browser, url, tenant.key, options);
  await page.goto(`${url}/console/stores/${tenant.storeId}/publish`);
  await page.getByText('Drop a menu file here').waitFor();
  return page;
}

async function drop(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, content);
  await dropFiles(page, path);
}

const tea = (price: unknown) => item('tea', { name: text('Mint tea'), price });

test('the errors of a dropped file are shown at their lines, by the checks of the service, and nothing is sent', async () => {
  const page = await openPublish(await createTenant(service));
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  const invalid = {
    items: [tea('dear'), tea(390)],
    categories: [{ external_id: 'c', name: text('Drinks'), item_external_ids: ['taa'] }],
  };
  await drop(page, 'menu.json', JSON.stringify(invalid, null, 1));
  await page.getByText('menu.json has 3 errors. Nothing has been published.').waitFor();
  const told = await page.locator('.error-place p').allTextContents();
  expect(told).toEqual([
    expect.stringMatching(/^Line \d+ items\[0\]\.price: Input should be a valid integer$/),
    expect.stringMatching(/^Line \d+ items\[1\]\.external_id: An earlier item already has/),
    expect.stringMatching(
      /^Line \d+ categories\[0\].*No item has the external_id 'taa'; did you mean 'tea'\?$/,
    ),
  ]);
  expect(await page.locator('.excerpt [data-error=true]').allTextContents()).toEqual([
    expect.stringContaining('"price": "dear"'),
    expect.stringContaining('"external_id": "tea"'),
    expect.stringContaining('"taa"'),
  ]);

  const yaml =
    'items:\n  - external_id: tea\n    name: { translations: { en: Mint tea } }\n    price: dear\n';
  await drop(page, 'menu.yaml', yaml);
  await page.getByText('Line 4', { exact: true }).waitFor();
  await page.getByText('items[0].price: Input should be a valid integer').waitFor();
  await drop(page, 'menu.json', '{"items": [\n{]}');
  await page.getByText('JSON decode error: Expecting property name').waitFor();
  await page.getByText('Line 2', { exact: true }).waitFor();
  await drop(page, 'menu.yml', 'items:\n  - a: "b\n');
  await page.getByText('menu.yml has 1 error').waitFor();
  expect(sent).toEqual([]);
});

test('what is no menu file is refused in a sentence, wherever on the page it is dropped', async () => {
  const page = await openPublish(await createTenant(service), service.url, { expected: /413/ });
  const address = page.url();
  await mkdir(join(folder, 'menus'));
  await dropFiles(page, join(folder, 'menus'));
  await page.getByText('menus is a folder. Drop the file that holds the menu.').waitFor();
  await drop(page, 'first.json', '{}');
  await page.getByText('first.json has 1 error').waitFor();
  await drop(page, 'second.json', '{}');
  await page.getByText('second.json has 1 error').waitFor();
  await dropFiles(page, join(folder, 'first.json'), join(folder, 'second.json'));
  await page.getByText('2 files were dropped. Drop the one that holds the menu.').waitFor();
  await dropFiles(page);
  await page.getByText('What was dropped is not a file.').waitFor();
  await drop(page, 'menu.pdf', Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0, 1, 2, 0xff));
  await page.getByText('It is neither JSON nor YAML, but binary.').waitFor();
  const uber =
    '{"menus": [], "categories": [], "items": [], "modifier_groups": [], "display_options": "Café"}';
  for (const [name, content] of [
    ['latin.yaml', 'items: [] # Café'],
    ['latin.json', uber],
  ] as const) {
    await drop(page, name, Buffer.from(content, 'latin1'));
    await page.getByText(`${name} has 1 error`).waitFor();
    await page.getByText('It is not in UTF-8. Save it in UTF-8 and try again.').waitFor();
  }
  await drop(page, 'empty.json', '');
  await page.getByText('It is empty.').waitFor();
  await drop(page, 'notes.txt', 'Fish on Friday');
  await page.getByText('Input should be a valid dictionary').waitFor();
  await drop(page, 'large.json', JSON.stringify({ items: [], note: 'x'.repeat(17 * 1024 * 1024) }));
  await page.getByText(/larger|too large/i).waitFor();
  expect(page.url()).toBe(address);
});

interface Flat {
  readonly items: readonly { readonly price: number }[];
}

test('a file is compared, warned of, published, and an older version restored', async () => {
  const tenant = await createTenant(service);
  const menu = menuClient(service, tenant);
  const priceNow = async () => (await menu.flat<Flat>()).body.items[0]?.price;
  await menu.post({ items: [tea(390)] });
  const page = await openPublish(tenant);
  await drop(
    page,
    'menu.json',
    JSON.stringify({ items: [{ ...tea(420), name: text('Black tea'), alergens: 'none' }] }, null, 1),
  );
  await page.getByRole('cell', { name: /^430/ }).waitFor();
  await page.getByRole('row', { name: 'Name (en) Mint tea Black tea' }).waitFor();
  await page.getByText('2 things to check').click();
  await page.locator('.error-place').getByText('alergens').first().waitFor();
  expect(await priceNow()).toBe(390);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('heading', { name: 'Menu', exact: true }).waitFor();
  expect(await priceNow()).toBe(420);

  await page.goto(`${service.url}/console/stores/${tenant.storeId}/versions/1/2`);
  await page.getByRole('row', { name: 'Name (en) Mint tea Black tea' }).waitFor();
  // The changes one way are never shown as those of the other.
  await page.route('**/menu/versions/**', () => undefined);
  await page.getByRole('link', { name: 'The other way round' }).click();
  await page.getByText('Comparing the versions').waitFor();
  expect(await page.getByRole('row').count()).toBe(0);
  await page.unrouteAll();
  await page.reload();
  await page.getByRole('cell', { name: /^400/ }).waitFor();
  await page.getByRole('row', { name: 'Name (en) Black tea Mint tea' }).waitFor();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('Version 1 again').waitFor();
  expect(await priceNow()).toBe(390);
});

test('what only the service can know of a file is shown at its line too, with the request', async () => {
  const small = await service.replica({ items: 2 });
  const page = await openPublish(await createTenant(service), small.url, { expected: /422/ });
  await drop(page, 'menu.json', JSON.stringify({ items: ['a', 'b', 'c'].map((id) => item(id)) }, null, 1));
  await page.getByText('Line 2', { exact: true }).waitFor();
  await page.getByText('items: List should have at most 2 items').waitFor();
  await page.getByText('Details', { exact: true }).click();
  await page.getByText(/^Request \S+$/).waitFor();
});

test('someone else who publishes meanwhile is not overwritten', async () => {
  const tenant = await createTenant(service);
  const page = await openPublish(tenant, service.url, { expected: /412/ });
  await drop(page, 'menu.json', JSON.stringify(chain()));
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await publish.waitFor();
  await menuClient(service, tenant).post({ items: [tea(390)] });
  await publish.click();
  await page.getByText('Someone else has published this menu since').waitFor();
});
