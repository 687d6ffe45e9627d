import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '../../harness/client.js';
import { item, menuClient, text } from '../../harness/menu.js';
import { useService } from '../../harness/service.js';
import { createTenant, type Tenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { holdEvents, openConsole } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const drinks = {
  items: [
    item('tea', { name: { translations: { en: 'Tea', es: 'Té' } }, price: 200, tax: 20 }),
    item('cake', { name: { translations: { en: 'Cake', es: 'Tarta' } }, price: 400, tax: 40 }),
  ],
  categories: [
    {
      external_id: 'all',
      name: { translations: { en: 'All', es: 'Todo' } },
      item_external_ids: ['tea', 'cake'],
    },
  ],
  menus: [{ external_id: 'day', name: text('Day'), availability: [], category_external_ids: ['all'] }],
};

interface Flat {
  readonly items: readonly Record<string, unknown>[];
  readonly categories: readonly Record<string, unknown>[];
  readonly menus: readonly Record<string, unknown>[];
}

async function openEditor(tenant: Tenant, expected = /^$/) {
  const { page } = await openConsole(browser, service.url, tenant.key, { expected });
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu`);
  await page.getByRole('link', { name: 'Edit the menu' }).click();
  await page.getByRole('heading', { name: 'Edit the menu' }).waitFor();
  return page;
}

async function makeStore() {
  const tenant = await createTenant(service);
  await ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, {
    method: 'PATCH',
    key: service.operatorKey,
    body: { currency: 'EUR' },
  });
  const menu = menuClient(service, tenant);
  await menu.post(drinks);
  const read = async () => (await menu.flat<Flat>()).body;
  return { tenant, menu, read };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

async function review(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Review \d/ }).click();
  await page.getByText('Nothing has been published yet').waitFor();
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText(/Version \d+ is published/).waitFor();
}

test('a price is changed as guests see it, outlives a reload, is reviewed, published and undone', async () => {
  const { tenant, read } = await makeStore();
  const page = await openEditor(tenant);
  await button(page, /^Tea/).click();
  expect(await page.getByLabel(/^Price with tax/).inputValue()).toBe('2.20');
  expect(await page.getByLabel('Tax in it, %').inputValue()).toBe('10');
  await page.getByLabel(/^Price with tax/).fill('3,30');
  await page.getByRole('group', { name: 'Name' }).getByLabel('Spanish').fill('Té verde');
  await button(page, 'Apply').click();
  await page.getByText('Edited').waitFor();
  await page.reload();
  await page.getByText('Edited').waitFor();
  await review(page);
  await page.getByText('Té verde').waitFor();
  const prices = page.getByRole('row', { name: /^Price with tax/ });
  expect(await prices.getByRole('cell').allTextContents()).toEqual([
    'Price with tax',
    '€2.20 (tax 10%)',
    '€3.30 (tax 10%)',
  ]);
  expect(await page.getByText('The tax rate changes').count()).toBe(0);
  await publish(page);
  const after = await read();
  expect(after.items[0]).toMatchObject({
    price: 300,
    tax: 30,
    name: { translations: { en: 'Tea', es: 'Té verde' } },
  });
  await button(page, 'Undo').click();
  await expect.poll(async () => (await read()).items[0]).toMatchObject({ price: 200, tax: 20 });
});

test('a form asks before what was typed is lost, shows what is wrong, and the way to the review stays in sight', async () => {
  const { tenant, menu } = await makeStore();
  const items = Array.from({ length: 40 }, (_, i) => item(`dish-${i}`, { name: text(`Dish ${i}`) }));
  const [all] = drinks.categories;
  const ids = ['tea', ...items.map(({ external_id: id }) => id), 'cake'];
  await menu.post({
    ...drinks,
    items: [...drinks.items, ...items],
    categories: [{ ...all, item_external_ids: ids }],
  });
  const page = await openEditor(tenant);
  const dialog = page.getByRole('dialog');
  await button(page, /^Cake/).click();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await button(page, /^Cake/).click();
  await dialog.getByLabel(/^Price with tax/).fill('much');
  const asked: string[] = [];
  page.on('dialog', (question) => {
    asked.push(question.message());
    void question.dismiss();
  });
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect.poll(() => asked).toEqual(Array(2).fill('Your changes are not saved. Leave and lose them?'));
  // From the end of the form, where its button is.
  await dialog.getByRole('group', { name: 'Description' }).getByLabel('English').focus();
  await button(page, 'Apply').click();
  await expect.poll(() => isOnScreen(page, 'dialog .trouble')).toBe(true);
  await dialog.getByLabel(/^Price with tax/).fill('5,50');
  await button(page, 'Apply').click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => isOnScreen(page, '.save-bar a')).toBe(true);
});

/** Whether a person sees it without scrolling. */
function isOnScreen(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const box = document.querySelector('${selector}')?.getBoundingClientRect();
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
  })()`);
}

