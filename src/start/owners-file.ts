import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { errorCode, StartRefused } from '../domain/errors.js';

/** The file's text; undefined where there is no file. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'EISDIR')
      throw new StartRefused(`${path} is a folder where a file belongs: move it away, then start again.`);
    throw error;
  }
}

/** Writes a file that its owner alone may read; whoever looks sees the old text or the new one, never a part. */
export async function writeOwnersFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.tmp`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await chmod(unfinished, 0o600);
  await rename(unfinished, path);
}
