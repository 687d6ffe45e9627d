import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { tellIfFailed, watch } from '../browser.js';

export interface GuestOptions extends BrowserContextOptions {
  /** The troubles that the test itself brings about. */
  readonly expected?: RegExp;
}

/**
 * A phone of its own for one guest, with the page of a place open; it is closed with the test, which fails when the page
 * had troubles that were not expected, asked another origin for anything, or was given a cookie.
 */
export async function openGuest(
  browser: Browser,
  url: string,
  code: string,
  { expected, ...options }: GuestOptions = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    locale: 'en-GB',
    hasTouch: true,
    isMobile: true,
    ...options,
  });
  const watched = watch(await context.newPage(), url, { mayBreakOff: true });
  const { page, troubles, foreignRequests } = watched;
  onTestFinished(async (test) => {
    await tellIfFailed(test, context, watched);
    const cookies = await context.cookies();
    await context.close();
    const unexpected = troubles.filter((trouble) => expected?.test(trouble) !== true);
    expect({ unexpected, foreignRequests, cookies }).toEqual({
      unexpected: [],
      foreignRequests: [],
      cookies: [],
    });
  });
  await page.goto(`${url}/order/${code}`);
  return { page, context };
}

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

/** Puts a dish into the basket as it is offered. */
export async function add(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Add/ }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** What a guest does who comes back to the page: it looks again at once. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate('dispatchEvent(new Event("focus"))');
}

export const orderCard = (page: Page) => page.getByRole('article', { name: /^Order / });
