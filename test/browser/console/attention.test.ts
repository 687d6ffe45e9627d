import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { patch, takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createKey, createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { goToBoard, inMinutes, openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

test('orders that need attention are on top of Home, marked on the board and ring until someone touches them', async () => {
  const tenant = await createTenant(service, ['read', 'orders:write', 'store:write']);
  const set = (path: string, body: object) =>
    ask(`${service.url}/manage/v1/stores/${tenant.storeId}${path}`, {
      method: 'PATCH',
      key: tenant.key,
      body,
    });
  await set('', { accept: { within_minutes: 5 }, in_pos_within_minutes: 10 });
  await set('/intake/settings', { capacity: { slot_minutes: 30, orders: 2 } });
  const order = async (external_id: string, more: object = {}) => {
    const about = { external_id, created_at: inMinutes(-12), ready_by: inMinutes(30), ...more };
    return (await takeIn(service, tenant, about)).body.id;
  };
  const waiting = await order('A-1');
  await patch(service, tenant.key, waiting, { in_pos: true });
  const outside = await order('A-2', { status: 'READY' });
  const { page } = await openConsole(browser, service.url, tenant.key);
  const card = (number: string) => page.getByRole('article', { name: `Order ${number}` });

  // Minutes count from the arrival, not from a created_at in the past.
  await goToBoard(page, service.url, tenant.storeId);
  await card('1').waitFor();
  expect(await page.getByText(/Not accepted in time|not in the POS/i).count()).toBe(0);

  await page.clock.setFixedTime(inMinutes(12));
  await page.goto(`${service.url}/console/stores/${tenant.storeId}`);
  const list = page.getByRole('region', { name: 'Needs attention' });
  await expect
    .poll(() => list.getByRole('listitem').allInnerTexts())
    .toEqual([
      expect.stringMatching(/\b1\b[^]*Not accepted in time/),
      expect.stringMatching(/\b2\b[^]*Not in the POS/),
    ]);
  const slots = page.getByRole('region', { name: 'Slots of today' });
  await slots.waitFor();
  await lookEverywhere(page);

  await goToBoard(page, service.url, tenant.storeId);
  await page.getByText('1 order is not in the POS').waitFor();
  await card('1').getByText('Not accepted in time').waitFor();
  await card('2').getByText('Not in the POS').waitFor();
  await lookEverywhere(page);
  await page.getByRole('button', { name: 'Seen' }).click();
  await page.getByRole('button', { name: 'Seen' }).waitFor({ state: 'detached' });

  await patch(service, tenant.key, outside, { in_pos: true });
  await patch(service, tenant.key, waiting, { status: 'ACCEPTED', in_pos: true });
  await page.getByText('Not accepted in time').waitFor({ state: 'detached' });
  await page.getByText('1 order is not in the POS').waitFor({ state: 'detached' });
});

test('accepting is set on Store details, and told to those who may not', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const read = async () =>
    (await ask<object>(`${service.url}/manage/v1/stores/${tenant.storeId}`, { key: tenant.key })).body;
  const open = async (key: string) => {
    const { page } = await openConsole(browser, service.url, key);
    await page.goto(`${service.url}/console/stores/${tenant.storeId}/settings`);
    await page.getByRole('heading', { name: 'Accepting orders' }).waitFor();
    return page;
  };
  const page = await open(tenant.key);
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByText('Saved', { exact: true }).first().waitFor();
  };
  await page.getByLabel('Alert staff when an order is not accepted within (minutes)').fill('10');
  await page.getByLabel('Alert staff when an order is not in the POS within (minutes)').fill('5');
  await page.getByLabel('Reject an order that nobody accepts in time').check();
  await save();
  await expect
    .poll(read)
    .toMatchObject({ accept: { auto: false, within_minutes: 10, then: 'reject' }, in_pos_within_minutes: 5 });

  const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
  const reader = await open(key);
  await reader.getByText('An order that nobody accepts within 10 minutes is rejected.').waitFor();

  await page.reload();
  await page.getByLabel('Accept new orders as they arrive').check();
  await page.getByLabel('Alert staff when an order is not in the POS within (minutes)').fill('');
  await save();
  await expect.poll(read).toMatchObject({ accept: { auto: true, within_minutes: 10 } });
  await expect.poll(read).not.toHaveProperty('in_pos_within_minutes');
  await lookEverywhere(page);
});
