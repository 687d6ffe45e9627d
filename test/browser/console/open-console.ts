import { EventEmitter, once } from 'node:events';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { tellIfFailed, watch, type Watched } from '../browser.js';

export interface OpenConsole extends Watched {
  readonly context: BrowserContext;
}

export interface ConsoleOptions extends BrowserContextOptions {
  /** The troubles that the test itself brings about. */
  readonly expected?: RegExp;
}

/**
 * A browser of its own for one person: signed in with a key, and on no page yet, or on the one that asks for a key. It is closed
 * with the test, which fails when the page had troubles that were not expected, or asked another origin for anything.
 */
export async function openConsole(
  browser: Browser,
  url: string,
  key: string | undefined,
  { expected, ...options }: ConsoleOptions = {},
): Promise<OpenConsole> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const watched = watch(await context.newPage(), url, { mayBreakOff: true });
  onTestFinished(async (test) => {
    await tellIfFailed(test, context, watched);
    const { troubles, foreignRequests } = watched;
    const unexpected = troubles.filter((trouble) => expected?.test(trouble) !== true);
    await context.close();
    expect({ unexpected, foreignRequests }).toEqual({ unexpected: [], foreignRequests: [] });
  });
  if (key === undefined) await watched.page.goto(`${url}/console`);
  else await startSession(context, url, key);
  return { ...watched, context };
}

/** What the page does with a key, without the page: most tests begin elsewhere. */
async function startSession(context: BrowserContext, url: string, key: string): Promise<void> {
  const proof = { data: { key }, headers: { origin: url } };
  const answer = await context.request.post(`${url}/console/api/session`, proof);
  expect(answer.status()).toBe(201);
}

/** The same for one who has typed the key, and is on the first page. */
export async function openHome(
  browser: Browser,
  url: string,
  key: string,
  options: ConsoleOptions = {},
): Promise<OpenConsole> {
  const opened = await openConsole(browser, url, undefined, options);
  await signIn(opened.page, key);
  return opened;
}

/** Opens the board of a store, and waits until it is live and shows its orders. */
export async function goToBoard(page: Page, url: string, storeId: string, more = ''): Promise<void> {
  await page.goto(`${url}/console/stores/${storeId}/board${more}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.locator('.columns').waitFor();
}

/** The events of stores begin only when the returned function is called, as over a slow connection. */
export async function holdEvents(page: Page): Promise<() => void> {
  const holding = new EventEmitter();
  const isOver = once(holding, 'over');
  await page.route('**/events?*', async (route) => {
    await isOver;
    await route.continue();
  });
  return () => holding.emit('over');
}

/** Stops the time of the page, so that a tap can be taken back however slow the machine is, until `page.clock.resume`. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 10_000);
}

/** When an order of now is to be ready. */
export function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

/** A zone in which it is between 12:00 and 13:00, so that the day does not end under the test; the hour may. */
export function zoneOfNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  return `Etc/GMT${behind < 0 ? behind : `+${behind}`}`;
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Your key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Your key').waitFor({ state: 'detached' });
}
