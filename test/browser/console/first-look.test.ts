import { expect, test } from 'vitest';
import { folderForTest, untilStatus } from '../../harness/process.js';
import { startInTerminal } from '../../harness/terminal.js';
import { useBrowser } from '../browser.js';
import { openConsole } from './open-console.js';

const browser = await useBrowser();

test('the link that the first start prints shows the orders of the demo without typing, once, and nothing but the demo', async () => {
  const folder = await folderForTest();
  const service = await startInTerminal({ COMANDA_DATA_DIR: `${folder}/data`, COMANDA_DEMO: 'on' });
  await untilStatus(`${service.url}/readyz`, 200, 120_000);
  const findLink = () => /http:\S+#code=\S+/.exec(service.output())?.[0];
  await expect.poll(findLink).toBeDefined();
  const link = findLink() ?? '';

  const { page } = await openConsole(browser, service.url, undefined);
  // Only the fragment changes, which alone loads no page.
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('link', { name: 'Open the board' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('article').first().waitFor();
  expect(page.url()).not.toContain('code');
  expect(await page.getByRole('link', { name: 'Keys', exact: true }).count()).toBe(0);

  const other = await openConsole(browser, service.url, undefined, { expected: /401/ });
  await other.page.goto('about:blank');
  await other.page.goto(link);
  await other.page
    .getByText('This link has been used already, or is too old. Ask for a new one, or sign in with a key.')
    .waitFor();
});
