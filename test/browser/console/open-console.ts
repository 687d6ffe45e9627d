import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { watch, type Watched } from '../browser.js';

export interface OpenConsole extends Watched {
  readonly context: BrowserContext;
}

/** A browser of its own for one person, signed in with a key. */
export async function openConsole(
  browser: Browser,
  url: string,
  key: string,
  options: BrowserContextOptions = {},
): Promise<OpenConsole> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const watched = watch(await context.newPage(), url, { mayBreakOff: true });
  await watched.page.goto(`${url}/console`);
  await signIn(watched.page, key);
  return { ...watched, context };
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Your key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Your key').waitFor({ state: 'detached' });
}
