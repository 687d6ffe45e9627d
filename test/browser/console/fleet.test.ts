import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

test('the overview shows by itself which store needs somebody, and finds a store without its accents', async () => {
  const tenant = await createTenant(service, ['read', 'orders:write']);
  await createStore(service, tenant.merchantId, { name: { translations: { en: 'Café Río' } } });
  const { page } = await openConsole(browser, service.url, tenant.key);
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
  const { page } = await openConsole(browser, service.url, boss.key);
  await page.evaluate("localStorage.setItem('comanda-console-language', 'es')");
  await page.goto(`${service.url}/console/stores/${storeId}/audit`);
  const first = page.getByRole('row').nth(1);
  await expect.poll(() => first.innerText()).toMatch(/Jefa\s+.*\s+Ciudad: Porto\s*→\s*Lisboa/);
  await lookEverywhere(page);
});
