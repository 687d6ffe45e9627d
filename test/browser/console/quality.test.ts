import { expect, test } from 'vitest';
import { takeIn } from '../../harness/orders.js';
import { useService } from '../../harness/service.js';
import { createTenant } from '../../harness/tenant.js';
import { useBrowser } from '../browser.js';
import { goToBoard, inMinutes, openConsole, stopTime } from './open-console.js';

const [service, browser] = await Promise.all([useService(), useBrowser()]);

test('a new order rings again and again until it is touched, and the screen stays awake', async () => {
  const tenant = await createTenant(service);
  const { page } = await openConsole(browser, service.url, tenant.key);
  await page.addInitScript(`
    window.rung = 0;
    window.awake = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) { window.rung += 1; return start.apply(this, given); };
    const request = navigator.wakeLock.request.bind(navigator.wakeLock);
    navigator.wakeLock.request = (kind) => { window.awake += 1; return request(kind); };
  `);
  const rung = () => page.evaluate<number>('window.rung');
  await page.clock.install();
  await goToBoard(page, service.url, tenant.storeId);
  await expect.poll(() => page.evaluate<number>('window.awake')).toBe(1);
  await page.getByRole('button', { name: 'Sound off' }).click();
  await page.getByRole('button', { name: 'Sound on' }).waitFor();
  await expect.poll(rung).toBe(2);

  await takeIn(service, tenant, { external_id: 'A-1', ready_by: inMinutes(30) });
  // Two notes each time, every four seconds.
  await expect.poll(rung).toBeGreaterThanOrEqual(6);
  await expect.poll(() => page.title()).toMatch(/^\(1\) Board/);
  await page.getByRole('article', { name: 'Order 1' }).click({ position: { x: 20, y: 80 } });
  await page.getByRole('button', { name: 'Silence' }).waitFor({ state: 'detached' });
  // It still waits to be accepted.
  expect(await page.title()).toMatch(/^\(1\) Board/);
  await page.clock.runFor(1_000);
  const atLast = await rung();
  await page.clock.runFor(10_000);
  expect(await rung()).toBe(atLast);
});

test('an order moves over the board by keyboard alone, with targets large enough for a thumb', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant, { external_id: 'A-1', ready_by: inMinutes(30) });
  await takeIn(service, tenant, { external_id: 'A-2', ready_by: inMinutes(3) });
  await takeIn(service, tenant, { external_id: 'A-3', ready_by: inMinutes(-8) });
  const { page } = await openConsole(browser, service.url, tenant.key, {
    reducedMotion: 'reduce',
  });
  await goToBoard(page, service.url, tenant.storeId);
  for (const [order, words] of [
    ['1', /^In (29|30) min$/],
    ['2', /^Soon, [23] min$/],
    ['3', /^Late [89] min$/],
  ] as const)
    await page
      .getByRole('article', { name: `Order ${order}` })
      .getByText(words)
      .waitFor();

  const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      return focused();
    })
    .toBe('Accept 3');
  await stopTime(page);
  await page.keyboard.press('Enter');
  await page.clock.runFor(500);
  await expect.poll(focused).toBe('Undo 3');
  expect(
    await page.evaluate<number>(
      'document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 1).length',
    ),
  ).toBe(0);
  await page.keyboard.press('Enter');
  await page.clock.resume();
  await expect.poll(focused).toBe('Accept 3');

  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const small = await page.evaluate<string[]>(`
      [...document.querySelectorAll('.board button, .board a')]
        .map((target) => [target.textContent, target.getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 0 && (width < 48 || height < 48))
        .map(([text, { width, height }]) => text + ' ' + width + 'x' + height)
    `);
    expect([width, small]).toEqual([width, []]);
  }
});

test('a refusal is told in a sentence, with the id of the request under its details', async () => {
  const tenant = await createTenant(service);
  const { page } = await openConsole(browser, service.url, tenant.key, { expected: /404/ });
  const nobody = '01980c6e-5c00-7000-8000-00007fffff01';
  await page.goto(`${service.url}/console/stores/${tenant.storeId}/orders/${nobody}`);
  await page.getByText('Order not found').waitFor();
  expect(await page.getByText(/^Request \S+/).isVisible()).toBe(false);
  await page.getByText('Details', { exact: true }).click();
  await page.getByText(/^Request \S+/).waitFor();
});
