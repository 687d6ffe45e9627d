import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { menuClient, numberedMenu } from '../../harness/menu.js';
import { takeIn } from '../../harness/orders.js';
import { createStarPrinter, openForPaper, type PrinterBody } from '../../harness/printer.js';
import { useService } from '../../harness/service.js';
import { useBrowser } from '../browser.js';
import { lookEverywhere } from './accessibility.js';
import { goToBoard, inMinutes, openConsole, openHome } from './open-console.js';
import { readCode } from './read-code.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a printer is added in one dialog, prints a test, gets another address and is removed', async () => {
  const tenant = await openForPaper(service);
  await menuClient(service, tenant).post(numberedMenu(1, 2));
  const stations = ['bar', 'grill'].map((prep_type, i) => ({ external_id: `i${i}`, prep_type }));
  await tenant.manage('PATCH', '/menu/items', { items: stations });
  const { page } = await openHome(browser, service.url, tenant.key);
  const dialog = page.getByRole('dialog');
  const address = async () => {
    const url = await dialog.locator('#printer-address').innerText();
    const code = dialog.getByRole('img', { name: 'The address as a QR code' });
    expect(await readCode(code)).toBe(url);
    // On the very page that shows it: cameras expect dark on white, on dark pages too.
    const paper = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('dialog svg[role=img]')).backgroundColor",
    );
    expect([paper, ((await code.boundingBox())?.width ?? 0) <= 260]).toEqual(['rgb(255, 255, 255)', true]);
    return url;
  };
  await page.getByRole('link', { name: 'Printers' }).click();
  await page.getByText('No printer yet').waitFor();
  await press(page, 'Add a printer');
  await dialog.getByLabel('Name').fill('Bar');
  await dialog.getByLabel('grill').check();
  await dialog.getByLabel('Delivery').check();
  await dialog.getByLabel('Characters in a line').selectOption('32');
  await dialog.getByLabel('Language').selectOption('Arabic');
  await lookEverywhere(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  await press(page, 'Add');
  const url = await address();
  await press(page, 'Done');
  const { body: made } = await tenant.manage<PrinterBody[]>('GET', '/printers');
  expect(made).toMatchObject([
    {
      label: 'Bar',
      protocol: 'cloudprnt',
      prep_types: ['grill'],
      services: ['delivery'],
      columns: 32,
      language: 'ar',
      url,
    },
  ]);

  const printer = createStarPrinter(url);
  await press(page, 'Test print: Bar');
  await page.getByText('Bar prints a test ticket as soon as it is online.').waitFor();
  expect(await printer.print()).toContain('Bar');
  await page.reload();
  await page.getByRole('cell', { name: 'Online' }).waitFor();
  await page.getByRole('cell', { name: 'Tickets for the kitchen, grill, Delivery' }).waitFor();
  await press(page, 'Change: Bar');
  expect(await dialog.getByLabel('grill').isChecked()).toBe(true);
  await dialog.getByLabel('grill').uncheck();
  await dialog.getByLabel('bar').check();
  await dialog.getByLabel('Language').selectOption("The store's first language");
  await press(page, 'Save');
  await page.getByRole('cell', { name: 'Tickets for the kitchen, bar, Delivery' }).waitFor();
  expect((await tenant.manage<PrinterBody[]>('GET', '/printers')).body).not.toMatchObject([
    { language: 'ar' },
  ]);

  await press(page, 'New address: Bar');
  await dialog.getByRole('button', { name: 'New address' }).click();
  await dialog.locator('#printer-address').waitFor();
  const rotated = await address();
  expect(rotated).not.toBe(url);
  await press(page, 'Done');
  await expect(printer.poll()).rejects.toThrow('404');
  expect(await createStarPrinter(rotated).poll()).toMatchObject({ jobReady: false });

  await press(page, 'Remove: Bar');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No printer yet').waitFor();
  expect((await tenant.manage('GET', '/printers')).body).toEqual([]);
});

test('a printer that prints nothing is a red line on the board and at the start, until it prints again', async () => {
  const tenant = await openForPaper(service);
  const printer = createStarPrinter((await tenant.addPrinter({ label: 'Grill' })).url);
  const { page } = await openConsole(browser, service.url, tenant.key);
  await takeIn(service, tenant, { status: 'ACCEPTED', ready_by: inMinutes(20) });
  await page.goto(`${service.url}/console/stores/${tenant.storeId}`);
  await page.getByText('Latest orders').waitFor();
  const alarm = page.getByRole('alert').getByRole('link', { name: 'Grill: out of paper' });
  await printer.poll('410%20Out%20of%20paper');
  await alarm.waitFor();
  // Red: more of it than of green and blue.
  const tint = await page.evaluate<string>("getComputedStyle(document.querySelector('.notice')).color");
  const [red = 0, green = 0, blue = 0] = tint.match(/[\d.]+/g)?.map(Number) ?? [];
  expect([red > 2 * green, red > 2 * blue]).toEqual([true, true]);
  await goToBoard(page, service.url, tenant.storeId);
  await alarm.waitFor();
  await lookEverywhere(page);
  await printer.poll();
  await alarm.waitFor({ state: 'detached' });
});
