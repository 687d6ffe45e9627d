import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { menuClient, numberedMenu } from '../../harness/menu.js';
import { importLines, orderRequest, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant, type Tenant } from '../../harness/tenant.js';
import { makeTestFolder } from '../../harness/test-folder.js';
import { useBrowser } from '../browser.js';
import { dropFiles } from './drop-files.js';
import { holdEvents, openConsole, zoneOfNoon } from './open-console.js';

const folder = makeTestFolder();
const [service, browser] = await Promise.all([useService(), useBrowser()]);

/** A telephone at the edge of its network. */
async function slowDown(page: Page, latencyMs: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const throughput = { downloadThroughput: 60_000, uploadThroughput: 30_000 };
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    ...throughput,
  });
}

/** Does something, and lets what it asks for through only when the page has said that it waits. */
async function actAndSee(
  page: Page,
  asked: string,
  act: () => Promise<unknown>,
  waiting: Locator,
): Promise<void> {
  const seen = new EventEmitter();
  const isSeen = once(seen, 'now');
  await page.route(asked, async (route) => {
    await isSeen;
    await route.continue();
  });
  await act();
  await waiting.waitFor();
  seen.emit('now');
  await page.unrouteAll({ behavior: 'wait' });
}

async function pressAndSee(page: Page, pressed: Locator, waiting: Locator): Promise<void> {
  await pressed.waitFor();
  await actAndSee(page, '**/*', () => pressed.click(), waiting);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function importOrders({ storeId, key }: Tenant, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      ...orderRequest({ price: 1000, tax: 0, external_id: `T-${i}` }),
      store_id: storeId,
      status: 'FULFILLED',
      created_at: new Date(Date.now() - i * 10).toISOString(),
    }),
  );
  expect((await importLines(service, key, lines.join('\n'))).body).toMatchObject({ created: count });
}

test('over a slow connection every step of publishing and restoring a large menu says what it waits for', async () => {
  const tenant = await createTenant(service);
  const menu = menuClient(service, tenant);
  await menu.post(numberedMenu(1, 3_000));
  const { page } = await openConsole(browser, service.url, tenant.key);
  const store = `${service.url}/console/stores/${tenant.storeId}`;
  await page.goto(`${store}/publish`);
  await page.getByText('Drop a menu file here').waitFor();
  await slowDown(page, 400);
  // Checking may be over before anybody looks.
  await page.evaluate(`
    window.said = new Set();
    new MutationObserver(() => said.add(document.querySelector('main .busy')?.textContent))
      .observe(document.body, { childList: true, subtree: true, characterData: true });
  `);
  const path = join(folder, 'menu.json');
  await writeFile(path, JSON.stringify(numberedMenu(2, 3_000), null, 1));
  await dropFiles(page, path);
  await expect
    .poll(() => page.evaluate('[...said].join()'))
    .toMatch(/Checking menu\.json.*Comparing menu\.json with the current menu/);
  await pressAndSee(page, button(page, 'Publish'), page.getByText('Publishing menu.json'));
  await page.getByRole('heading', { name: 'Menu', exact: true }).waitFor();

  const openVersions = () => page.goto(`${store}/versions/2/1`, { waitUntil: 'commit' });
  await actAndSee(page, '**/diff/*', openVersions, page.getByText('Comparing the versions'));
  await pressAndSee(page, button(page, 'Restore version 1'), button(page, 'Restoring'));
  await page.getByText('Version 1 again').waitFor();
});

test('a page waits only seconds for what it does not need itself, and stays with what is typed into it', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const { page } = await openConsole(browser, service.url, tenant.key);
  const unanswered = new EventEmitter();
  const isAnswered = once(unanswered, 'now');
  await page.route('**/orders?*', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.clock.install();
  const asked = page.waitForRequest('**/orders?*');
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/settings`);
  await asked;
  await page.locator('main .busy').waitFor();
  await page.clock.fastForward(3_000);
  const city = page.getByLabel('City');
  await city.fill('Oslo');
  const answered = page.waitForResponse('**/orders?*');
  unanswered.emit('now');
  await answered;
  expect(await city.inputValue()).toBe('Oslo');
});

test.each([
  ['/orders', /page_size=25/, '1 order'],
  ['', /[/]sales[?]/, 'Takings with tax'],
  ['', /[/]flat$/, 'Everything on the menu can be had. Mark an item on the menu page when it runs out.'],
  ['/board', /[/]intake$/, 'Open, ready in 15 min'],
] as const)(
  'what takes longer than pages wait before they look again is not given up, and looked at once more: %s %s',
  async (path, asked, sign) => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant);
    const { page } = await openConsole(browser, service.url, tenant.key);
    // While no events come, pages look for changes themselves.
    await holdEvents(page);
    const unanswered = new EventEmitter();
    const isAnswered = once(unanswered, 'now');
    let count = 0;
    await page.route(asked, async (route) => {
      count += 1;
      await isAnswered;
      await route.continue();
    });
    await page.clock.install();
    await page.goto(`${service.url}/console/stores/${tenant.storeId}${path}`);
    await expect.poll(() => count).toBe(1);
    await page.clock.runFor(40_000);
    expect(count).toBe(1);
    unanswered.emit('now');
    await page.getByText(sign, { exact: true }).first().waitFor();
    await expect.poll(() => count).toBe(2);
  },
);

test('the next page of a list says that it is on its way, begins at its top, and Back is where one was', async () => {
  const tenant = await createTenant(service);
  await importOrders(tenant, 60);
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/orders`);
  await page.getByText('1 to 25 of 60').waitFor();
  const scrolled = () => page.evaluate<number>('Math.round(scrollY)');
  await slowDown(page, 600);
  await pressAndSee(page, page.getByRole('link', { name: 'Older' }), page.getByText('Reading the orders'));
  await page.getByText('26 to 50 of 60').waitFor();
  expect(await scrolled()).toBe(0);

  const twentieth = page.locator('a.order-link').nth(20);
  await twentieth.scrollIntoViewIfNeeded();
  await page.evaluate('scrollBy({ top: 120, behavior: "instant" })');
  const before = await scrolled();
  expect(before).toBeGreaterThan(300);
  await twentieth.click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  expect(await scrolled()).toBe(0);
  await page.goBack();
  await page.getByText('26 to 50 of 60').waitFor();
  await expect.poll(scrolled).toBe(before);
});

test('home reads a day of 1,500 orders as one answer, now and whenever one comes', async () => {
  const owner = await createTenant(service);
  const storeId = await createStore(service, owner.merchantId, { timezone: zoneOfNoon() });
  const tenant = { ...owner, storeId };
  await importOrders(tenant, 1_500);
  const { page } = await openConsole(browser, service.url, tenant.key);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${service.url}/console/stores/${tenant.storeId}`);
  await page.locator('.figures').getByText('1500', { exact: true }).waitFor();
  for (const count of ['1501', '1502']) {
    await takeIn(service, tenant);
    await page.locator('.figures').getByText(count, { exact: true }).waitFor();
  }
  await page.getByRole('link', { name: '2 Waiting to be accepted', exact: true }).waitFor();
  expect(asked.some((url) => url.includes('/sales?'))).toBe(true);
  expect(asked.filter((url) => /page_index=(?!1\b)/.test(url))).toEqual([]);
});
