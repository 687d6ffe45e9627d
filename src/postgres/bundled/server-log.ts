import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises';
import { isFileThere } from './files.js';

export type ServerLog = ReturnType<typeof openServerLog>;

const LIMITS = { bytes: 10 * 2 ** 20, checkMs: 30_000 };
const READ_BYTES = 16_384;

/** PostgreSQL's log: one file and the one before it, so that it never fills the disk. */
export function openServerLog(path: string, limits = LIMITS) {
  // One after the other: a second run beside the first would keep the file it has just emptied.
  let shortened = Promise.resolve();
  const check = () => {
    shortened = shortened.then(() => shorten(path, limits.bytes)).catch(() => undefined);
  };
  const timer = setInterval(check, limits.checkMs).unref();
  return {
    /** A handle for a server to write to; it only ever appends, so the file can be cut short under it. */
    open: async () => {
      await isFileThere(path);
      return open(path, 'a', 0o600);
    },
    /** Where the log ends now. */
    position: () => sizeOf(path),
    /** What was written since. */
    readFrom: async (position: number) => {
      const written = await readFile(path);
      return written
        .subarray(position <= written.length ? position : 0)
        .subarray(-READ_BYTES)
        .toString();
    },
    close: () => clearInterval(timer),
  };
}

async function shorten(path: string, limit: number): Promise<void> {
  if ((await sizeOf(path)) <= limit) return;
  await copyFile(path, `${path}.1`);
  await truncate(path, 0);
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
