import { randomUUID } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { errorCode } from '../domain/errors.js';
import { ifExists, inBatches, syncFolder } from './files.js';
import type { PlatformPackage } from './platform-package.js';

interface SourceFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

const ABANDONED_MS = 3_600_000;

/**
 * A copy of the programs under `parent`, made once and used by every later start: readable by all, writable only by
 * its owner, and put in place by a rename, so that it is whole or not there. `prove` throws when a new copy is of no use:
 * then it is not put in place. One that is in place is never taken away, for other services may run from it.
 */
export async function copyBinaries(
  from: PlatformPackage,
  parent: string,
  prove: (folder: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<string> {
  const name = `postgresql-${from.version}-${from.platform}`;
  const target = join(parent, name);
  const files = await listFiles(from.nativeFolder);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  if (await isWhole(target, files)) return target;

  await removeAbandoned(parent, name);
  const draft = join(parent, `${name}.${randomUUID()}.tmp`);
  try {
    await copyFiles(from.nativeFolder, draft, files, signal);
    await prove(draft);
    await replace(target, draft, files);
    await syncFolder(parent);
    return target;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** What a server needs; what only serves to build extensions against it stays behind. */
async function listFiles(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const wanted = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/\/(pgxs|pkgconfig|include)\//.test(path));
  const files: SourceFile[] = [];
  await inBatches(wanted, async (path) => {
    const { size, mode } = await stat(join(folder, path));
    files.push({ path, size, executable: (mode & 0o100) !== 0 });
  });
  return files;
}

async function copyFiles(
  from: string,
  to: string,
  files: readonly SourceFile[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const folders = new Set(files.map(({ path }) => join(to, path, '..')));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await inBatches(files, async ({ path, executable }) => {
    signal?.throwIfAborted();
    await copyFile(join(from, path), join(to, path));
    await chmod(join(to, path), executable ? 0o755 : 0o644);
  });
  // The umask may have kept others out of the folders.
  const made = await readdir(to, { recursive: true, withFileTypes: true });
  const within = made
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  await inBatches([to, ...within], (folder) => chmod(folder, 0o755));
}

/** Complete, ours, and closed to other writers: in a shared folder the name could have been taken by anyone. */
async function isWhole(folder: string, files: readonly SourceFile[]): Promise<boolean> {
  const top = await ifExists(lstat(folder));
  if (top === undefined) return false;
  if (!top.isDirectory() || !isOursAlone(top)) throw new Error(`${folder} belongs to someone else`);
  let whole = true;
  await inBatches(files, async ({ path, size }) => {
    const found = await ifExists(lstat(join(folder, path)));
    if (found?.isFile() !== true || found.size !== size || !isOursAlone(found)) whole = false;
  });
  return whole;
}

function isOursAlone(found: { uid: number; mode: number }): boolean {
  return found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

async function replace(target: string, draft: string, files: readonly SourceFile[]): Promise<void> {
  const damaged = `${draft}.old`;
  try {
    await rename(draft, target);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    // Another service may have finished the same copy first.
    if (await isWhole(target, files)) return;
    await rename(target, damaged);
    await rename(draft, target);
    await rm(damaged, { recursive: true, force: true });
  }
}

async function removeAbandoned(parent: string, name: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(`${name}.`)) continue;
    const path = join(parent, entry);
    const found = await ifExists(lstat(path));
    if (found === undefined || found.uid !== process.getuid?.()) continue;
    if (Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}
