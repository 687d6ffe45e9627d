import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { scratchFolder } from './scratch-folder.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a migrated database at rest. */
    preparedData: string;
  }
}

/** Runs once: makes the data folder that tests copy to which a first start is only the way to what they are about. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await scratchFolder(), 'comanda-prepared-'));
  const env = { PATH: process.env['PATH'], COMANDA_DATA_DIR: folder };
  await promisify(execFile)(process.execPath, ['dist/cli/main.js', 'migrate'], { env });
  // A test reads in the log what its own server has said.
  await rm(join(folder, 'postgres.log'));
  project.provide('preparedData', folder);
  return () => rm(folder, { recursive: true, force: true });
}
