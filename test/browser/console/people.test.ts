import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hashSecret } from '../../../src/access/secret.js';
import { makeCode } from '../../../src/access/sessions.sql.js';
import { ask } from '../../harness/client.js';
import { chain, menuClient } from '../../harness/menu.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createKey, createTenant } from '../../harness/tenant.js';
import { createWebhook, webhookClient } from '../../harness/webhooks.js';
import { useBrowser } from '../browser.js';
import { inMinutes, openConsole, signIn } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const soon = () => inMinutes(20);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('whoever signs in at a deep link is where it leads; a wrong key is refused in words; signing out ends it', async () => {
  const tenant = await createTenant(service);
  const { page } = await openConsole(browser, service.url, undefined, { expected: /401/ });
  const address = `${service.url}/console/stores/${tenant.storeId}/orders?q=ready`;
  await page.goto(address);
  await page.getByLabel('Your key').fill('comanda_wrong');
  await press(page, 'Sign in');
  await page.getByText('Invalid API key').waitFor();
  await page.getByText('It may be mistyped, revoked or expired').waitFor();
  await page.getByText('Details', { exact: true }).click();
  await page.getByText(/^Request \S+/).waitFor();
  await signIn(page, tenant.key);
  await page.getByText('No order matches').waitFor();
  expect(page.url()).toBe(address);
  expect(await page.evaluate<string>('document.cookie + JSON.stringify({ ...localStorage })')).not.toContain(
    tenant.key,
  );
  await press(page, 'Sign out');
  await page.getByLabel('Your key').waitFor();
  await page.reload();
  await page.getByLabel('Your key').waitFor();
});

test('the link of a start is signed in already, once', async () => {
  const tenant = await createTenant(service);
  const code = await makeCode(service.db, hashSecret(tenant.key), new Date(inMinutes(10)));
  const first = await openConsole(browser, service.url, undefined);
  // Only the fragment changes, which alone loads no page.
  await first.page.goto('about:blank');
  await first.page.goto(`${service.url}/console#code=${code}`);
  await first.page.getByText('Latest orders').waitFor();
  expect(new URL(first.page.url()).hash).toBe('');
  const second = await openConsole(browser, service.url, undefined, { expected: /401/ });
  await second.page.goto('about:blank');
  await second.page.goto(`${service.url}/console#code=${code}`);
  await second.page.getByText('This link has been used already').waitFor();
});

test('a key that may only read finds nothing to change on any page', async () => {
  const tenant = await createTenant(service);
  await menuClient(service, tenant).post(chain({ in_stock: false }));
  const { body: order } = await takeIn(service, tenant, { ready_by: soon() });
  const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
  const { page } = await openConsole(browser, service.url, key);
  const store = `/console/stores/${tenant.storeId}`;
  const buttons: string[] = [];
  for (const [path, sign] of [
    [store, 'Sold out'],
    [`${store}/board`, 'Latte'],
    [`${store}/orders`, 'Latte'],
    [`${store}/orders/${order.id}`, 'History'],
    [`${store}/menu`, 'Being served'],
    [`${store}/versions`, 'Version 1'],
    [`${store}/publish`, 'This key may not publish'],
    [`${store}/settings`, 'This key may not change the store'],
    ['/console/stores', 'Centro'],
    ['/console/merchants', 'Casa Comanda'],
    ['/console/keys', 'Keys are the operator’s'],
    ['/console/webhooks', 'This key may not see webhooks'],
  ] as const) {
    await page.goto(service.url + path);
    await page.locator('main').getByText(sign).filter({ visible: true }).first().waitFor();
    buttons.push(...(await page.locator('main').getByRole('button').allInnerTexts()));
  }
  await page.goto(`${service.url}${store}/menu`);
  await page.getByRole('button', { name: /^i\b/ }).click();
  await page.getByRole('dialog').waitFor();
  buttons.push(...(await page.getByRole('dialog').getByRole('button').allInnerTexts()));
  // What is left shows, searches, silences on this device alone, or opens what can be read.
  const harmless = /^(Sound off|Kitchen mode|Seen|Print|Search|Now|Copy|Download as a spreadsheet|i\b[^]*|)$/;
  expect(buttons.filter((text) => !harmless.test(text.trim()))).toEqual([]);
});