test('texts of several lines stay as they are, beside what is changed', async () => {
  const { tenant, menu, read } = await makeStore();
  const texts = {
    name: { translations: { en: 'Iced\ntea', es: 'Té' } },
    description: { translations: { en: ' Cold\nand sweet\n' } },
    ingredients: 'Water\r\nTea\n',
    allergens: 'Milk\nNuts',
  };
  await menu.post({ ...drinks, items: [item('tea', texts), drinks.items[1]] });
  const page = await openEditor(tenant);
  await button(page, /^Iced/).click();
  await page.getByRole('group', { name: 'Name' }).getByLabel('Spanish').fill('Té helado');
  expect(await page.getByLabel('Milk').isChecked()).toBe(true);
  await page.getByLabel('Soybeans').check();
  await button(page, 'Apply').click();
  await review(page);
  await publish(page);
  expect((await read()).items[0]).toMatchObject({
    ...texts,
    name: { translations: { en: 'Iced\ntea', es: 'Té helado' } },
    allergens: 'Milk\nNuts\nSoybeans',
  });
});

test('items are added, moved and removed; categories and hours change with them', async () => {
  const { tenant, read } = await makeStore();
  const page = await openEditor(tenant);
  await page.getByRole('region', { name: 'All' }).getByRole('button', { name: 'Add an item' }).click();
  await page.getByRole('group', { name: 'Name' }).getByLabel('English').fill('Crème brûlée');
  await page.getByLabel(/^Price with tax/).fill('5.50');
  await button(page, 'Apply').click();
  await button(page, 'Move Crème brûlée up').click();
  await button(page, /^Tea/).click();
  await button(page, 'Remove this item').click();
  await button(page, 'Yes, remove this item').click();
  await page.getByRole('link', { name: 'Menus and hours' }).click();
  await button(page, /^Day/).click();
  await page.getByLabel('Monday').fill('9-14, 18:00-01:00');
  await button(page, 'Apply').click();
  await review(page);
  await publish(page);
  const after = await read();
  expect(after.categories[0]).toMatchObject({ item_external_ids: ['creme-brulee', 'cake'] });
  expect(after.items.map(({ external_id: id, price, tax }) => [id, price, tax])).toEqual([
    ['cake', 400, 40],
    ['creme-brulee', 500, 50],
  ]);
  expect(after.menus[0]?.['availability']).toEqual([
    {
      day_of_week: 'Monday',
      time_periods: [
        { start_time: '09:00', end_time: '14:00' },
        { start_time: '18:00', end_time: '01:00' },
      ],
    },
  ]);
});

