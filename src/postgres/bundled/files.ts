import type { Stats } from 'node:fs';
import { lchown, lstat, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, StartupError } from '../../support/errors.js';

/** The result, or undefined when the file or folder it asks about is not there. */
export async function ifExists<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** False if nothing is there. Throws for anything but a file: reading a pipe would block for ever. */
export async function isFileThere(path: string): Promise<boolean> {
  const found = await ifExists(stat(path)).catch((error: unknown) => {
    if (errorCode(error) !== 'ELOOP') throw error;
    throw new StartupError(`${path} is a circular link. Fix it or move it away, then start again.`);
  });
  if (found?.isFile() === true) return true;
  if (found !== undefined) throw refuseInsteadOfFile(path, found);
  // A link to a disk that is not mounted must not be mistaken for a missing file.
  if ((await ifExists(lstat(path))) === undefined) return false;
  throw new StartupError(`${path} is a broken link. Fix it or move it away, then start again.`);
}

export function refuseInsteadOfFile(path: string, found: Stats, purpose = 'a file belongs'): StartupError {
  const what = found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'pipe or device';
  return new StartupError(`${path} is a ${what} where ${purpose}. Move it away, then start again.`);
}

export async function readTextIfThere(path: string): Promise<string | undefined> {
  if (!(await isFileThere(path))) return undefined;
  return ifExists(readFile(path, 'utf8')).catch((error: unknown) => {
    if (errorCode(error) !== 'EACCES') throw error;
    throw new StartupError(`User ${user} may not read ${path}. Change its owner, then start again.`);
  });
}

/** Creates a folder and its parents, one by one, because Node's recursive mkdir reports a read-only disk as a missing folder. */
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
  for (const { parentPath, name } of entries) await lchown(join(parentPath, name), owner.uid, owner.gid);
  await lchown(folder, owner.uid, owner.gid);
}

/** Explains an error that the operator can fix. */
export function explainFolderError(error: unknown, dataDir: string): unknown {
  if (error instanceof StartupError) return error;
  const advice = FOLDER_ADVICE[errorCode(error) ?? ''];
  if (advice === undefined) return error;
  const detail = error instanceof Error ? ` (${error.message})` : '';
  return new StartupError(`The data folder ${dataDir} ${advice}${detail}`, { cause: error });
}

const user = process.getuid?.() ?? 0;
const NOT_WRITABLE = `is not writable for user ${user}. Change its owner, or choose another with COMANDA_DATA_DIR.`;
const FULL = 'is on a full disk. Free some space, then start again.';
const IN_ITS_PLACE =
  'cannot be created because a file or a broken link is in its place. Choose another with COMANDA_DATA_DIR.';
const NO_PATH = 'has a path that the system does not accept. Choose another with COMANDA_DATA_DIR.';

const FOLDER_ADVICE: Readonly<Record<string, string>> = {
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: 'is on a read-only disk. Make it writable, or choose another with COMANDA_DATA_DIR.',
  ENOSPC: FULL,
  EDQUOT: FULL,
  ENOTDIR: IN_ITS_PLACE,
  EEXIST: IN_ITS_PLACE,
  EISDIR: 'has a folder where a file belongs. Move it away, then start again.',
  ELOOP: 'is or contains a circular link. Fix it or move it away, then start again.',
  ENOENT: NO_PATH,
  ENAMETOOLONG: NO_PATH,
};
