import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { chain, item, menuClient, text } from '../../harness/menu.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { goToBoard, holdEvents, inMinutes, openConsole, zoneOfNoon } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

interface Mark {
  readonly in_stock: boolean;
  readonly until?: string;
  readonly left?: number;
  readonly prep_type?: string;
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();

const mark = async ({ storeId, key }: Tenant, externalId: string, body: object = {}) =>
  (
    await ask<Mark>(`${service.url}/manage/v1/stores/${storeId}/menu/items/${externalId}`, {
      method: 'PATCH',
      key,
      body,
    })
  ).body;

async function createKitchen(): Promise<Tenant> {
  const owner = await createTenant(service);
  const storeId = await createStore(service, owner.merchantId, { timezone: zoneOfNoon() });
  const tenant = { ...owner, storeId };
  const items = ['burger', 'steak', 'lemonade', 'soup', 'cake'].map((id) =>
    item(id, { name: text(`A ${id}`) }),
  );
  const categories = [
    { external_id: 'c', name: text('c'), item_external_ids: items.map((one) => one.external_id) },
  ];
  await menuClient(service, tenant).post({ ...chain(), items, categories });
  return tenant;
}

test('an item is sold out for today, until a time, or when so many are gone', async () => {
  const tenant = await createKitchen();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu`);
  const soldOut = async (act: () => Promise<void>) => {
    await press(page, /^A burger/);
    await act();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const hoursLeft = async () =>
    (Date.parse((await mark(tenant, 'burger')).until ?? '') - Date.now()) / 3_600_000;

  await soldOut(() => press(page, 'Until tomorrow'));
  // It is noon at the store, and its day ends at 06:00.
  await expect.poll(hoursLeft).toBeGreaterThan(16);
  expect(await hoursLeft()).toBeLessThan(19);
  await press(page, /^A burger/);
  await page
    .getByRole('dialog')
    .getByText(/^until .*06:00$/)
    .waitFor();
  await press(page, 'Back in stock');
  await expect.poll(() => mark(tenant, 'burger')).toMatchObject({ in_stock: true });

  await soldOut(async () => {
    // An hour from now: after 13:00 if the hour of noon ends under the test, still before 15:00.
    expect(await page.getByLabel('Until', { exact: true }).inputValue()).toMatch(/T1[234]:/);
    await press(page, 'Mark');
  });
  await expect.poll(hoursLeft).toBeGreaterThan(0.5);
  expect(await hoursLeft()).toBeLessThanOrEqual(1);

  await soldOut(async () => {
    await page.getByLabel('Only left').fill('2');
    await press(page, 'Count down');
  });
  await expect.poll(() => mark(tenant, 'burger')).toMatchObject({ in_stock: true, left: 2 });
  await press(page, /^A burger/);
  await page.getByRole('dialog').getByText('2 portions left').waitFor();
  // The list says so too, and an order counts it down while one looks.
  await press(page, 'Close');
  const row = page.getByRole('button', { name: /^A burger/ });
  await row.getByText('2 portions left').waitFor();
  await takeIn(service, tenant, { items: [{ external_id: 'burger', quantity: 1 }] });
  await row.getByText('1 portion left').waitFor();
  expect(
    await page
      .locator('.menu')
      .getByText(/portions? left/)
      .count(),
  ).toBe(1);
});

test('several are marked in one request, and get a station', async () => {
  const tenant = await createKitchen();
  const { page } = await openConsole(browser, service.url, tenant.key);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') asked.push(new URL(request.url()).pathname.replace(/^.*\/menu\//, ''));
  });
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu`);
  for (const act of [() => press(page, 'Until tomorrow'), () => setStation(page, 'Grill')]) {
    await press(page, 'Select several');
    await press(page, /^A burger/);
    await press(page, /^A steak/);
    await press(page, 'Mark sold out');
    await act();
    await page.getByRole('button', { name: 'Select several' }).waitFor();
  }
  expect(asked).toEqual(['items', 'items']);
  for (const id of ['burger', 'steak'])
    expect(await mark(tenant, id)).toMatchObject({ in_stock: false, prep_type: 'Grill' });
  expect((await mark(tenant, 'lemonade')).in_stock).toBe(true);
  await press(page, /^A steak/);
  await expect.poll(() => page.getByLabel('Station').inputValue()).toBe('Grill');
  await lookEverywhere(page);
});

