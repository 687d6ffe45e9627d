import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the tests of a file, which calls this at its top; gone when they are finished. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'comanda-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
