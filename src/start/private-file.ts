import { chmod, rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file that its owner alone may read; whoever looks sees the old text or the new one, never a part. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.tmp`;
  // What lies there is from a write that was cut short, or is no file: it is neither followed nor waited for.
  await rm(unfinished, { recursive: true, force: true });
  await writeFile(unfinished, text, { flag: 'wx', mode: 0o600, flush: true });
  await chmod(unfinished, 0o600);
  await rename(unfinished, path);
}
