import { chmod, lstat, rename, unlink, writeFile } from 'node:fs/promises';
import { ifExists, refuseInsteadOfFile } from '../embedded/files.js';

/** Writes a file that its owner alone may read; whoever looks sees the old text or the new one, never a part. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.tmp`;
  const left = await ifExists(lstat(unfinished));
  if (left?.isDirectory() === true) throw refuseInsteadOfFile(unfinished, left);
  // From a write that was cut short, or a link or a pipe: it is neither followed nor waited for.
  if (left !== undefined) await unlink(unfinished);
  await writeFile(unfinished, text, { flag: 'wx', mode: 0o600, flush: true });
  await chmod(unfinished, 0o600);
  await rename(unfinished, path);
}
