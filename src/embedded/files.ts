import type { Stats } from 'node:fs';
import { lchown, lstat, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, StartRefused } from '../domain/errors.js';

/** The result, or undefined when the file or folder it asks about is not there. */
export async function ifExists<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Refuses whatever else is where a file belongs: a pipe would be waited for without end. False where nothing is. */
export async function isFileThere(path: string): Promise<boolean> {
  const found = await ifExists(stat(path)).catch((error: unknown) => {
    if (errorCode(error) !== 'ELOOP') throw error;
    throw new StartRefused(`${path} is a link in a circle: mend it or move it away, then start again.`);
  });
  if (found?.isFile() === true) return true;
  if (found !== undefined) throw refuseInsteadOfFile(path, found);
  // A file that is there, on a disk that is not, must not be taken for none.
  if ((await ifExists(lstat(path))) === undefined) return false;
  throw new StartRefused(`${path} is a link to nowhere: mend it or move it away, then start again.`);
}

export function refuseInsteadOfFile(path: string, found: Stats, purpose = 'a file belongs'): StartRefused {
  const what = found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'pipe or device';
  return new StartRefused(`${path} is a ${what} where ${purpose}: move it away, then start again.`);
}

/** The file's text; undefined where there is no file. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  if (!(await isFileThere(path))) return undefined;
  return ifExists(readFile(path, 'utf8')).catch((error: unknown) => {
    if (errorCode(error) !== 'EACCES') throw error;
    const user = process.getuid?.() ?? 0;
    throw new StartRefused(`${path} may not be read by user ${user}: change its owner, then start again.`);
  });
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

/** Makes renames and new names in the folder survive a power cut; Windows has no such call for folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
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
