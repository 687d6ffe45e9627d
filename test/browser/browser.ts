import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core';
import { afterAll, inject, onTestFinished, type TestContext } from 'vitest';

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
  /** Sent, and neither answered nor broken off yet. */
  readonly unanswered: ReadonlySet<Request>;
}

/** A page that notes everything that goes wrong in it and every request that leaves the origin. */
export async function openPage(browser: Browser, origin: string): Promise<Watched> {
  const watched = watch(await browser.newPage({ viewport: { width: 1280, height: 800 } }), origin);
  onTestFinished((test) => tellIfFailed(test, watched.page.context(), watched));
  return watched;
}

/** A page that asks again and again breaks off what it no longer needs; that is then no trouble. */
export function watch(page: Page, origin: string, { mayBreakOff = false } = {}): Watched {
  page.setDefaultTimeout(SLOW_MACHINE_MS);
  const troubles: string[] = [];
  const foreignRequests: string[] = [];
  const unanswered = new Set<Request>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => {
    unanswered.delete(request);
    const isBrokenOff = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isBrokenOff || !mayBreakOff) troubles.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    unanswered.add(request);
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:') && !url.startsWith('blob:'))
      foreignRequests.push(url);
  });
  return { page, troubles, foreignRequests, unanswered };
}

const MOST_TOLD = 10_000;

/** Prints of a test that has failed what its pages show, and what went wrong or is still under way in them. */
export async function tellIfFailed(
  { task }: TestContext,
  context: BrowserContext,
  { troubles, unanswered }: Watched,
): Promise<void> {
  if (task.result?.state !== 'fail') return;
  const shown = context.pages().map(async (page) => {
    const text = await page.innerText('body', { timeout: 5_000 }).catch(String);
    return `${page.url()} shows\n${text.slice(0, MOST_TOLD)}`;
  });
  const waiting = [...unanswered].map((request) => `unanswered: ${request.method()} ${request.url()}`);
  console.log([task.name, ...(await Promise.all(shown)), ...troubles, ...waiting].join('\n\n'));
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
