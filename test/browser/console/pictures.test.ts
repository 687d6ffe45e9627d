import { onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../src/config.js';
import { loadDemo } from '../../../src/demo/load-demo.js';
import { exampleIds } from '../../../src/support/example-ids.js';
import { startService } from '../../harness/service.js';
import { createKey } from '../../harness/tenant.js';
import { openBrowser } from '../browser.js';
import { openConsole } from './open-console.js';

const PICTURES = [
  ['board', 'Accept', 'console-board.png'],
  // A Monday at noon, when there is much to see.
  ['menu?at=2026-11-16T13:30', 'Being served', 'console-menu.png'],
] as const;

test.runIf(process.env['COMANDA_SCREENSHOTS'] === 'on')('takes the pictures for the README', async () => {
  const [service, browser] = await Promise.all([startService(), openBrowser()]);
  onTestFinished(async () => {
    await browser.close();
    await service.stop();
  });
  await loadDemo(service.db, loadConfig({}).limits, Date.now());
  const { key } = await createKey(service, {
    merchant_id: exampleIds.merchant,
    permissions: ['read', 'menu:write', 'stock:write', 'orders:write', 'webhooks:write'],
    label: 'Kitchen tablet',
  });
  const { page } = await openConsole(browser, service.url, key, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
  });
  for (const [path, sign, file] of PICTURES) {
    await page.goto(`${service.url}/console/stores/${exampleIds.store}/${path}`);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    if (path === 'board') await page.getByText('Live', { exact: true }).waitFor();
    await page.screenshot({ path: `docs/images/${file}` });
  }
});
