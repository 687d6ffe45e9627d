import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { openConsole, openHome } from './open-console.js';
import { readCode } from './read-code.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

interface Key {
  readonly id: string;
  readonly label?: string;
  readonly permissions: readonly string[];
  readonly store_ids?: readonly string[];
  readonly revoked_at?: string;
}

const OWNER = ['read', 'menu:write', 'stock:write', 'orders:write', 'store:write', 'keys:write'];
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const keyCalled = async ({ key }: Pick<Tenant, 'key'>, label: string) =>
  (await ask<Key[]>(`${service.url}/manage/v1/keys?limit=1000`, { key })).body.find(
    (one) => one.label === label,
  );

const scan = (page: Page) => readCode(page.getByRole('img', { name: 'The sign-in link as a QR code' }));

test('an owner lets a tablet in with a code, changes what it may do, and ends it', async () => {
  const tenant = await createTenant(service, OWNER);
  const second = await createStore(service, tenant.merchantId, { name: { translations: { en: 'Harbour' } } });
  const { page } = await openHome(browser, service.url, tenant.key, { colorScheme: 'dark' });
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: 'People and tablets' }).click();
  await press(page, 'Let someone in');
  await dialog.getByLabel('Name').fill('Kitchen tablet');
  await dialog.getByLabel('Harbour').check();
  await dialog.getByLabel('Kitchen', { exact: false }).check();
  await press(page, 'Make the link');
  const url = await dialog.locator('#sign-in-link').innerText();
  expect(url).toMatch(new RegExp(`^${service.url}/console#code=\\S+$`));
  expect(await scan(page)).toBe(url);
  await press(page, 'Done');
  expect(await keyCalled(tenant, 'Kitchen tablet')).toMatchObject({
    permissions: ['kitchen:read', 'orders:write', 'stock:write'],
    store_ids: [second],
  });
  const row = page.getByRole('row', { name: /^Kitchen tablet/ });
  await row.waitFor();
  expect((await row.getByRole('cell').allInnerTexts()).slice(1, 4)).toEqual(['Harbour', 'Kitchen', 'Never']);

  const tablet = await openConsole(browser, service.url, undefined, { expected: /401/ });
  await tablet.page.goto('about:blank');
  await tablet.page.goto(url);
  await tablet.page.getByText('Latest orders').waitFor();
  expect(await tablet.page.getByRole('link', { name: 'Publish a menu' }).count()).toBe(0);

  await press(page, 'Change: Kitchen tablet');
  await dialog.getByLabel('Name').fill('Anas tablet');
  await dialog.getByLabel('Harbour').uncheck();
  await dialog.getByLabel('Manager', { exact: false }).check();
  await press(page, 'Save');
  await page.getByRole('row', { name: /^Anas tablet All stores Manager/ }).waitFor();
  // The owner may not see webhooks, and so gives nobody the right to.
  const changed = await keyCalled(tenant, 'Anas tablet');
  expect(changed?.permissions).toEqual(['read', 'orders:write', 'stock:write', 'menu:write', 'store:write']);
  expect(changed?.store_ids).toBeUndefined();

  await press(page, 'End: Anas tablet');
  await press(page, 'End');
  await page.getByRole('row', { name: /^Anas tablet/ }).waitFor({ state: 'detached' });
  // Whether it has noticed by itself or not.
  await tablet.page.reload();
  await tablet.page.getByLabel('Your key').waitFor();
});

test('an owner connects an assistant, which reads unless more is ticked, and tests it', async () => {
  const tenant = await createTenant(service, OWNER);
  const { page } = await openHome(browser, service.url, tenant.key);
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: 'People and tablets' }).click();
  const connect = async (label: string, right?: string) => {
    await press(page, 'Connect an assistant');
    await dialog.getByLabel('Name').fill(label);
    if (right !== undefined) await dialog.getByLabel(right, { exact: false }).check();
    await press(page, 'Issue the key');
    await dialog.getByText(`${service.url}/mcp`).waitFor();
    await press(page, 'Test');
  };
  await connect('Reader');
  await dialog.getByText('It works, with 9 tools.').waitFor();
  await lookEverywhere(page);
  await press(page, 'I have kept it');
  expect(await keyCalled(tenant, 'Reader')).toMatchObject({ permissions: ['read'] });
  await connect('Menu helper', 'Publish menus');
  await dialog.getByText('It works, with 11 tools.').waitFor();
  await press(page, 'I have kept it');
  await page.getByRole('row', { name: /^Menu helper/ }).waitFor();
});

