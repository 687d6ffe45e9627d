import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../sdk/src/webhooks.js';
import { takeIn } from '../../harness/orders.js';
import { startReceiver } from '../../harness/receiver.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant } from '../../harness/tenant.js';
import { webhookClient } from '../../harness/webhooks.js';
import { useBrowser } from '../browser.js';
import { findBarriers, findOverflow } from './accessibility.js';
import { openConsole, openHome } from './open-console.js';

const [service, browser] = await Promise.all([useService({}, { delivers: true }), useBrowser()]);

test('an endpoint is made, tried, watched, sent again, given a new secret, disabled and removed', async () => {
  const tenant = await createTenant(service);
  const receiver = await startReceiver((_, response) => response.end('<b>taken</b>'));
  const { page } = await openHome(browser, service.url, tenant.key);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const home = `${service.url}/console/stores/${tenant.storeId}`;
  const secretShown = async () => {
    const secret = (await page.locator('#secret').textContent()) ?? '';
    await press('I have kept it');
    return secret;
  };

  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByText('No endpoint yet').waitFor();
  await press('New endpoint');
  await page.getByLabel('Address').fill('not an address');
  await press('Save');
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByRole('textbox', { name: 'Name' }).fill('Till');
  await press('Save');
  const secret = await secretShown();
  await page.getByRole('link', { name: 'Till' }).click();
  await page.getByText('Nothing has been sent yet').waitFor();

  await press('Send a test');
  await page.getByText(/It has heard: status 200/).waitFor();
  await page.getByRole('cell', { name: 'webhook.test' }).waitFor();
  const [trial] = receiver.requests;
  expect(await verifyWebhook(trial?.body ?? '', trial?.headers ?? {}, secret)).toMatchObject({
    type: 'webhook.test',
  });

  await takeIn(service, tenant);
  await expect.poll(() => receiver.requests.length).toBe(2);
  await expect
    .poll(async () => {
      await press('Look again');
      return page.getByRole('cell', { name: 'order.created' }).count();
    })
    .toBe(1);
  await page.getByText('Up to date').waitFor();
  await page.getByText('What it said').first().click();
  await page.getByText('<b>taken</b>').first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await findOverflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 860 });

  await press('Send again');
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await page.getByText('They are on their way again').waitFor();
  await expect.poll(() => receiver.requests.length).toBe(3);
  expect(receiver.requests[2]?.headers['webhook-id']).toBe(receiver.requests[1]?.headers['webhook-id']);

  await press('New secret');
  expect(await secretShown()).not.toBe(secret);
  await press('Edit');
  await page.getByRole('textbox', { name: 'Name' }).fill('Till 2');
  await page.getByLabel('order.created').check();
  await press('Save');
  await page.getByRole('heading', { name: 'Till 2' }).waitFor();
  await press('Disable');
  await page.getByText('Someone has disabled it').waitFor();

  await page.goto(home);
  await page.getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Till 2' }).click();
  await press('Enable');
  await page.getByText('Active', { exact: true }).waitFor();
  await page.goto(home);
  await page.getByText('No endpoint is in trouble').waitFor();
  await page.goBack();
  await press('Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No endpoint yet').waitFor();
});

test('an endpoint of one store keeps to it when renamed, and reaches all once the store is unticked', async () => {
  const tenant = await createTenant(service);
  const webhooks = webhookClient(service, tenant.key);
  const { body } = await webhooks.create({ url: 'https://till.example/', store_ids: [tenant.storeId] });
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.goto(`${service.url}/console/webhooks/${body.id}`);
  const change = async (name: string, fillIn = () => Promise.resolve()) => {
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await fillIn();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name }).waitFor();
    return (await webhooks.get(body.id)).body['store_ids'];
  };
  expect(await change('Till')).toEqual([tenant.storeId]);
  expect(await change('Every till', () => page.getByLabel('Centro').uncheck())).toBeUndefined();
});