test('the price table is walked with arrow keys and takes a column from a spreadsheet', async () => {
  const { tenant, read } = await makeStore();
  const page = await openEditor(tenant);
  await page.getByRole('link', { name: 'Prices' }).click();
  const tea = page.getByLabel('Tea: price with tax');
  const cake = page.getByLabel('Cake: price with tax');
  await tea.focus();
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-label")'))
    .toBe('Cake: price with tax');
  await tea.focus();
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '2.40\\t20\\n4.4O\\t\\n');
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(paste);
  })()`);
  await page.getByText(/This is not an amount.*4\.4O/).waitFor();
  await cake.fill('4.40');
  await cake.press('Enter');
  await page.getByText(/This is not an amount/).waitFor({ state: 'detached' });
  await review(page);
  await publish(page);
  expect((await read()).items.map(({ price, tax }) => [price, tax])).toEqual([
    [200, 40],
    [400, 40],
  ]);
});

test('what someone else publishes meanwhile stays; only the same field is asked about', async () => {
  const { tenant, menu, read } = await makeStore();
  const page = await openEditor(tenant);
  const beginEvents = await holdEvents(page);
  await page.reload();
  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByLabel('Tea: price with tax').fill('3.30');
  await page.getByLabel('Cake: price with tax').fill('5.50');
  await page.keyboard.press('Enter');
  const [tea, cake] = drinks.items;
  await menu.post({
    ...drinks,
    items: [
      { ...tea, price: 210 },
      { ...cake, prep_time: 7 },
    ],
  });
  beginEvents();
  const theirs = page.getByRole('button', { name: /^Take theirs/ });
  await theirs.waitFor();
  expect(await theirs.allTextContents()).toEqual([expect.stringContaining('2.30')]);
  // It is asked until it is answered, whatever else is published.
  await menu.post({
    ...drinks,
    items: [
      { ...tea, price: 210 },
      { ...cake, name: text('Pie'), prep_time: 7 },
    ],
  });
  await page.getByLabel('Pie: price with tax').waitFor();
  await expect.poll(() => theirs.count()).toBe(1);
  await page.reload();
  await theirs.waitFor();
  await button(page, /^Keep mine/).click();
  await page.getByText('Changed by someone else meanwhile').waitFor({ state: 'detached' });
  await review(page);
  await publish(page);
  expect((await read()).items).toMatchObject([
    { price: 300, tax: 30 },
    { price: 500, tax: 50, prep_time: 7 },
  ]);
});

test('what the service refuses is said with the name of what was changed', async () => {
  const { tenant } = await makeStore();
  const { page } = await openConsole(browser, service.url, tenant.key, { expected: /422/ });
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu/edit?view=menus`);
  await button(page, /^Day/).click();
  await page.getByLabel('Monday').fill('9-99');
  await page.getByText('Monday: 9-99 is no time').waitFor();
  await page.getByLabel('Monday').fill('');
  await button(page, 'Apply').click();
  await page.getByRole('link', { name: 'Items' }).click();
  await button(page, /^Tea/).click();
  await page.getByLabel('Ingredients').fill('x'.repeat(10_001));
  await button(page, 'Apply').click();
  await page.getByRole('link', { name: /^Review/ }).click();
  await page
    .getByRole('alert')
    .getByText(/^Tea, ingredients: /)
    .waitFor();
  await button(page, 'Discard').click();
  await button(page, /^Discard 1 change/).click();
  await page.getByText('Nothing is changed').waitFor();
});

test('a draft of more than 64 KiB is reviewed and published', async () => {
  const { tenant, read } = await makeStore();
  const page = await openEditor(tenant);
  const long = '茶'.repeat(10_000);
  for (const name of [/^Tea/, /^Cake/]) {
    await button(page, name).click();
    for (const language of ['English', 'Spanish'])
      await page.getByRole('group', { name: 'Description' }).getByLabel(language).fill(long);
    await button(page, 'Apply').click();
  }
  await review(page);
  await publish(page);
  expect((await read()).items[1]).toMatchObject({ description: { translations: { es: long } } });
});

test('a form that is open while someone else publishes overwrites nothing of theirs', async () => {
  const { tenant, menu, read } = await makeStore();
  const page = await openEditor(tenant);
  await button(page, 'Edit the category All').click();
  await page.getByRole('group', { name: 'Name' }).getByLabel('Spanish').fill('Carta');
  await button(page, 'Take Tea out').click();
  const [all] = drinks.categories;
  await menu.post({
    ...drinks,
    items: [...drinks.items, item('pie')],
    categories: [{ ...all, item_external_ids: ['tea', 'cake', 'pie'] }],
  });
  await page.getByText('pie').first().waitFor();
  await button(page, 'Apply').click();
  await button(page, /^Take theirs/).click();
  await review(page);
  await publish(page);
  expect((await read()).categories).toMatchObject([
    { name: { translations: { en: 'All', es: 'Carta' } }, item_external_ids: ['tea', 'cake', 'pie'] },
  ]);
});

