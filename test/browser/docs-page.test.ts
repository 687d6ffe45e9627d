import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useService } from '../harness/service.js';
import { loadConfig } from '../../src/config.js';
import { loadDemo } from '../../src/demo/load-demo.js';
import { exampleIds } from '../../src/domain/example-ids.js';
import { ask } from '../harness/client.js';
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

/** Some fifty requests, each through the page; a busy machine takes minutes for them. */
const SLOW_MS = 600_000;
/** The demo has none of these, so that nothing sent from a page can harm one that is in use. */
const NOT_THERE = /\{(key_id|webhook_id)\}/;
const EXPECTED: Readonly<Record<string, number>> = {
  // What has orders is not deleted without saying so, and an archive goes only into an empty installation.
  'delete /manage/v1/merchants/{merchant_id}': 409,
  'delete /manage/v1/stores/{store_id}': 409,
  'post /manage/v1/restore': 409,
};

interface Document {
  readonly paths: Record<string, Record<string, { readonly summary: string }>>;
}

test.each([
  ['/docs', '/openapi.json'],
  ['/docs/manage', '/manage/openapi.json'],
])(
  'every operation of %s is accepted as it stands, what makes something also twice',
  async (path, document) => {
    const { body } = await ask<Document>(service.url + document);
    const menu = `${service.url}/v1/stores/${exampleIds.store}/menu_configuration/flat`;
    const before = (await ask(menu, { key: service.operatorKey })).body;
    const { page, foreignRequests } = await openPage(browser, service.url);
    await page.goto(service.url + path);
    await page.locator('input.scalar-password-input').first().fill(service.operatorKey);
    const made: string[] = [];
    for (const [template, methods] of Object.entries(body.paths)) {
      for (const [method, { summary }] of Object.entries(methods)) {
        const operation = `${method} ${template}`;
        await page.getByRole('link', { name: summary }).first().click();
        await page.locator('button', { hasText: `(${operation})` }).click();
        for (let times = 0; times < (method === 'post' ? 2 : 1); times += 1) {
          const [answer] = await Promise.all([
            page.waitForResponse((given) => given.request().headers()['x-api-key'] === service.operatorKey),
            page.getByRole('button', { name: /^Send/ }).first().click(),
          ]);
          const sent = `${operation} ${answer.url()} ${answer.request().postData() ?? ''}`;
          const wanted = NOT_THERE.test(template) ? 404 : EXPECTED[operation];
          const isAsExpected = wanted === undefined ? answer.ok() : answer.status() === wanted;
          expect([sent, answer.status(), isAsExpected]).toEqual([sent, answer.status(), true]);
          if (template.endsWith('/import'))
            expect(await answer.json()).toMatchObject({ created: 1, refused: 0 });
          if (answer.status() === 201) made.push(((await answer.json()) as { id: string }).id);
        }
        await page.getByRole('button', { name: 'Close Client' }).click();
      }
    }

    // Nothing that was made the second time is what was made the first time, and nobody's menu was replaced.
    expect(new Set(made).size).toBe(made.length);
    expect((await ask(menu, { key: service.operatorKey })).body).toEqual(before);
    expect(foreignRequests).toEqual([]);
  },
  SLOW_MS,
);

test('the pages say where the key of the demo is', async () => {
  const { page } = await openPage(browser, service.url);
  for (const path of ['/docs', '/docs/manage']) {
    await page.goto(service.url + path);
    await page.getByText('demo.env').first().waitFor();
  }
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
