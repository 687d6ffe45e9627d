import { chmod, lstat, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { errorCode, StartRefused } from '../domain/errors.js';

/** The file's text; undefined where there is no file. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    await requireFile(path);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return refuseDeadLink(path);
    if (errorCode(error) === 'ELOOP')
      throw new StartRefused(`${path} is a link in a circle: mend it or move it away, then start again.`);
    throw error;
  }
}

/** A pipe would be waited for without end. */
async function requireFile(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isFile()) return;
  const what = found.isDirectory() ? 'folder' : 'pipe or device';
  throw new StartRefused(`${path} is a ${what} where a file belongs: move it away, then start again.`);
}

/** A file that is there, on a disk that is not, must not be taken for none. */
async function refuseDeadLink(path: string): Promise<undefined> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
  if (isLink)
    throw new StartRefused(`${path} is a link to nowhere: mend it or move it away, then start again.`);
}

/** Writes a file that its owner alone may read; whoever looks sees the old text or the new one, never a part. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.tmp`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await chmod(unfinished, 0o600);
  await rename(unfinished, path);
}
