import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll } from 'vitest';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const SLOW_MACHINE_MS = 60_000;

export interface OpenBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Chromium from npm; where that does not run or cannot be unpacked, the one the system has. */
export async function openBrowser(): Promise<OpenBrowser> {
  // The package runs whatever is at $TMPDIR/chromium, be it half of what a run that was broken off has unpacked.
  const folder = await mkdtemp(join(tmpdir(), 'comanda-browser-'));
  process.env['TMPDIR'] = folder;
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const close = async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return { browser, close };
}

/** A browser for all tests of a file, closed after the last of them. */
export async function useBrowser(): Promise<Browser> {
  const opened = await openBrowser();
  afterAll(() => opened.close());
  return opened.browser;
}

async function findChromium(): Promise<string> {
  // The one from npm is built for one kind of processor.
  if (process.arch !== 'x64' && existsSync(SYSTEM_CHROMIUM)) return SYSTEM_CHROMIUM;
  try {
    const { default: bundled } = await import('@sparticuz/chromium');
    return await bundled.executablePath();
  } catch (error) {
    if (existsSync(SYSTEM_CHROMIUM)) return SYSTEM_CHROMIUM;
    throw error;
  }
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
