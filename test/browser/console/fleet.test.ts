import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { takeIn } from '../../harness/orders.js';
import { item, menuClient } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { openConsole, openHome } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

test('the overview shows by itself which store needs somebody, and finds a store without its accents', async () => {
  const tenant = await createTenant(service, ['read', 'orders:write']);
  await createStore(service, tenant.merchantId, { name: { translations: { en: 'Café Río' } } });
  const { page } = await openHome(browser, service.url, tenant.key);
  await page.clock.install();
  await page.getByRole('link', { name: 'Overview' }).click();
  const stores = () => page.locator('tbody td.lead').allInnerTexts();
  await expect.poll(stores).toEqual(['Centro', 'Café Río']);
  await takeIn(service, tenant, { status: 'PENDING' });
  await page.clock.runFor(16_000);
  await page.getByRole('link', { name: 'Waiting (1)' }).click();
  await expect.poll(stores).toEqual(['Centro']);
  await lookEverywhere(page);
  await page.getByRole('link', { name: 'All (2)' }).click();
  await page.getByLabel('Find a store').fill(' cafe rio');
  await expect.poll(stores).toEqual(['Café Río']);
});

test('among many stores, the picker goes to the one that fits what is typed', async () => {
  const tenant = await createTenant(service);
  for (let i = 0; i < 20; i += 1)
    await createStore(service, tenant.merchantId, { name: { translations: { en: `Café ${i}` } } });
  const { page } = await openHome(browser, service.url, tenant.key);
  const picker = page.getByRole('combobox', { name: 'Store' });
  for (const [typed, shown] of [
    ['cafe 17', 'Café 17'],
    ['cafe', 'Café 17'],
    ['Café 1', 'Café 1'],
  ] as const) {
    await picker.fill(typed);
    await picker.press('Enter');
    await expect.poll(() => picker.inputValue()).toBe('');
    await expect.poll(() => picker.getAttribute('placeholder')).toBe(shown);
  }
});

test('“What happened” says who changed what, before and after, in the language of the staff', async () => {
  const { merchantId: merchant_id, storeId } = await createTenant(service);
  const permissions = ['read', 'store:write', 'keys:write'];
  const boss = await createKey(service, { merchant_id, permissions, label: 'Jefa' });
  for (const city of ['Porto', 'Lisboa'])
    await ask(`${service.url}/manage/v1/stores/${storeId}`, {
      method: 'PATCH',
      key: boss.key,
      body: { city },
    });
  const manage = (method: string, path: string, body?: unknown) =>
    ask<{ id: string }>(`${service.url}/manage/v1/${path}`, { method, key: service.operatorKey, body });
  await manage('PATCH', `stores/${storeId}`, { currency: 'EUR', location_name: 'Plaza' });
  await manage('PATCH', `stores/${storeId}`, { location_name: null });
  const { body: table } = await manage('POST', `stores/${storeId}/places`, { label: '7', kind: 'table' });
  await manage('POST', `stores/${storeId}/places/${table.id}/rotate`);
  const grill = { label: 'Parrilla', protocol: 'cloudprnt' };
  const { body: printer } = await manage('POST', `stores/${storeId}/printers`, grill);
  await manage('POST', `stores/${storeId}/printers/${printer.id}/rotate`);
  const { body: order } = await takeIn(service, { storeId, key: service.operatorKey });
  await manage('POST', `orders/${order.id}/payments`, { method: 'cash', amount: 250 });
  await manage('POST', 'customers/erase', { order_ids: [order.id] });
  await manage('GET', `merchants/${merchant_id}/archive`);
  const { page } = await openHome(browser, service.url, boss.key);
  await page.evaluate("localStorage.setItem('comanda-console-language', 'es')");
  await page.goto(`${service.url}/console/stores/${storeId}/audit`);
  const row = page.getByRole('row').filter({ hasText: 'Lisboa' });
  await expect.poll(() => row.innerText()).toMatch(/Jefa\s+.*\s+Ciudad: Porto\s*→\s*Lisboa/);
  const told = (await page.getByRole('table').innerText()).replaceAll('\u00a0', ' ');
  expect(told).toMatch(/Pedido: 1\s+\S+: Efectivo\s+Importe: 2,50 €/);
  for (const { id } of [table, printer, order]) expect(told).not.toContain(id);
  expect(told).toMatch(/Tipo: Mesa/);
  expect(told).toMatch(/Plaza\s*→\s*nada/);
  expect(told).not.toContain('order_ids');
  await lookEverywhere(page);

  const { page: all } = await openHome(browser, service.url, service.operatorKey);
  await all.getByRole('link', { name: 'What happened' }).last().click();
  await expect
    .poll(() => all.getByRole('row', { name: 'Merchant archived' }).first().innerText())
    .toMatch(/archived\s+Casa Comanda/);
});

test('older entries and versions come once, and it is told when they do not', async () => {
  const tenant = await createTenant(service, ['read', 'menu:write', 'store:write', 'keys:write']);
  const menu = menuClient(service, tenant);
  for (let price = 1; price <= 52; price += 1) {
    await menu.post({ items: [item('tea', { price })] });
    const change = { key: tenant.key, method: 'PATCH', body: { city: `City ${price}` } };
    await ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, change);
  }
  const { page } = await openConsole(browser, service.url, tenant.key, { expected: /ERR_|^failed/ });
  const address = `${service.url}/console/stores/${tenant.storeId}`;
  await page.goto(`${address}/versions`);
  await page.getByRole('button', { name: 'Show older ones' }).dblclick();
  await page.getByText('Version 1', { exact: true }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(52);

  await page.goto(`${address}/audit`);
  await page.route('**/audit?**after=**', (route) => route.abort());
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  await page.unroute('**/audit?**after=**');
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText('City 1', { exact: true }).first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
