import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, inject } from 'vitest';

const SLOW_MACHINE_MS = 60_000;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox', '--disable-gpu'] });
}

let shared: Promise<Browser> | undefined;

/** One browser for all files, which ends with the tests; what a file leaves open is closed after its last test. */
export async function useBrowser(): Promise<Browser> {
  const browser = await (shared ??= openBrowser());
  afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

export interface Watched {
  readonly page: Page;
  /** Console errors and warnings, uncaught exceptions, requests that failed. */
  readonly troubles: string[];
  readonly foreignRequests: string[];
}

/** A page that notes everything that goes wrong in it and every request that leaves the origin. */
export async function openPage(browser: Browser, origin: string): Promise<Watched> {
  return watch(await browser.newPage({ viewport: { width: 1280, height: 800 } }), origin);
}

/** A page that asks again and again breaks off what it no longer needs; that is then no trouble. */
export function watch(page: Page, origin: string, { mayBreakOff = false } = {}): Watched {
  page.setDefaultTimeout(SLOW_MACHINE_MS);
  const troubles: string[] = [];
  const foreignRequests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    const isBrokenOff = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isBrokenOff || !mayBreakOff) troubles.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:') && !url.startsWith('blob:'))
      foreignRequests.push(url);
  });
  return { page, troubles, foreignRequests };
}

/** The characters of a line of text in the order in which they stand on the screen, from the left. */
export async function readFromLeft(page: Page, selector: string, nth = 0): Promise<string> {
  await page.locator(selector).nth(nth).waitFor();
  return page.evaluate<string>(`(() => {
    const element = document.querySelectorAll('${selector}')[${nth}];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode())
      for (let at = 0; at < text.length; at += 1) {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const { left, width } = range.getBoundingClientRect();
        if (width > 0) found.push([left, text.data[at]]);
      }
    return found.sort(([one], [other]) => one - other).map(([, character]) => character).join('');
  })()`);
}
