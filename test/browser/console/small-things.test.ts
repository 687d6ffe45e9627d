import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { item, menuClient, text } from '../../harness/menu.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant } from '../../harness/tenant.js';
import { makeTestFolder } from '../../harness/test-folder.js';
import { useBrowser } from '../browser.js';
import { dropFiles } from './drop-files.js';
import { inMinutes, openConsole } from './open-console.js';

const folder = makeTestFolder();
const [service, browser] = await Promise.all([useService(), useBrowser()]);

/** The texts of elements that are cut off, or wider than what they stand in. */
const cutOff = (selector: string) => `
  [...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((one) => one.scrollWidth > one.clientWidth + 1
      || one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 1)
    .map((one) => one.textContent || one.name)`;

test('names, buttons, headings and dates have room, on a phone too', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant, {
    customer: { name: 'Maximiliane Hohenlohe', phone: '1' },
    ready_by: inMinutes(9),
  });
  const menu = menuClient(service, tenant);
  for (const name of ['Tea', 'Mint tea', 'Black tea'])
    await menu.post({ items: [item('tea', { name: text(name) })] });
  const store = `${service.url}/console/stores/${tenant.storeId}`;
  for (const width of [1280, 360]) {
    const { page } = await openConsole(browser, service.url, tenant.key, {
      viewport: { width, height: 800 },
    });
    for (const [path, sign, selector] of [
      ['', 'Latest orders', '.latest-name'],
      ['/versions', 'Compare with the current one, restore', '.table .button'],
      ['/versions/2/1', 'Name (en)', '.changes thead th'],
      ['/orders', 'Maximiliane', 'input[type=date]'],
      ['/menu', 'Black tea', 'input[type=datetime-local]'],
    ] as const) {
      await page.goto(store + path);
      await page.getByText(sign).filter({ visible: true }).first().waitFor();
      const more = page.getByRole('button', { name: 'Time, language' }).filter({ visible: true });
      if ((await more.count()) > 0) await more.click();
      await page.locator(selector).first().waitFor();
      expect([width, path, await page.evaluate<string[]>(cutOff(selector))]).toEqual([width, path, []]);
    }
    await page.goto(`${store}/board`);
    await page.getByRole('button', { name: /^Reject / }).click();
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
    const box = await close.boundingBox();
    const dialog = await page.getByRole('dialog').boundingBox();
    // The cross is a small square in the corner.
    expect(box?.width).toBe(box?.height);
    expect((dialog?.x ?? 0) + (dialog?.width ?? 0) - (box?.x ?? 0)).toBeLessThan(70);
  }
});

test('who may not change a store sees facts and no fields; the operator chooses country and currency from lists', async () => {
  const tenant = await createTenant(service);
  const settings = `${service.url}/console/stores/${tenant.storeId}/settings`;
  const staff = await openConsole(browser, service.url, tenant.key);
  await staff.page.goto(settings);
  await staff.page.getByText('This key may not change the store').waitFor();
  expect(await staff.page.locator('main').locator('input, textarea, select').count()).toBe(0);
  await staff.page.getByText('Centro', { exact: true }).last().waitFor();

  const { page } = await openConsole(browser, service.url, service.operatorKey);
  await page.goto(settings);
  await page.getByLabel('Country').selectOption('Japan (JP)');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const managed = `${service.url}/manage/v1/stores/${tenant.storeId}`;
  expect((await ask(managed, { key: tenant.key })).body).toMatchObject({ country: 'JP', currency: 'JPY' });
});

test('a menu in euros is not published in yen without a warning', async () => {
  const owner = await createTenant(service);
  const euros = await createStore(service, owner.merchantId, { currency: 'EUR' });
  const yen = await createStore(service, owner.merchantId, { currency: 'JPY' });
  await menuClient(service, { ...owner, storeId: euros }).post({ items: [item('tea')] });
  const { page } = await openConsole(browser, service.url, owner.key);
  await page.goto(`${service.url}/console/stores/${euros}/publish`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the current menu' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Centro-menu.EUR.json');
  const path = join(folder, download.suggestedFilename());
  await writeFile(path, JSON.stringify({ items: [item('tea')] }));
  await page.goto(`${service.url}/console/stores/${yen}/publish`);
  await page.getByText('Drop a menu file here').waitFor();
  await dropFiles(page, path);
  await page.getByText('The prices in this file are in EUR, and this store sells in JPY').waitFor();
  await page.goto(`${service.url}/console/stores/${euros}/publish`);
  await page.getByText('Drop a menu file here').waitFor();
  await writeFile(path, JSON.stringify({ items: [item('tea', { price: 7 })] }));
  await dropFiles(page, path);
  await page.getByText('Nothing has been published yet').waitFor();
  expect(await page.getByText('The prices in this file').count()).toBe(0);
});

test('the only operator key is revoked only by someone who says that it is meant', async () => {
  const { merchantId } = await createTenant(service);
  const made = await createKey(service, { merchant_id: merchantId, permissions: ['read'], label: 'Boss' });
  await service.db.withClient((client) =>
    client.query('UPDATE api_keys SET merchant_id = NULL WHERE id = $1', [made.id]),
  );
  const { page } = await openConsole(browser, service.url, service.operatorKey);
  await page.goto(`${service.url}/console/keys`);
  await page.getByRole('button', { name: 'Revoke: Boss' }).click();
  const revoke = page.getByRole('button', { name: 'Revoke', exact: true }).last();
  await page.getByText('It is the only operator key that works').waitFor();
  expect(await revoke.isDisabled()).toBe(true);
  await page.getByLabel('Revoke it all the same').check();
  await revoke.click();
  await page.getByText('The key is revoked').waitFor();
});
