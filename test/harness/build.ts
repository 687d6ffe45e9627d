import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs once: threads and child processes of the service under test run what is built, so it must be what is tested. */
export default async function build(): Promise<void> {
  await run(process.execPath, ['scripts/build-sdk.js']);
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
}
