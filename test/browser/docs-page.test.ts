import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useService } from '../harness/service.js';
import { loadConfig } from '../../src/config.js';
import { loadDemo } from '../../src/demo/load-demo.js';
import { exampleIds } from '../../src/support/example-ids.js';
import { createKey } from '../harness/tenant.js';
import { openPage, useBrowser } from './browser.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);
await loadDemo(service.db, loadConfig({}).limits, Date.now());
const { key } = await createKey(service, { merchant_id: exampleIds.merchant, permissions: ['read'] });

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

/** Test of the examples themselves: test/http/examples. Here the page puts them together, and sends them as they stand. */
const SENT = [
  ['/docs', [['Create menu configuration', 'post /v1/stores/{store_service_id}/menu_configuration/', 200]]],
  [
    '/docs/manage',
    [
      ['Create a merchant', 'post /manage/v1/merchants', 201],
      ['Get the sales of several stores together', 'get /manage/v1/sales', 200],
    ],
  ],
] as const;

test.each(SENT)(
  '%s says where the key of the demo is, and sends examples as they stand',
  async (path, sent) => {
    const { page, troubles, foreignRequests } = await openPage(browser, service.url);
    await page.goto(service.url + path);
    await page.getByText('demo.env').first().waitFor();
    await page.locator('input.scalar-password-input').first().fill(service.operatorKey);
    for (const [title, operation, status] of sent) {
      await page.getByRole('link', { name: title }).first().click();
      await page.locator('button', { hasText: `(${operation})` }).click();
      const [answer] = await Promise.all([
        page.waitForResponse((given) => given.request().headers()['x-api-key'] === service.operatorKey),
        page.getByRole('button', { name: /^Send/ }).first().click(),
      ]);
      expect([answer.url(), answer.status()]).toEqual([answer.url(), status]);
      await page.getByRole('button', { name: 'Close Client' }).click();
    }
    expect({ foreignRequests, troubles }).toEqual({ foreignRequests: [], troubles: [] });
  },
);

test.each([
  ['Manage side', '/docs/manage', 'Create a merchant'],
  ['Guests', '/docs/guest', 'Price a basket'],
])('%s has a reference of its own', async (name, path, title) => {
  const { page, troubles, foreignRequests } = await openPage(browser, service.url);
  await page.goto(`${service.url}/docs`);
  // A page left while it still loads breaks off what it fetches, which would count as trouble.
  await page.getByText('List stores').first().waitFor();
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByText(title).first().waitFor();

  expect(new URL(page.url()).pathname).toBe(path);
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
