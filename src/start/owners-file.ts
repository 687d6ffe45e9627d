import { chmod, readFile, rename, writeFile } from 'node:fs/promises';

/** The file's text; undefined where there is no file. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
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