test('two tabs work on one draft, and publishing takes out of it only what was sent', async () => {
  const { tenant, read } = await makeStore();
  // The review may look again while its draft changes under the publication.
  const page = await openEditor(tenant, /412/);
  const other = await page.context().newPage();
  for (const tab of [page, other])
    await tab.goto(`${service.url}/console/stores/${tenant.storeId}/menu/edit?view=prices`);
  const price = async (tab: Page, name: string, amount: string) => {
    await tab.getByLabel(`${name}: price with tax`).fill(amount);
    await tab.keyboard.press('Enter');
  };
  const changes = (tab: Page, count: RegExp) => tab.getByRole('link', { name: count }).waitFor();
  await price(page, 'Tea', '3.30');
  await changes(other, /^Review 1 change$/);
  await price(other, 'Cake', '5.50');
  await changes(page, /^Review 2 changes$/);
  await review(page);
  await page.route(/dry_run=false/, async (route) => {
    await price(other, 'Cake', '6.60');
    await route.continue();
  });
  await publish(page);
  expect((await read()).items).toMatchObject([{ price: 300 }, { price: 500 }]);
  await changes(other, /^Review 1 change$/);
  await review(other);
  await publish(other);
  expect((await read()).items).toMatchObject([{ price: 300 }, { price: 600 }]);
});

test('what someone else has published since is not undone', async () => {
  const { tenant, menu, read } = await makeStore();
  const page = await openEditor(tenant, /412/);
  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByLabel('Tea: price with tax').fill('3.30');
  await page.keyboard.press('Enter');
  await review(page);
  await publish(page);
  await menu.post({ items: [item('pie')] });
  await button(page, 'Undo').click();
  await page.getByText('Someone else has published since then').waitFor();
  expect((await read()).items).toMatchObject([{ external_id: 'pie' }]);
});

test('another tax rate is said before publishing, and a new choice takes the usual one', async () => {
  const { tenant, menu } = await makeStore();
  const milk = { external_id: 'milk', name: text('Milk'), type: 'single', group_min: 0, group_max: 1 };
  await menu.post({
    ...drinks,
    modifier_groups: [{ ...milk, charge_after: 0, modifier_item_external_ids: [] }],
  });
  const page = await openEditor(tenant);
  await page.getByRole('link', { name: 'Choices' }).click();
  await button(page, 'Add a choice').click();
  expect(await page.getByLabel('Tax in it, %').inputValue()).toBe('10');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Items' }).click();
  await button(page, /^Tea/).click();
  await page.getByLabel('Tax in it, %').fill('21');
  await button(page, 'Apply').click();
  await review(page);
  await page.getByRole('alert').getByText('The tax rate changes from 10% to 21%: Tea').waitFor();
});

test('an amount or a rate that is none is marked in its field, and the field has the focus', async () => {
  const { tenant } = await makeStore();
  const page = await openEditor(tenant);
  await button(page, /^Tea/).click();
  const [price, rate] = [page.getByLabel(/^Price with tax/), page.getByLabel('Tax in it, %')];
  const marks = () => Promise.all([price, rate].map((field) => field.getAttribute('aria-invalid')));
  const focused = () => page.evaluate<string>('document.activeElement.name');
  const look = () => Promise.all([marks(), focused()]);
  await price.fill('3,3O');
  await button(page, 'Apply').click();
  await page.getByText('This is not an amount in EUR: 3,3O').waitFor();
  await expect.poll(look).toEqual([['true', null], 'gross']);
  await price.fill('3,30');
  await expect.poll(marks).toEqual([null, null]);
  await rate.fill('a tenth');
  await button(page, 'Apply').click();
  await page.getByText('This is not a tax rate: a tenth').waitFor();
  await expect.poll(look).toEqual([[null, 'true'], 'rate']);
  await page.getByLabel('Tax in it, %').fill('10');
  await button(page, 'Apply').click();
  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByLabel('Cake: tax in per cent').fill('a tenth');
  await page.keyboard.press('Enter');
  await page.getByText('This is not a tax rate: a tenth').waitFor();
  const wrong = page.locator('[aria-invalid=true]');
  await expect.poll(() => wrong.count()).toBe(1);
  expect(await wrong.getAttribute('aria-label')).toBe('Cake: tax in per cent');
});

