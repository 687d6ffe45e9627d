import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../src/config.js';
import { findGuestCode, loadDemo } from '../../../src/demo/load-demo.js';
import { exampleIds } from '../../../src/support/example-ids.js';
import { startService } from '../../harness/service.js';
import { createKey } from '../../harness/tenant.js';
import { openBrowser } from '../browser.js';
import { goToBoard, openConsole } from '../console/open-console.js';
import { openGuest, orderCard, press } from './open-guest.js';

test.runIf(process.env['COMANDA_SCREENSHOTS'] === 'on')('takes the picture for the README', async () => {
  const [service, browser] = await Promise.all([startService(), openBrowser()]);
  onTestFinished(async () => {
    await browser.close();
    await service.stop();
  });
  await loadDemo(service.db, loadConfig({}).limits, Date.now());
  const code = await findGuestCode(service.db);
  expect(code).toBeDefined();
  const { key } = await createKey(service, {
    merchant_id: exampleIds.merchant,
    permissions: ['read', 'menu:write', 'stock:write', 'orders:write', 'webhooks:write'],
    label: 'Kitchen tablet',
  });
  const { page: board, context } = await openConsole(browser, service.url, key, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
  });
  await goToBoard(board, service.url, exampleIds.store);
  const { page: guest } = await openGuest(browser, service.url, code ?? '', {
    viewport: { width: 360, height: 800 },
    deviceScaleFactor: 1,
    colorScheme: 'light',
    // The page is at its top at once after ordering.
    reducedMotion: 'reduce',
  });
  // On the menu that is open all day.
  await press(guest, 'Cappuccino');
  await press(guest, /^Add/);
  await press(guest, /See your order/);
  await guest.getByLabel('Your name').fill('Ana');
  await press(guest, /^Order/);
  const number = (await orderCard(guest).locator('.number').textContent()) ?? '';
  await board.getByRole('article', { name: `Order ${number}` }).scrollIntoViewIfNeeded();

  const [left, right] = await Promise.all([guest.screenshot(), board.screenshot()]);
  const both = await context.newPage();
  await both.setViewportSize({ width: 1704, height: 832 });
  const picture = (png: Buffer) => `<img src="data:image/png;base64,${png.toString('base64')}">`;
  await both.setContent(
    `<body style="display: flex; gap: 32px; margin: 16px; background: #dfdbd2">${picture(left)}${picture(right)}</body>`,
  );
  await both.screenshot({ path: 'docs/images/guest-and-board.png' });
});
