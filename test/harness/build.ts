import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs once: threads and child processes of the service under test run what is built, so it must be what is tested. */
export default async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build.js']);
}