test('a merchant, a store and a key are made, changed and ended by the operator', async () => {
  // In an installation that has stores already, a new merchant leads nowhere else.
  await createTenant(service);
  const { page } = await openConsole(browser, service.url, service.operatorKey, { expected: /422/ });
  const dialog = page.getByRole('dialog');
  await page.goto(`${service.url}/console/merchants`);
  await press(page, 'New merchant');
  await page.getByLabel('Brand name').fill('Bakary Nord');
  await page.getByLabel('Business').fill('Smithy');
  await press(page, 'Save');
  await page.getByRole('cell', { name: 'Smithy' }).waitFor();
  await page.getByRole('button', { name: 'Edit: Bakary Nord' }).click();
  await page.getByLabel('Brand name').fill('Bakery Nord');
  await page.getByLabel('Business').fill('');
  await press(page, 'Save');
  await page.getByRole('cell', { name: /^Bakery Nord/ }).waitFor();
  expect(await page.getByRole('cell', { name: 'Smithy' }).count()).toBe(0);

  await page.getByRole('link', { name: 'Stores', exact: true }).click();
  await press(page, 'New store');
  await dialog.getByLabel('Merchant').selectOption('Bakery Nord');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('en: Corner\nar: الزاوية');
  await dialog.getByLabel('Timezone').fill('Europe/Nowhere');
  await press(page, 'Make the store');
  await dialog.getByText(/^Timezone: (?!Value error)/).waitFor();
  await dialog.getByLabel('Timezone').fill('Europe/Oslo');
  await press(page, 'Make the store');
  await page.getByText('Drop a menu file here').waitFor();
  await page.getByRole('link', { name: 'Store details' }).click();
  await page.getByLabel('City').fill('Oslo');
  await press(page, 'Save');
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByLabel('City').inputValue();
    })
    .toBe('Oslo');
  expect(await page.getByLabel('Timezone').inputValue()).toBe('Europe/Oslo');

  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await press(page, 'Issue a key');
  await page.getByLabel('What is it for?').fill('Wall screen');
  await dialog.getByLabel('Merchant').selectOption('Bakery Nord');
  await page.getByText('Mark items sold out and back in').waitFor();
  await press(page, 'Issue the key');
  const first = (await page.locator('#secret').textContent()) ?? '';
  await press(page, 'I have kept it');
  await page.getByRole('button', { name: 'Rotate: Wall screen' }).click();
  await page.getByLabel('The old one goes on working for').selectOption('no time: it ends now');
  await press(page, 'Make the new key');
  const second = (await page.locator('#secret').textContent()) ?? '';
  await press(page, 'I have kept it');
  const statusOf = async (key: string) => (await ask(`${service.url}/v1/stores/`, { key })).status;
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  const row = page.getByRole('row').filter({ hasText: second.slice(-4) });
  await expect
    .poll(async () => {
      await page.reload();
      await row.waitFor();
      return row.textContent();
    })
    .toContain('just now');
});

test('a key is issued with its secret shown once, signs in, and ends the session when revoked', async () => {
  const tenant = await createTenant(service);
  const operator = await openConsole(browser, service.url, service.operatorKey);
  await operator.page.goto(`${service.url}/console/keys`);
  await press(operator.page, 'Issue a key');
  await operator.page.getByLabel('What is it for?').fill('Kitchen tablet');
  await operator.page.getByRole('dialog').getByLabel('Merchant').selectOption(tenant.merchantId);
  await press(operator.page, 'Issue the key');
  const secret = (await operator.page.locator('#secret').textContent()) ?? '';
  await press(operator.page, 'I have kept it');

  await takeIn(service, tenant, { ready_by: soon() });
  const reader = await openConsole(browser, service.url, secret, { expected: /401/ });
  await reader.page.goto(`${service.url}/console/stores/${tenant.storeId}/board`);
  await reader.page.getByRole('article').waitFor();

  await operator.page.getByRole('button', { name: 'Revoke: Kitchen tablet' }).click();
  await press(operator.page, 'Revoke');
  await reader.page.getByText('Your session has ended').waitFor();
});

test('revoking a key asks whether the webhooks made with it end too', async () => {
  const tenant = await createTenant(service);
  const webhooks = webhookClient(service, tenant.key);
  const { id } = await createWebhook(webhooks, { url: 'https://till.example/' });
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  await page.goto(`${service.url}/console/keys`);
  const lastFour = tenant.key.slice(-4);
  await page.getByRole('button', { name: `Revoke: ${lastFour}` }).click();
  await page.getByLabel('1 webhook made with it goes on: end it too').check();
  await press(page, 'Revoke');
  await expect
    .poll(async () => (await webhookClient(service, service.operatorKey).get(id)).body.status)
    .toBe('disabled');
});
