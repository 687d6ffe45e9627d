import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant } from '../../harness/tenant.js';
import { makeTestFolder } from '../../harness/test-folder.js';
import { SQUARE } from '../../menu-files/convert/foreign-menus.js';
import { useBrowser } from '../browser.js';
import { dropFiles } from './drop-files.js';
import { openConsole } from './open-console.js';

const folder = makeTestFolder();
const [service, browser] = await Promise.all([useService(), useBrowser()]);

const item = (external_id: string, en: string, price: number, tax: number) => ({
  external_id,
  name: { translations: { en } },
  price,
  tax,
  sell_separately: true,
});
const MENU = {
  items: [item('tea', 'Mint tea', 250, 25), item('soup', 'Soup', 500, 50)],
  categories: [
    { external_id: 'all', name: { translations: { en: 'All' } }, item_external_ids: ['tea', 'soup'] },
  ],
  menus: [{ external_id: 'menu', availability: [], category_external_ids: ['all'] }],
};

async function openStore() {
  const { merchantId, key } = await createTenant(service);
  const storeId = await createStore(service, merchantId, { country: 'ES' });
  const path = `${service.url}/v1/stores/${storeId}/menu_configuration/`;
  expect((await ask(path, { method: 'POST', key, body: MENU })).status).toBe(200);
  const readItems = async () => (await ask<typeof MENU>(`${path}flat`, { key })).body.items;
  const { page } = await openConsole(browser, service.url, key);
  const go = async (to: 'menu' | 'publish') => {
    await page.goto(`${service.url}/console/stores/${storeId}/${to}`);
    if (to === 'publish') await page.getByText('Drop a menu file here').waitFor();
  };
  return { page, go, readItems };
}

async function drop(page: Page, name: string, content: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, content);
  await dropFiles(page, path);
}

test('a menu is downloaded as a spreadsheet, changed, and published', async () => {
  const { page, go, readItems } = await openStore();
  await go('menu');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as a spreadsheet' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Centro-menu.EUR.csv');
  const sheet = await readFile(await download.path(), 'utf8');
  expect(sheet).toMatch(/^\uFEFFkind,external_id,name:en,price_with_tax,tax_rate,/);
  expect(sheet).toContain('\r\nitem,tea,Mint tea,2.75,10%,');

  await go('publish');
  await drop(page, 'Centro-menu.EUR.csv', sheet);
  await page.getByText('This is the current menu already').waitFor();
  await drop(page, 'prices.csv', 'external_id;price_with_tax;tax_rate\ntea;3,00;10%\n');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The menu is published').waitFor();
  expect((await readItems()).map(({ external_id: id, price, tax }) => [id, price, tax])).toEqual([
    ['tea', 273, 27],
    ['soup', 500, 50],
  ]);
});

test('an odd price in a spreadsheet is said before publishing, one that stays is not', async () => {
  const { page, go } = await openStore();
  await go('publish');
  await drop(page, 'prices.csv', 'external_id;price_with_tax;tax_rate\ntea;27,50;10%\nsoup;0,55;10%\n');
  const odd = page.getByRole('alert').filter({ hasText: 'Check these prices' });
  await odd.waitFor();
  expect(await odd.getByRole('listitem').allTextContents()).toEqual([
    'Mint tea: the price becomes 10 times what it was',
    'Soup: the price falls to 10% of what it was',
  ]);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The menu is published').waitFor();
  await go('publish');
  await drop(page, 'prices.csv', 'external_id;price_with_tax;tax_rate\nsoup;0,66;10%\n');
  await page.getByText('prices.csv is ready to publish').waitFor();
  expect(await odd.count()).toBe(0);
});

test('errors in a spreadsheet are shown at their cell, and it can be the whole menu', async () => {
  const { page, go } = await openStore();
  await go('publish');
  await drop(page, 'prices.csv', 'external_id,price,tax\ntea,2.50,0.25\nsoup,5.O0,0.50\n');
  await page.getByText('prices.csv has 1 error. Nothing has been published.').waitFor();
  expect(await page.locator('.error-place p').allTextContents()).toEqual(['B3 not an amount in EUR: "5.O0"']);
  await drop(page, 'menu.csv', 'kind,external_id,contains\ncategory,all,tea|suop\n');
  await page.getByText("No item has the external_id 'suop'; did you mean 'soup'?").waitFor();
  expect(await page.locator('.error-place strong').allTextContents()).toEqual(['C2 ']);

  await drop(page, 'tea.csv', 'external_id,name:en,price,tax,sell_separately\ntea,Mint tea,2.50,0.25,yes\n');
  await page.getByText('This is the current menu already').waitFor();
  await page.getByLabel('The spreadsheet is the whole menu').check();
  await page.getByText('tea.csv is ready to publish').waitFor();
});

test('a menu of another system is converted, and what is lost is listed', async () => {
  const { page, go, readItems } = await openStore();
  await go('publish');
  await drop(page, 'catalog.json', JSON.stringify({ objects: SQUARE }));
  await page.getByText('Converted from a menu of Square.').waitFor();
  await page.getByText('Its prices are in USD, and this store sells in EUR.').waitFor();
  await page.getByText('4 things in it cannot be taken over').click();
  await page.getByText(/^objects\[3\]\.item_data\.image_ids: a photo, to be uploaded by itself/).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The menu is published').waitFor();
  expect((await readItems()).map(({ external_id: id }) => id)).toEqual(['I1', 'V3']);
});
