import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the browser. */
    chromium: string;
  }
}

/** Debian's; the first, which has no windows, takes two thirds of the other's time. */
const SYSTEM_CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Runs once: Chromium from npm; where that does not run or cannot be unpacked, the one the system has. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // The package runs whatever is at $TMPDIR/chromium, be it half of what a run that was broken off has unpacked.
  const folder = await mkdtemp(join(tmpdir(), 'comanda-browser-'));
  project.provide('chromium', await findChromium(folder));
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function findChromium(folder: string): Promise<string> {
  const installed = SYSTEM_CHROMIUM.find((path) => existsSync(path));
  // The one from npm is built for one kind of processor.
  if (process.arch !== 'x64') {
    if (installed !== undefined) return installed;
    throw new Error(`Chromium from npm runs on x64 alone: install Debian's package chromium-headless-shell`);
  }
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    const { default: bundled } = await import('@sparticuz/chromium');
    return await bundled.executablePath();
  } catch (error) {
    if (installed !== undefined) return installed;
    throw error;
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
