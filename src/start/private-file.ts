import { chmod, lstat, readFile, rename, writeFile } from 'node:fs/promises';
import { errorCode, StartRefused } from '../domain/errors.js';

/** The file's text; undefined where there is no file. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return refuseDeadLink(path);
    if (errorCode(error) === 'EISDIR')
      throw new StartRefused(`${path} is a folder where a file belongs: move it away, then start again.`);
    if (errorCode(error) === 'ELOOP')
      throw new StartRefused(`${path} is a link in a circle: mend it or move it away, then start again.`);
    throw error;
  }
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
