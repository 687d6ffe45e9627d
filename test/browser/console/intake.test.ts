import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { goToBoard, openConsole, zoneOfNoon } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const intakeOf = async ({ storeId, key }: Tenant) =>
  (
    await ask<{ state: string; note?: string; until?: string; ready_in_minutes: number }>(
      `${service.url}/manage/v1/stores/${storeId}/intake`,
      { key },
    )
  ).body;

async function createNoonTenant(): Promise<Tenant> {
  const owner = await createTenant(service);
  return { ...owner, storeId: await createStore(service, owner.merchantId, { timezone: zoneOfNoon() }) };
}

test('the board pauses, resumes and slows the store down, and every page of another device follows', async () => {
  const tenant = await createNoonTenant();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await goToBoard(page, service.url, tenant.storeId);
  const other = await openConsole(browser, service.url, tenant.key);
  await other.page.goto(`${service.url}/console/stores/${tenant.storeId}/menu`);

  await press(page, /^Open, ready in 1[56] min$/);
  await page.getByLabel('Note').fill('Oven broke');
  await press(page, '30 minutes');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const paused = await intakeOf(tenant);
  expect(paused).toMatchObject({ state: 'paused', note: 'Oven broke' });
  const minutes = (Date.parse(paused.until ?? '') - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(20);
  expect(minutes).toBeLessThanOrEqual(30);
  await page.getByRole('button', { name: /^Paused until \d\d:\d\d$/ }).waitFor();
  const bar = other.page.locator('.notice.bad', { hasText: /Paused until \d\d:\d\d\./ });
  await bar.getByText('Oven broke').waitFor();
  await bar.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: /^Open, ready in/ }).waitFor();
  expect((await intakeOf(tenant)).state).toBe('open');

  await press(page, /^Open, ready in/);
  await press(page, '+20 min');
  await press(page, /^Busy, ready in 3[56] min$/);
  expect((await intakeOf(tenant)).state).toBe('busy');
  await press(page, 'No longer busy');
  await press(page, /^Open, ready in/);
  await press(page, 'Until tomorrow');
  await bar.waitFor({ state: 'detached' });
  await other.page.getByText(/^Paused until \w+,? .*06:00\.$/).waitFor();
});

test('a device that may only look sees a pause and cannot end it', async () => {
  const tenant = await createNoonTenant();
  await ask(`${service.url}/manage/v1/stores/${tenant.storeId}/intake`, {
    method: 'PATCH',
    key: tenant.key,
    body: { pause: {} },
  });
  const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
  const { page } = await openConsole(browser, service.url, key);
  await goToBoard(page, service.url, tenant.storeId);
  await page.getByText('No new orders are taken.').waitFor();
  expect(await page.getByRole('button', { name: /Resume|Paused/ }).count()).toBe(0);
});

test('the sheet has no barriers and fits a phone, in light and dark', async () => {
  const tenant = await createNoonTenant();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await goToBoard(page, service.url, tenant.storeId);
  await press(page, /^Open, ready in/);
  await press(page, '60 minutes');
  await page.getByText('No new orders are taken.').waitFor();
  await press(page, /^Paused until/);
  await lookEverywhere(page);
});
