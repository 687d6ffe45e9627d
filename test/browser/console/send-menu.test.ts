import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { holdMenu, item, menuClient, text } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createStore, createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { openConsole, type ConsoleOptions } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-01-01T05:00`;

interface Flat {
  readonly items: readonly { readonly external_id: string; readonly price: number }[];
}

async function countRunning(): Promise<number> {
  const [row] = await service.db.query<{ count: number }>({
    name: 'test_running',
    text: `SELECT count(*) FROM menu_publications p WHERE p.status = 'running'`,
  });
  return row?.count ?? 0;
}

async function makeStores(options: ConsoleOptions = {}) {
  const tenant = await createTenant(service);
  const [north, south] = [
    await createStore(service, tenant.merchantId, { name: text('North') }),
    await createStore(service, tenant.merchantId, { name: text('South') }),
  ];
  const menuOf = (storeId: string) => menuClient(service, { ...tenant, storeId });
  await menuOf(tenant.storeId).post({ items: [item('tea', { price: 300 }), item('cake', { price: 500 })] });
  await menuOf(north).post({ items: [item('tea', { price: 200 })] });
  const pricesOf = async (storeId: string) => {
    const { body } = await menuOf(storeId).flat<Flat>();
    return body.items.map(({ external_id: id, price }) => [id, price]);
  };
  const { page } = await openConsole(browser, service.url, tenant.key, options);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu`);
  await page.getByRole('link', { name: 'Send to other stores' }).click();
  return { tenant, page, north, south, menuOf, pricesOf };
}

test('a menu is compared with those of other stores, and published where it is ticked', async () => {
  const { page, north, south, pricesOf } = await makeStores();
  await page.getByRole('row', { name: /North/ }).getByText('1 new, 1 changed').waitFor();
  await page.getByRole('row', { name: /South/ }).getByText('no menu').waitFor();
  await page.getByLabel('Prices').check();
  await page.getByRole('row', { name: /North/ }).getByText('1 new', { exact: true }).waitFor();
  await page.getByLabel('North').check();
  await page.getByRole('button', { name: 'Publish in 1 store' }).click();
  await page.getByText('published as version 2').waitFor();
  expect(await pricesOf(north)).toEqual([
    ['tea', 200],
    ['cake', 500],
  ]);
  expect(await pricesOf(south)).toEqual([]);
});

test('stores that could not be read are not called missing, and are read again', async () => {
  const { page } = await makeStores({ expected: /500/ });
  await page.route(/\/v1\/stores\/\?/, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('South').waitFor();
});

test('the menu that was compared is sent, also if the store has another by then', async () => {
  const { tenant, page, south, menuOf, pricesOf } = await makeStores();
  await page.getByLabel('South').check();
  await menuOf(tenant.storeId).post({ items: [item('tea', { price: 900 })] });
  await page.getByRole('button', { name: 'Publish in 1 store' }).click();
  await page.getByText('published as version 1').waitFor();
  expect(await pricesOf(south)).toEqual([
    ['tea', 300],
    ['cake', 500],
  ]);
});

test('a menu for later is listed under the versions of the store that gets it, and is cancelled there', async () => {
  const { page, south } = await makeStores();
  await page.getByLabel('South').check();
  await page.getByLabel(/^When, in/).fill(NEXT_YEAR);
  await page.getByRole('button', { name: 'Schedule for 1 store' }).click();
  await page.getByText('Scheduled for').waitFor();
  await page.goto(`${service.url}/console/stores/${south}/versions`);
  await page.getByRole('region', { name: 'Scheduled' }).getByText(/05:00/).waitFor();
  await page.getByRole('button', { name: /^Cancel:/ }).click();
  await page.getByRole('region', { name: 'Scheduled' }).waitFor({ state: 'detached' });
});

test('after a refused cancel the list is read again, and what is left of it can be cancelled', async () => {
  const { page, tenant, south } = await makeStores({ expected: /409/ });
  const publications = `${service.url}/manage/v1/menu/publications`;
  const schedule = async (label: string) => {
    const from = { store_id: tenant.storeId };
    const body = { from, store_ids: [south], at: `${NEXT_YEAR}:00Z`, label };
    return (await ask<{ id: string }>(publications, { method: 'POST', key: tenant.key, body })).body.id;
  };
  const gone = await schedule('Gone');
  await schedule('Kept');
  await page.goto(`${service.url}/console/stores/${south}/versions`);
  const entry = (label: string) => page.getByRole('listitem').filter({ hasText: label });
  await entry('Kept').waitFor();
  await ask(`${publications}/${gone}`, { method: 'DELETE', key: tenant.key });
  await entry('Gone')
    .getByRole('button', { name: /^Cancel:/ })
    .click();
  await page.getByRole('alert').waitFor();
  await entry('Gone').waitFor({ state: 'detached' });
  await entry('Kept')
    .getByRole('button', { name: /^Cancel:/ })
    .click();
  await page.getByText('It is cancelled').waitFor();
  await entry('Kept').waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a store that has the menu already can get it at a set time, but not at once', async () => {
  const { page, tenant, north, menuOf } = await makeStores();
  await menuOf(north).post((await menuOf(tenant.storeId).manage<object>('versions/1')).body);
  await page.reload();
  await page.getByRole('row', { name: /North/ }).getByText('it has this menu already').waitFor();
  expect(await page.getByLabel('North').isDisabled()).toBe(true);
  const when = page.getByLabel(/^When, in/);
  await when.fill(NEXT_YEAR);
  await page.getByLabel('North').check();
  await when.fill('');
  expect(await page.getByRole('button', { name: 'Publish in 0 stores' }).isDisabled()).toBe(true);
  await when.fill(NEXT_YEAR);
  await page.getByRole('button', { name: 'Schedule for 1 store' }).click();
  await page.getByText('Scheduled for').waitFor();
});

test('a publication that is still under way after a 503 is not called refused', async () => {
  const { page, south } = await makeStores({ expected: /503/ });
  const release = await holdMenu(service, south);
  let first: Promise<unknown> | undefined;
  await page.route('**/menu/publications', async (route) => {
    if (first !== undefined) return route.continue();
    first = route.fetch();
    await expect.poll(countRunning).toBe(1);
    return route.fulfill({ status: 503, headers: { 'retry-after': '0' }, body: '{}' });
  });
  await page.getByLabel('South').check();
  await page.getByRole('button', { name: 'Publish in 1 store' }).click();
  const report = page.getByRole('status', { name: 'What was published' });
  await report.getByText('still under way').waitFor();
  await release();
  await report.getByText('published as version 1').waitFor();
  await first;
});

test('the page has no barriers, also at 360 pixels', async () => {
  const { page } = await makeStores();
  await page.getByRole('row', { name: /North/ }).waitFor();
  await lookEverywhere(page);
});