test('Undo gives each of several items back the mark that it had', async () => {
  const tenant = await createKitchen();
  const marks: Readonly<Record<string, object>> = {
    burger: { in_stock: false, until: inMinutes(120) },
    steak: { in_stock: true, left: 3, prep_type: 'Grill' },
    lemonade: { in_stock: true },
    soup: { in_stock: false },
    cake: { left: 0 },
  };
  const read = () => Promise.all(Object.keys(marks).map((id) => mark(tenant, id)));
  for (const [id, body] of Object.entries(marks)) await mark(tenant, id, body);
  const before = await read();
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu`);

  const sayOfAll = async (act: () => Promise<void>, done: string) => {
    await press(page, 'Select several');
    for (const id of Object.keys(marks)) await press(page, new RegExp(`^A ${id}`));
    await act();
    await page.getByText(`5 items: ${done}`).waitFor();
    expect(await read()).not.toEqual(before);
    await page.locator('.toast', { hasText: done }).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('5 items: As it was before').last().waitFor();
    await expect.poll(read).toEqual(before);
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  };
  await sayOfAll(() => press(page, 'Back in stock'), 'Back in stock');
  await sayOfAll(async () => {
    await press(page, 'Mark sold out');
    await press(page, 'Until I say so');
  }, 'Sold out');
  await sayOfAll(async () => {
    await press(page, 'Mark sold out');
    await page.getByLabel('Only left').fill('5');
    await press(page, 'Count down');
  }, '5 portions left');
});

test('the board shows the lines of a station, and remembers it on the device', async () => {
  const tenant = await createKitchen();
  await mark(tenant, 'burger', { prep_type: 'Grill' });
  await mark(tenant, 'lemonade', { prep_type: 'Bar' });
  const line = (externalId: string) => ({ external_id: externalId, name: `A ${externalId}`, quantity: 1 });
  const about = { ready_by: inMinutes(30) };
  await takeIn(service, tenant, {
    ...about,
    items: [line('burger'), line('lemonade'), line('steak')],
  });
  await takeIn(service, tenant, { ...about, items: [line('lemonade')] });
  const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
  const { page } = await openConsole(browser, service.url, key);
  await goToBoard(page, service.url, tenant.storeId);
  const both = page.getByRole('article', { name: 'Order 1' });
  const drink = page.getByRole('article', { name: 'Order 2' });
  await drink.getByText('Bar', { exact: true }).waitFor();
  await press(page, 'Grill');
  await drink.waitFor({ state: 'detached' });
  await expect.poll(() => both.locator('.order-line .name').allTextContents()).toEqual(['A burger']);
  await both.getByText('and 2 lines of other stations').waitFor();
  const beginEvents = await holdEvents(page);
  await page.reload();
  await page.getByRole('button', { name: 'Grill', pressed: true }).waitFor();
  await both.waitFor();
  expect(await drink.count()).toBe(0);

  // A dish that moves to another station moves on the board, also if it did so before the board was live.
  await mark(tenant, 'steak', { prep_type: 'Grill' });
  beginEvents();
  await both.getByText('A steak').waitFor();
  await press(page, 'All');
  await drink.waitFor();
  await expect.poll(() => both.locator('.order-line .name').count()).toBe(3);
});

async function setStation(page: Page, name: string): Promise<void> {
  await page.getByLabel('Station').fill(name);
  await press(page, 'Save');
}
