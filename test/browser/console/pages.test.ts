import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.js';
import { loadDemo } from '../../../src/demo/load-demo.js';
import { exampleIds } from '../../../src/support/example-ids.js';
import { ask } from '../../harness/client.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createKey } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { findAlike, findOverflow, lookEverywhere } from './accessibility.js';
import { openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);
await loadDemo(service.db, loadConfig({}).limits, Date.now());
const about = { merchant_id: exampleIds.merchant };
const demo = { storeId: exampleIds.store, key: service.operatorKey };
await createKey(service, { ...about, permissions: ['read', 'stock:write'], label: 'Kitchen tablet' });
const made = await ask<{ id: string }>(`${service.url}/manage/v1/webhooks`, {
  method: 'POST',
  key: service.operatorKey,
  body: { ...about, url: 'http://127.0.0.1:1/nobody', label: 'Till', from: 'start' },
});
const webhook = `/console/webhooks/${made.body.id}`;
await ask(`${service.url}/manage/v1/webhooks/${made.body.id}/test`, {
  method: 'POST',
  key: service.operatorKey,
});

for (const label of ['Bar', 'Grill'])
  await ask(`${service.url}/manage/v1/stores/${exampleIds.store}/printers`, {
    method: 'POST',
    key: service.operatorKey,
    body: { label, protocol: 'cloudprnt' },
  });

const store = `/console/stores/${exampleIds.store}`;

/** Every page, with what tells that it has all it shows. */
const pages = (): (readonly [path: string, sign: string])[] => [
  [store, 'Crema catalana'],
  [`${store}/board`, 'Accept'],
  [`${store}/board?kitchen=on`, 'Accept'],
  [`${store}/orders`, 'Older'],
  [`${store}/orders?q=rejected+nobody-has-this-name`, 'No order matches'],
  [`${store}/orders?from=2026-11-16&to=2026-11-10`, 'This is before the first day'],
  [`${store}/orders/${exampleIds.order}`, 'History'],
  [`${store}/menu`, 'Being served'],
  [`${store}/menu?lang=ar&at=2026-11-15T20:00`, 'Being served'],
  [`${store}/menu/edit`, 'Add a category'],
  [`${store}/menu/edit?view=prices`, 'Arrow keys'],
  [`${store}/menu/edit?view=choices`, 'Add a group of choices'],
  [`${store}/menu/edit?view=menus`, 'Add a menu'],
  [`${store}/versions`, 'Version 2'],
  [`${store}/versions/1/2`, 'Late night'],
  [`${store}/versions/2/1`, 'Restore version 1'],
  [`${store}/publish`, 'Drop a menu file here'],
  [`${store}/settings`, 'Timezone'],
  [`${store}/places`, 'Terraza 2'],
  [`${store}/printers`, 'Grill'],
  ['/console/stores', 'Casa Comanda Shibuya'],
  ['/console/merchants', 'Casa Comanda'],
  ['/console/keys', 'Kitchen tablet'],
  ['/console/webhooks', 'Till'],
  [webhook, 'connection refused'],
  ['/console/nowhere', 'There is no such page'],
];

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const drop = (content: string) => (page: Page) =>
  page.setInputFiles('input[type=file]', {
    name: 'menu.json',
    mimeType: 'application/json',
    buffer: Buffer.from(content),
  });

/** Every window over a page, and what comes only when something is done. */
const opening = (): (readonly [path: string, open: (page: Page) => Promise<void>, sign: string])[] => [
  [
    `${store}/menu`,
    (page) =>
      page
        .getByRole('button', { name: /Flat white/ })
        .last()
        .click(),
    'Choose 1',
  ],
  [`${store}/menu`, press('Select several'), 'Tap the items to choose'],
  [`${store}/menu/edit`, press(/^Flat white/), 'Apply'],
  [`${store}/menu/edit?view=menus`, press(/^(?:Desayuno|Breakfast)/), 'Apply'],
  [`${store}/board`, press(/^Reject /), 'ends for good'],
  [`${store}/board`, press(/^Accept /), 'Undo'],
  [`${store}/publish`, drop('{"items": [\n{]}'), 'Nothing has been published'],
  [`${store}/publish`, drop('{"items": []}'), 'Nothing has been published yet'],
  ['/console/stores', press('New store'), 'Make the store'],
  ['/console/merchants', press('New merchant'), 'Brand name'],
  ['/console/keys', press('Issue a key'), 'What it may do'],
  ['/console/keys', press(/^Rotate:/), 'The old one goes on working for'],
  ['/console/keys', press(/^Revoke:/), 'There is no way back'],
  ['/console/webhooks', press('New endpoint'), 'Told of'],
  [webhook, press('Edit'), 'Told of'],
  [webhook, press('Send again'), 'By the clock of the store'],
  [webhook, press('New secret'), 'This is shown once'],
  [webhook, press('Remove'), 'the record of its deliveries goes with it'],
];

// A test accepts an order, so each has one of its own, with all that a card can show; being late, it is the first.
beforeEach(async () => {
  await takeIn(service, demo, {
    customer_comments: 'No onions, please',
    items: [{ external_id: 'bowl', name: 'Bowl', quantity: 3, modifiers: [{ name: 'Tahini', quantity: 2 }] }],
  });
});

test('no page has a barrier or is wider than the screen', async () => {
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  for (const [path, sign] of pages()) {
    await page.goto(service.url + path);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    await lookEverywhere(page, path);
    expect([path, await findAlike(page)]).toEqual([path, []]);
  }
});

test('nor has what opens over a page, nor the sign-in', async () => {
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  for (const [path, act, sign] of opening()) {
    await page.goto(service.url + path);
    await act(page);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    await lookEverywhere(page, `${path} ${sign}`);
  }
  await page.context().clearCookies();
  await page.goto(`${service.url}/console`);
  await page.getByText('Where is my key?').click();
  await lookEverywhere(page, 'sign-in');
});

test('a screen of 1920 is used, and the page before comes back', async () => {
  const { page } = await openConsole(browser, service.url, service.operatorKey, {
    viewport: { width: 1920, height: 1080 },
  });
  await page.goto(`${service.url}${store}/orders?page=2`);
  await page.getByRole('link', { name: 'Newer' }).click();
  await page.locator('a.order-link').first().click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.goBack();
  await page.goBack();
  await expect.poll(() => new URL(page.url()).search).toBe('?page=2');
  await page.getByRole('link', { name: 'Newer' }).waitFor();
  await page.goto(`${service.url}${store}/board`);
  await page.getByRole('heading', { name: /^New/ }).waitFor();
  expect(await findOverflow(page)).toBe(0);
});
