import { statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 8 * 2 ** 30;

/** In memory where there is plenty: a database is made and dropped for each file of tests, and that waits for the disk. */
export async function scratchFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > ENOUGH_BYTES && freemem() > ENOUGH_BYTES ? MEMORY : tmpdir();
}