test('a person keeps their stores when renamed, also one that is not listed', async () => {
  const tenant = await createTenant(service, OWNER);
  const second = await createStore(service, tenant.merchantId);
  const [first, permissions] = [tenant.storeId, ['read']];
  const makeKey = (label: string, storeId: string) =>
    createKey(service, { merchant_id: tenant.merchantId, label, permissions, store_ids: [storeId] });
  await makeKey('Near', first);
  await makeKey('Far', second);
  const { page } = await openConsole(browser, service.url, tenant.key);
  // As if the second came after all that are listed at once.
  await page.route(/\/v1\/stores\/\?/, async (route) => {
    const response = await route.fetch();
    const listed = (await response.json()) as { id: string }[];
    await route.fulfill({ response, json: listed.filter(({ id }) => id === first) });
  });
  await page.goto(`${service.url}/console/people`);
  const rename = async (from: string, to: string) => {
    await press(page, `Change: ${from}`);
    await page.getByLabel('Name').fill(to);
    await press(page, 'Save');
    await page.getByRole('row', { name: new RegExp(`^${to}`) }).waitFor();
    return (await keyCalled(tenant, to))?.store_ids;
  };
  expect([await rename('Near', 'Here'), await rename('Far', 'There')]).toEqual([[first], [second]]);

  await press(page, 'Change: There');
  await page.getByLabel('Centro').check();
  await press(page, 'Save');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new Set((await keyCalled(tenant, 'There'))?.store_ids)).toEqual(new Set([first, second]));
});

test('an owner of one store lets nobody into another, and has no hold on a stronger key', async () => {
  const tenant = await createTenant(service, [...OWNER, 'webhooks:write']);
  await createStore(service, tenant.merchantId);
  const about = { merchant_id: tenant.merchantId, store_ids: [tenant.storeId] };
  const { key } = await createKey(service, {
    ...about,
    label: 'Owner of one',
    permissions: ['read', 'stock:write', 'orders:write', 'keys:write'],
  });
  await createKey(service, { ...about, label: 'Stronger', permissions: ['read', 'menu:write'] });
  const { page } = await openConsole(browser, service.url, key);
  await page.goto(`${service.url}/console/people`);
  await page.getByRole('row', { name: /^Stronger/ }).waitFor();
  expect(await page.getByRole('button', { name: /: (Stronger|Owner of one)$/ }).count()).toBe(0);
  await press(page, 'Let someone in');
  await page.getByLabel('Name').fill('Counter');
  await expect.poll(() => page.getByRole('dialog').getByRole('radio').count()).toBe(3);
  await press(page, 'Make the link');
  await page.locator('#sign-in-link').waitFor();
  expect((await keyCalled(tenant, 'Counter'))?.store_ids).toEqual([tenant.storeId]);

  const other = await openHome(browser, service.url, (await createTenant(service)).key);
  await other.page.getByRole('link', { name: 'Help' }).waitFor();
  expect(await other.page.getByRole('link', { name: 'People and tablets' }).count()).toBe(0);
  await other.page.goto(`${service.url}/console/people`);
  await other.page.getByText('This key may not let others in').waitFor();
});

test('the operator lets someone in for a merchant, on a phone too, without barriers', async () => {
  const { merchantId } = await createTenant(service);
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  await page.goto(`${service.url}/console/people`);
  await press(page, 'Let someone in');
  await page.getByRole('dialog').getByLabel('Merchant').selectOption(merchantId);
  await page.getByLabel('Name').fill('Front desk');
  await page.getByLabel('Front', { exact: false }).check();
  for (const step of ['form', 'link', 'list']) {
    await lookEverywhere(page, step);
    if (step === 'form') {
      await press(page, 'Make the link');
      await page.locator('#sign-in-link').waitFor();
    } else if (step === 'link') await press(page, 'Done');
  }
  expect(await keyCalled({ key: service.operatorKey }, 'Front desk')).toMatchObject({
    merchant_id: merchantId,
  });
});

test('the newest key is listed however many came before it', async () => {
  const { merchantId, key, keyId } = await createTenant(service, OWNER);
  await service.db.withClient((client) =>
    client.query(
      `INSERT INTO api_keys (id, secret_hash, merchant_id, permissions, last_four, created_at, revoked_at)
       SELECT gen_random_uuid(), convert_to('old ' || n, 'UTF8'), merchant_id, permissions, last_four, created_at, created_at
       FROM api_keys, generate_series(1, 1000) AS n WHERE id = $1`,
      [keyId],
    ),
  );
  await createKey(service, { merchant_id: merchantId, permissions: ['read'], label: 'Newest' });
  const owner = await openHome(browser, service.url, key);
  await owner.page.getByRole('link', { name: 'People and tablets' }).click();
  await owner.page.getByRole('cell', { name: /^Newest/ }).waitFor();
  const operator = await openHome(browser, service.url, service.operatorKey);
  await operator.page.getByRole('link', { name: 'Keys', exact: true }).click();
  await operator.page.getByRole('cell', { name: /^Newest/ }).waitFor();
});