test('what an endpoint does not take is told with the reason, and a key without the right sees none of it', async () => {
  const tenant = await createTenant(service);
  const { key: reader } = await createKey(service, {
    merchant_id: tenant.merchantId,
    permissions: ['read', 'orders:write'],
  });
  const operator = await openConsole(browser, service.url, service.operatorKey);
  await operator.page.goto(`${service.url}/console/webhooks`);
  await operator.page.getByRole('button', { name: 'New endpoint' }).click();
  await operator.page.getByLabel('Address').fill('http://127.0.0.1:1/nobody');
  await operator.page.getByLabel('Merchant').selectOption(tenant.merchantId);
  await operator.page.getByRole('button', { name: 'Save' }).click();
  await operator.page.getByRole('button', { name: 'I have kept it' }).click();
  await operator.page.getByRole('link', { name: 'http://127.0.0.1:1/nobody' }).click();
  await operator.page.getByRole('button', { name: 'Send a test' }).click();
  await operator.page.getByText('It has not heard: connection refused').waitFor();
  await takeIn(service, tenant);
  await expect
    .poll(async () => {
      await operator.page.getByRole('button', { name: 'Look again' }).click();
      return operator.page.getByText(/^1 event behind/).count();
    })
    .toBe(1);

  const { page } = await openHome(browser, service.url, reader);
  await page.getByText('Latest orders').waitFor();
  expect(await page.getByText('Webhooks').count()).toBe(0);
  await page.goto(new URL(operator.page.url()).href);
  await page.getByText('This key may not see webhooks').waitFor();
});

test('home tells of the youngest of many endpoints, and of one that gets into trouble later', async () => {
  const tenant = await createTenant(service);
  const elsewhere = await createStore(service, tenant.merchantId);
  const webhooks = webhookClient(service, tenant.key);
  const url = 'https://till.example/';
  for (let i = 0; i < 20; i += 1) await webhooks.create({ url, store_ids: [elsewhere] });
  const make = async (label: string) => (await webhooks.create({ url, label })).body.id;
  const [first, second] = [await make('First'), await make('Second')];
  const disable = (id: string) => webhooks.send('PATCH', `/${id}`, { status: 'disabled' });
  await disable(first);
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.clock.install();
  await page.goto(`${service.url}/console/stores/${tenant.storeId}`);
  const troubled = page.getByRole('region', { name: 'Webhooks' });
  await troubled.getByRole('link', { name: 'First' }).waitFor();
  await disable(second);
  await page.clock.fastForward(60_000);
  await troubled.getByRole('link', { name: 'Second' }).waitFor();
});

test('an event that was set aside is shown, sent again, refused again, and taken in the end', async () => {
  const tenant = await createTenant(service);
  let isRefusing = true;
  const receiver = await startReceiver((_, response) => response.writeHead(isRefusing ? 422 : 200).end());
  const { body: webhook } = await webhookClient(service, tenant.key).create({
    url: receiver.url,
    label: 'Till',
  });
  await takeIn(service, tenant);
  await expect.poll(() => receiver.requests.length).toBe(1);
  // As if the seventh refusal had come, and the first long ago; once the first is written down.
  const refuseForLong = () =>
    service.db.withClient(async (client) => {
      const { rowCount } = await client.query(
        `UPDATE webhook_cursors SET attempts = 7, refusals = 7, first_refused_at = now() - interval '31 minutes',
           next_attempt_at = now() WHERE webhook_id = $1 AND refusals = 1`,
        [webhook.id],
      );
      return rowCount;
    });
  await expect.poll(refuseForLong).toBe(1);
  const { page } = await openConsole(browser, service.url, tenant.key);
  await expect
    .poll(async () => {
      await page.goto(`${service.url}/console/stores/${tenant.storeId}`);
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await page.getByText('Asking the endpoints').waitFor({ state: 'detached' });
      return page.getByText('1 event set aside').count();
    })
    .toBe(1);
  await page.getByRole('link', { name: 'Till' }).click();
  await page.getByRole('heading', { name: 'Set aside' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const send = page.getByRole('button', { name: 'Send it: number 1' });
  await send.click();
  await page.getByText(/^It was refused again: .*422/).waitFor();
  isRefusing = false;
  await send.click();
  await page.getByText('It has been taken').waitFor();
  await page.getByRole('heading', { name: 'Set aside' }).waitFor({ state: 'detached' });
});
