import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { takeIn } from '../../harness/orders.js';
import { ask } from '../../harness/client.js';
import { useService } from '../../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const barOf = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });

/** Until the page has its answer too: then its forms are made anew. */
async function save(page: Page): Promise<void> {
  await press(page, 'Save');
  await barOf(page).waitFor({ state: 'detached' });
}

/** Saves, and does something more before the service has its request. */
async function saveAnd(page: Page, act: () => Promise<void>): Promise<void> {
  const acting = new EventEmitter();
  const isOver = once(acting, 'over');
  await page.route('**/manage/v1/stores/**', async (route) => {
    if (route.request().method() === 'PATCH') await isOver;
    await route.continue();
  });
  await press(page, 'Save');
  await page.getByRole('button', { name: 'Saving' }).waitFor();
  await act();
  acting.emit('over');
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
}

const read = async ({ storeId, key }: Tenant, path = '') =>
  (await ask<Record<string, unknown>>(`${service.url}/manage/v1/stores/${storeId}${path}`, { key })).body;

async function openDetails(tenant: Tenant, key = tenant.key): Promise<Page> {
  const { page } = await openConsole(browser, service.url, key, { expected: /422/ });
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/settings`);
  await page.getByRole('heading', { name: 'Hours and pace' }).waitFor();
  return page;
}

test('a merchant’s own key changes every field of its store, and leaves alone what it does not touch', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const change = (body: object) =>
    ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, { method: 'PATCH', key: tenant.key, body });
  await change({ contacts: { email: 'old@example.com', opening: { by: 'Ana', code: 7 } } });
  const page = await openDetails(tenant);
  for (const [label, text] of [
    ['Address, third line', 'Back yard'],
    ['Kind of business', 'Restaurant'],
    ['Kind of store', 'Takeaway'],
    ['Cuisine', 'Italian'],
    ['More phone numbers', '+34 910 000 001\n+34 910 000 002'],
    ['Contacts', 'email: new@example.com\nopening: {"by":"Ana","code":7}\nfax: none: never'],
  ] as const)
    await page.getByLabel(label).fill(text);
  await page.getByLabel('Check every order against the menu').check();
  await press(page, 'Save');
  await page.getByText('Saved', { exact: true }).waitFor();
  const saved = await read(tenant);
  expect(saved).toMatchObject({
    address_line_3: 'Back yard',
    store_type: { content: 'Takeaway', business_type: { name: 'Restaurant' } },
    restaurant_configuration: { cuisine_type: { name: 'Italian' } },
    phone_numbers: [{ phone_number: '+34 910 000 001' }, { phone_number: '+34 910 000 002' }],
    contacts: { email: 'new@example.com', opening: { by: 'Ana', code: 7 }, fax: 'none: never' },
    orders_checked: true,
  });

  await page.reload();
  await page.getByLabel('Kind of store').fill('');
  await page.getByLabel('Contacts').fill('');
  await press(page, 'Save');
  await page.getByText('Saved', { exact: true }).waitFor();
  const { store_type: type, contacts, phone_numbers: phones, orders_checked: isChecked } = await read(tenant);
  expect([type, contacts, isChecked]).toEqual([{ business_type: { name: 'Restaurant' } }, undefined, true]);
  // A number that nobody touched is still the same one.
  expect(phones).toEqual(saved['phone_numbers']);
});

test('what is saved holds on every page and device, and an open form keeps what was typed', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const [page, tablet] = [await openDetails(tenant), await openDetails(tenant)];
  const toPlaces = (one: Page) => one.getByRole('link', { name: 'Places and QR codes' }).click();
  await toPlaces(tablet);
  await tablet.getByText('Guests cannot order yet').waitFor();
  await page.getByLabel('Guests can order').check();
  await press(page, 'Save');
  await page.getByText('Saved', { exact: true }).waitFor();
  await tablet.getByText('Guests cannot order yet').waitFor({ state: 'detached' });
  await toPlaces(page);
  await page.getByRole('heading', { name: 'Places' }).waitFor();
  expect(await page.getByText('Guests cannot order yet').count()).toBe(0);
  await page.goBack();
  await page.getByLabel('Welcome').fill('en: Hello');
  await page.getByLabel('City').fill('Oslo');
  await page.getByLabel('Country').selectOption('NO');

  await tablet.goBack();
  await tablet.getByLabel('City').fill('Bergen');
  await tablet.getByLabel('Country').selectOption('SE');
  await tablet.getByLabel('Region').fill('Vestland');
  await press(tablet, 'Save');
  await expect.poll(() => page.getByLabel('Region').inputValue()).toBe('Vestland');
  const typed = ['City', 'Country', 'Welcome'].map((label) => page.getByLabel(label).inputValue());
  expect(await Promise.all(typed)).toEqual(['Oslo', 'NO', 'en: Hello']);
  await press(page, 'Save');
  const hello = { translations: { en: 'Hello' } };
  await expect.poll(() => read(tenant)).toMatchObject({ guest: { enabled: true, welcome: hello } });
  await expect
    .poll(() => read(tenant))
    .toMatchObject({ city: 'Oslo', country: 'NO', admin_area: 'Vestland' });
  // A field that was saved follows the other device again.
  await expect.poll(() => tablet.getByLabel('City').inputValue()).toBe('Oslo');
});

test('texts of several lines stay as they are, also beside one that is changed', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const welcome = { translations: { en: 'Hello!\nWifi: guest\nSat: until 23:00', de: 'Hallo!' } };
  const contacts = { note: 'Ring twice\nat: the back door', email: 'old@example.com' };
  const body = { name: { translations: { en: 'Corner Café' } }, guest: { welcome }, contacts };
  await ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, { method: 'PATCH', key: tenant.key, body });
  const page = await openDetails(tenant);
  const guest = async () => (await read(tenant))['guest'];
  await page.getByLabel('Orders that may wait at one place').fill('7');
  await save(page);
  await expect.poll(guest).toMatchObject({ most_open: 7, welcome });

  const field = page.getByLabel('Welcome', { exact: true });
  await field.fill((await field.inputValue()).replace('Hallo!', 'Guten Tag!'));
  await save(page);
  const changed = { translations: { ...welcome.translations, de: 'Guten Tag!' } };
  await expect.poll(guest).toMatchObject({ welcome: changed });

  const more = page.getByLabel('Contacts');
  await more.fill((await more.inputValue()).replace('old@', 'new@'));
  await page.getByLabel('Name', { exact: true }).fill('Corner Café\nBar: next door\nfr: Café du coin');
  await press(page, 'Save');
  await expect
    .poll(() => read(tenant))
    .toMatchObject({
      name: { translations: { en: 'Corner Café\nBar: next door', fr: 'Café du coin' } },
      contacts: { ...contacts, email: 'new@example.com' },
    });
});

test('what is typed while a save is under way stays, and is saved next', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const page = await openDetails(tenant);
  await page.getByLabel('City').fill('Oslo');
  await saveAnd(page, () => page.getByLabel('Region').fill('Østlandet'));
  expect(await page.getByLabel('Region').inputValue()).toBe('Østlandet');
  await save(page);
  expect(await read(tenant)).toMatchObject({ city: 'Oslo', admin_area: 'Østlandet' });
});

test('so does what is typed while hours and pace are being saved, and a day that is removed', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const address = `${service.url}/manage/v1/stores/${tenant.storeId}/intake/settings`;
  const days = ['2026-12-24', '2026-12-25'].map((date) => ({ date, closed: true }));
  await ask(address, { method: 'PATCH', key: tenant.key, body: { special_days: days } });
  const page = await openDetails(tenant);
  const [minutes, ahead] = ['Minutes an order takes at least', 'Days ahead that orders are taken'].map(
    (label) => page.getByLabel(label),
  );
  await minutes?.fill('25');
  await saveAnd(page, async () => {
    await ahead?.fill('20');
    await page.getByLabel('Day', { exact: true }).fill('2026-12-31');
  });
  expect([await minutes?.inputValue(), await ahead?.inputValue()]).toEqual(['25', '20']);
  await saveAnd(page, () => press(page, 'Remove Dec 25, 2026'));
  await expect.poll(() => ahead?.inputValue()).toBe('20');
  await save(page);
  expect((await read(tenant, '/intake'))['settings']).toMatchObject({
    prep_minutes: 25,
    ahead_days: 20,
    special_days: ['2026-12-24', '2026-12-31'].map((date) => ({ date, closed: true })),
  });
});

test('hours and pace that someone else has set meanwhile stay as they are', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const address = `${service.url}/manage/v1/stores/${tenant.storeId}/intake/settings`;
  const set = (body: object) => ask(address, { method: 'PATCH', key: tenant.key, body });
  const closed = (...dates: string[]) => dates.map((date) => ({ date, closed: true }));
  await set({ special_days: closed('2026-12-24', '2026-12-25') });
  const page = await openDetails(tenant);
  await page.getByText('Dec 25, 2026').waitFor();
  const theirs = { prep_minutes: 40, capacity: { slot_minutes: 15, orders: 12 } };
  await set({ ...theirs, special_days: closed('2026-12-24', '2026-12-25', '2026-12-31') });
  await press(page, 'Remove Dec 25, 2026');
  await page.getByLabel('Day', { exact: true }).fill('2026-12-26');
  await press(page, 'Add the day');
  await press(page, 'Save');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  expect((await read(tenant, '/intake'))['settings']).toEqual({
    hours: [],
    special_days: closed('2026-12-24', '2026-12-26', '2026-12-31'),
    ahead_days: 14,
    ...theirs,
  });
});

test('a special day that was typed and not added yet is saved too', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const page = await openDetails(tenant);
  await page.getByLabel('Day', { exact: true }).fill('2026-12-25');
  await press(page, 'Save');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove Dec 25, 2026' }).waitFor();
  await expect.poll(() => page.getByLabel('Day', { exact: true }).inputValue()).toBe('');
  expect((await read(tenant, '/intake'))['settings']).toMatchObject({
    special_days: [{ date: '2026-12-25', closed: true }],
  });
  await page.getByLabel('Day', { exact: true }).fill('2026-12-26');
  await page.getByLabel('On that day').selectOption('hours');
  const other = page.getByLabel('Other hours', { exact: true });
  await other.fill('noon');
  await page.getByText('Other hours: noon is no time').waitFor();
  expect(await page.getByRole('button', { name: 'Add the day' }).isDisabled()).toBe(true);
  await other.fill('12-16');
  await press(page, 'Discard');
  await expect.poll(() => page.getByLabel('Day', { exact: true }).inputValue()).toBe('');
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
});

test('hours, special days, minutes and slots are set, and a wrong time is told', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const page = await openDetails(tenant);
  await page.getByLabel('Monday', { exact: true }).fill('11:30-14:00, 18-1');
  await page.getByLabel('Sunday', { exact: true }).fill('9:00–15:00');
  for (const [date, what, hours, note] of [
    ['2026-12-26', 'Sunday', '', ''],
    ['2026-12-25', 'closed', '', 'Christmas'],
    ['2026-12-31', 'hours', '12:00-16:00', ''],
  ] as const) {
    await page.getByLabel('Day', { exact: true }).fill(date);
    await page.getByLabel('On that day').selectOption(what);
    if (hours !== '') await page.getByLabel('Other hours').fill(hours);
    await page.getByLabel('Why').fill(note);
    await press(page, 'Add the day');
  }
  await page.getByLabel('Minutes an order takes at least').fill('25');
  await page.getByLabel('Count orders in slots of').selectOption('15 minutes');
  await page.getByLabel('Most orders a slot').fill('12');
  await press(page, 'Save');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const period = (start: string, end: string) => ({ start_time: start, end_time: end });
  expect((await read(tenant, '/intake'))['settings']).toEqual({
    hours: [
      { day_of_week: 'Monday', time_periods: [period('11:30', '14:00'), period('18:00', '01:00')] },
      { day_of_week: 'Sunday', time_periods: [period('09:00', '15:00')] },
    ],
    special_days: [
      { date: '2026-12-25', closed: true, note: 'Christmas' },
      { date: '2026-12-26', as: 'Sunday' },
      { date: '2026-12-31', time_periods: [period('12:00', '16:00')] },
    ],
    prep_minutes: 25,
    ahead_days: 14,
    capacity: { slot_minutes: 15, orders: 12 },
  });

  await page.reload();
  await page.getByLabel('Monday', { exact: true }).fill('noon');
  await page.getByText('Monday: noon is no time').waitFor();
  await press(page, 'Save');
  await expect
    .poll(() => page.getByLabel('Monday', { exact: true }).getAttribute('aria-invalid'))
    .toBe('true');
  expect(await page.getByText('Unsaved changes').count()).toBe(1);
  await page.getByLabel('Monday', { exact: true }).fill('');
  await press(page, 'Remove Dec 26, 2026');
  await page.getByLabel('Count orders in slots of').selectOption('no limit');
  await press(page, 'Save');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const after = (await read(tenant, '/intake'))['settings'] as Record<string, unknown[]>;
  expect([after['hours']?.length, after['special_days']?.length, after['capacity']]).toEqual([
    1,
    2,
    undefined,
  ]);

  await lookEverywhere(page);

  const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
  const reader = await openDetails(tenant, key);
  await reader.getByText('Sun 09:00–15:00').waitFor();
  await reader.getByText('closed (Christmas)').waitFor();
  expect(await reader.locator('main').locator('input, textarea, select').count()).toBe(0);
});

test('unsaved changes ask before they are lost, and one bar saves or drops all of them', async () => {
  const tenant = await createTenant(service, ['read', 'store:write']);
  const other = await createStore(service, tenant.merchantId);
  const page = await openDetails(tenant);
  const bar = barOf(page);
  const asked: string[] = [];
  let answer = false;
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void (answer ? dialog.accept() : dialog.dismiss());
  });
  expect(await bar.count()).toBe(0);
  await page.getByLabel('City').fill('Oslo');
  await page.getByLabel('Accept new orders as they arrive').check();
  await page.getByLabel('Monday', { exact: true }).fill('9-17');
  await press(page, 'Monday’s hours for all days');
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await expect.poll(() => asked.length).toBe(1);
  expect(await page.getByLabel('City').inputValue()).toBe('Oslo');
  await page.goBack();
  await expect.poll(() => asked.length).toBe(2);
  expect(await page.getByLabel('City').inputValue()).toBe('Oslo');
  const picker = page.getByRole('combobox', { name: 'Store', exact: true });
  await picker.selectOption(other);
  await expect.poll(() => picker.inputValue()).toBe(tenant.storeId);
  await press(page, 'Sign out');
  await expect.poll(() => asked.length).toBe(4);
  const languages = page.getByRole('combobox', { name: 'Language of the console' });
  await languages.selectOption('de');
  await expect.poll(() => languages.inputValue()).toBe('en');
  await expect.poll(() => asked.length).toBe(5);

  await save(page);
  expect(await read(tenant)).toMatchObject({ city: 'Oslo', accept: { auto: true } });
  const { hours } = (await read(tenant, '/intake'))['settings'] as { hours: { time_periods: object[] }[] };
  expect(hours.map(({ time_periods: periods }) => periods)).toEqual(
    Array.from({ length: 7 }, () => [{ start_time: '09:00', end_time: '17:00' }]),
  );

  await page.getByLabel('City').fill('Bergen');
  await bar.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Oslo');
  await page.getByLabel('City').fill('Bergen');
  answer = true;
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByLabel('City').waitFor({ state: 'detached' });
  const question = 'Your changes are not saved. Leave and lose them?';
  // Out of the console the browser asks, in its own words.
  expect(asked).toEqual([question, '', question, question, '', question]);
});

test('fewer days for orders say how many go, and ask', async () => {
  const tenant = await createTenant(service, ['read', 'store:write', 'orders:write']);
  const old = new Date(Date.now() - 20 * 86_400_000).toISOString();
  for (const status of ['FULFILLED', 'REJECTED', 'PENDING'])
    await takeIn(service, tenant, { status, created_at: old, ready_by: old });
  const page = await openDetails(tenant);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByLabel('Keep finished orders for (days)').fill('10');
  await press(page, 'Save');
  await expect.poll(() => asked.length).toBe(1);
  expect(await read(tenant)).not.toHaveProperty('order_days');
  await press(page, 'Save');
  await expect.poll(() => read(tenant)).toMatchObject({ order_days: 10 });
  expect(asked).toEqual(
    Array.from({ length: 2 }, () => '2 orders older than 10 days will be removed for good. Go on?'),
  );
});
