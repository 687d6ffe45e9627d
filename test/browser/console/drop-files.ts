import type { Page } from 'playwright-core';

/** Drags files or folders of this machine over the page and lets them go, as a person does from the file manager. */
export async function dropFiles(page: Page, ...paths: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
  await devtools.detach();
}
