import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type Service } from '../harness/service.js';
import { loadConfig } from '../../src/config.js';
import { loadDemo } from '../../src/demo/load-demo.js';
import { exampleIds } from '../../src/domain/example-ids.js';
import { createKey } from '../harness/tenant.js';
import { openBrowser, openPage, type OpenBrowser } from './browser.js';

let service: Service;
let opened: OpenBrowser;
let browser: Browser;
let key: string;
beforeAll(async () => {
  [service, opened] = await Promise.all([startService(), openBrowser()]);
  ({ browser } = opened);
  await loadDemo(service.db, loadConfig({}).limits, Date.now());
  ({ key } = await createKey(service, { merchant_id: exampleIds.merchant, permissions: ['read'] }));
});
afterAll(async () => {
  await opened.close();
  await service.stop();
});

const GETS = [
  ['List stores', 'get /v1/stores/', 'Casa Comanda Centro'],
  ['Get merchant', 'get /v1/merchants/{merchant_service_id}', 'Casa Comanda'],
  ['List orders of a store', 'get /v1/stores/{store_service_id}/orders/', 'Łukasz Nowak'],
  [
    'Get menu configuration (tree)',
    'get /v1/stores/{store_service_id}/menu_configuration/',
    'crema-catalana',
  ],
] as const;

test('the public reference sends GETs with nothing typed but the key', async () => {
  const { page, troubles, foreignRequests } = await openPage(browser, service.url);
  await page.goto(`${service.url}/docs`);
  await page.getByText('List stores').first().waitFor();
  await page.locator('input.scalar-password-input').first().fill(key);
  for (const [title, request, found] of GETS) {
    await page.getByRole('link', { name: title }).first().click();
    expect(await send(page, request)).toContain(found);
    await page.getByRole('button', { name: 'Close Client' }).click();
  }

  expect(foreignRequests).toEqual([]);
  expect(troubles).toEqual([]);
});

test('the manage side has a reference of its own', async () => {
  const { page, troubles, foreignRequests } = await openPage(browser, service.url);
  await page.goto(`${service.url}/docs`);
  // A page left while it still loads breaks off what it fetches, which would count as trouble.
  await page.getByText('List stores').first().waitFor();
  await page.getByRole('link', { name: 'Manage side' }).click();
  await page.getByText('Create a merchant').first().waitFor();

  expect(new URL(page.url()).pathname).toBe('/docs/manage');
  expect(foreignRequests).toEqual([]);
  expect(troubles).toEqual([]);
});

test.runIf(process.env['COMANDA_SCREENSHOTS'] === 'on')('takes the picture for the README', async () => {
  const { page } = await openPage(browser, service.url);
  await page.goto(`${service.url}/docs`);
  await page.getByText('List stores').first().click();
  await page.locator('button', { hasText: '(get /v1/stores/)' }).waitFor();
  await mkdir('docs/images', { recursive: true });
  await page.screenshot({ path: 'docs/images/docs-page.png' });
});

async function send(page: Page, request: string): Promise<string> {
  await page.locator('button', { hasText: `(${request})` }).click();
  const [answer] = await Promise.all([
    page.waitForResponse((given) => given.request().headers()['x-api-key'] === key),
    page.getByRole('button', { name: /^Send/ }).first().click(),
  ]);
  expect(answer.status()).toBe(200);
  return answer.text();
}
