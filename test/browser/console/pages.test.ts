import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.js';
import { loadDemo } from '../../../src/demo/load-demo.js';
import { exampleIds } from '../../../src/domain/example-ids.js';
import { startService, type Service } from '../../harness/service.js';
import { openBrowser, type OpenBrowser } from '../browser.js';
import { findBarriers, findOverflow } from './accessibility.js';
import { openConsole } from './open-console.js';

let service: Service;
let opened: OpenBrowser;
beforeAll(async () => {
  [service, opened] = await Promise.all([startService(), openBrowser()]);
  await loadDemo(service.db, loadConfig({}).limits, Date.now());
});
afterAll(async () => {
  await opened.close();
  await service.stop();
});

const store = `/console/stores/${exampleIds.store}`;

/** Every page, with what tells that it has all it shows. */
const PAGES: readonly (readonly [path: string, sign: string])[] = [
  [store, 'Crema catalana'],
  [`${store}/board`, 'Accept'],
  [`${store}/board?kitchen=on`, 'Accept'],
  [`${store}/orders`, 'Older'],
  [`${store}/orders?status=REJECTED&name=nobody-has-this-name`, 'No order matches'],
  [`${store}/orders/${exampleIds.order}`, 'History'],
  [`${store}/menu`, 'Being served'],
  [`${store}/menu?lang=ar&at=2026-11-15T20:00`, 'Being served'],
  [`${store}/versions`, 'Version 2'],
  [`${store}/versions/1/2`, 'Late night'],
  [`${store}/publish`, 'Drop a menu file here'],
  [`${store}/settings`, 'Timezone'],
  ['/console/stores', 'Casa Comanda Shibuya'],
  ['/console/merchants', 'Casa Comanda'],
  ['/console/keys', 'No key is in use'],
  ['/console/webhooks', 'No endpoint yet'],
  ['/console/nowhere', 'There is no such page'],
];

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each([
    [1280, 860],
    [360, 740],
  ])('no page has a barrier or is wider than a screen of %i', async (width, height) => {
    const viewport = { width, height };
    const { page, troubles, foreignRequests, context } = await openConsole(
      opened.browser,
      service.url,
      service.operatorKey,
      { colorScheme, viewport, hasTouch: width < 500 },
    );
    for (const [path, sign] of PAGES) {
      await page.goto(service.url + path);
      await page.getByText(sign).filter({ visible: true }).first().waitFor();
      expect([path, await findBarriers(page)]).toEqual([path, []]);
      expect([path, await findOverflow(page)]).toEqual([path, 0]);
    }
    expect(troubles).toEqual([]);
    expect(foreignRequests).toEqual([]);
    await context.close();
  });
});

test('windows over the page have no barrier either', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, context } = await openConsole(opened.browser, service.url, service.operatorKey, {
      colorScheme,
    });
    const windows = [
      [
        `${store}/menu`,
        async () =>
          page
            .getByRole('button', { name: /Flat white/ })
            .last()
            .click(),
      ],
      [
        `${store}/board`,
        async () =>
          page
            .getByRole('button', { name: /^Reject / })
            .first()
            .click(),
      ],
      ['/console/stores', async () => page.getByRole('button', { name: 'New store' }).click()],
      ['/console/merchants', async () => page.getByRole('button', { name: 'New merchant' }).click()],
      ['/console/keys', async () => page.getByRole('button', { name: 'Issue a key' }).click()],
      ['/console/webhooks', async () => page.getByRole('button', { name: 'New endpoint' }).click()],
    ] as const;
    for (const [path, open] of windows) {
      await page.goto(service.url + path);
      await open();
      await page.getByRole('dialog').waitFor();
      expect([path, await findBarriers(page)]).toEqual([path, []]);
    }
    await context.close();
  }
});

test('a screen of 1920 is used, and the page before comes back', async () => {
  const { page, context } = await openConsole(opened.browser, service.url, service.operatorKey, {
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
  await context.close();
});
