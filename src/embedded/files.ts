import { lchown, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../domain/errors.js';

/** The result, or undefined when the file or folder it asks about is not there. */
export async function ifExists<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** With the folders above it. Step by step, because Node's own way takes a read-only disk for a missing folder. */
export async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path));
      await make();
      return;
    }
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  }
}

/** Makes renames and new names in the folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function chownTree(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await inBatches(entries, (entry) => lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid));
  await lchown(folder, owner.uid, owner.gid);
}

const BATCH = 64;

/** Many small file operations at once, but never so many that they exhaust memory or file handles. */
export async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH) {
    await Promise.all(items.slice(start, start + BATCH).map(work));
  }
}