test('a draft is scheduled from the review, and the scheduled menu is cancelled in Menu versions', async () => {
  const { tenant, read } = await makeStore();
  const page = await openEditor(tenant);
  await button(page, /^Tea/).click();
  await page.getByLabel(/^Price with tax/).fill('3.30');
  await button(page, 'Apply').click();
  await review(page);
  const when = page.getByLabel(/^When, in/);
  await when.fill('2020-01-01T05:00');
  await page.getByText('Choose a time ahead, within a year.').waitFor();
  expect(await page.getByRole('button', { name: 'Schedule', exact: true }).isDisabled()).toBe(true);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await when.fill(tomorrow);
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('The menu is scheduled for').waitFor();
  const scheduled = page.getByRole('region', { name: 'Scheduled' });
  await scheduled.getByText('Centro').waitFor();
  expect((await read()).items[0]).toMatchObject({ price: 200 });
  await scheduled.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('It is cancelled').waitFor();
  await scheduled.waitFor({ state: 'detached' });
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/menu/edit`);
  await button(page, /^Tea/).waitFor();
  expect(await page.getByRole('link', { name: /^Review/ }).count()).toBe(0);
});

test('a combo is made in one window: its dishes are chosen, groups and choices are named by themselves', async () => {
  const { tenant, menu } = await makeStore();
  const page = await openEditor(tenant);
  await button(page, 'Add a combo').click();
  const dialog = page.getByRole('dialog', { name: 'New combo' });
  await dialog.getByRole('group', { name: 'Name' }).getByLabel('English').fill('Tea time');
  await dialog.getByLabel(/^Price with tax/).fill('5,50');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('Choose at least one dish of the combo.').waitFor();
  await dialog.getByRole('group', { name: 'Part 1' }).getByRole('combobox').selectOption('Tea');
  await dialog.getByRole('group', { name: 'Part 2' }).getByRole('combobox').selectOption('Cake');
  await dialog.getByRole('group', { name: 'Cake' }).getByRole('combobox').selectOption('Tea');
  await dialog.getByRole('group', { name: 'All' }).waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await review(page);
  await publish(page);
  const { body } = await menu.flat<Flat & Record<string, readonly Record<string, unknown>[]>>();
  expect(body.categories[0]?.['item_external_ids']).toEqual(['tea', 'cake', 'tea-time']);
  expect(body.items[2]).toMatchObject({
    external_id: 'tea-time',
    price: 500,
    tax: 50,
    sell_separately: true,
    modifier_external_ids: ['tea', 'all'],
  });
  const one = { group_min: 1, group_max: 1, charge_after: 0 };
  expect(body['modifier_groups']).toMatchObject([
    { external_id: 'tea', name: drinks.items[0]?.name, ...one, modifier_item_external_ids: ['tea'] },
    { external_id: 'all', name: drinks.categories[0]?.name, ...one },
  ]);
  expect(body['modifier_items']).toMatchObject([
    { external_id: 'tea', name: drinks.items[0]?.name, default_quantity: 1, menu_item_external_id: 'tea' },
    { external_id: 'cake', name: drinks.items[1]?.name, default_quantity: 0, menu_item_external_id: 'cake' },
    { external_id: 'tea-2', name: drinks.items[0]?.name, price_change: 0, menu_item_external_id: 'tea' },
  ]);
});
