import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface Result {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: unknown; readonly failureSummary: string }[];
  }[];
}

/** What axe-core finds wrong with the page as it is, told in a line each; by all its rules, or by one. */
export async function findBarriers(page: Page, rule?: string): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rule === undefined ? {} : { runOnly: [rule] }) };
  const { violations } = await page.evaluate<Result>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}

/** What several buttons of one list are called: who hears them cannot tell which row each is of. */
export function findAlike(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('table, ul, ol')].flatMap((list) => {
    const buttons = [...list.querySelectorAll('button, a.button')].filter((button) => button.closest('table, ul, ol') === list);
    const names = buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent);
    return names.filter((name, i) => names.indexOf(name) !== i);
  })`);
}

/** How far the page is wider than the screen. */
export function findOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Fails where the page, as it is, has a barrier or is wider than the screen: at a desk and on a phone, in light and dark. */
export async function lookEverywhere(page: Page, what = page.url()): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect([what, width, await findOverflow(page), await findBarriers(page)]).toEqual([what, width, 0, []]);
    // Only colours differ in the dark.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    const unreadable = await findBarriers(page, 'color-contrast');
    expect([what, width, 'dark', unreadable]).toEqual([what, width, 'dark', []]);
  }
}
