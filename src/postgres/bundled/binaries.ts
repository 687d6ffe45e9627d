import { randomUUID } from 'node:crypto';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { errorCode, StartupError } from '../../support/errors.js';
import { ifExists, inBatches, syncFolder } from './files.js';
import type { PlatformPackage } from './platform-package.js';
import { runProgram, type RunAs } from './run-program.js';

/** The programs, where the server's user can run them. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const programsIn = (folder: string): Binaries => ({
  initdb: join(folder, 'initdb'),
  postgres: join(folder, 'postgres'),
});

/** The host's own programs: of the bundled major version, so that the data can go back and forth between the two. */
export async function useHostPrograms(
  folder: string,
  { major }: PlatformPackage,
  runAs: RunAs | undefined,
): Promise<Binaries> {
  const binaries = programsIn(folder);
  const failure = await whyNotRunnable(binaries.postgres, major, runAs);
  if (failure === undefined) return binaries;
  throw new StartupError(
    `COMANDA_POSTGRES_BIN does not work: ${binaries.postgres}: ${failure}. Set it to the program folder of a ` +
      `PostgreSQL ${major} that user ${runAs?.uid ?? process.getuid?.() ?? 'of the service'} may run, or unset it to use the bundled one.`,
  );
}

/**
 * A copy of the package, because an `npm ci` beside a running service removes the package's own folder under the
 * server; that folder itself only where no copy can be made and run.
 */
export async function prepareBinaries(
  from: PlatformPackage,
  dataDir: string,
  runAs: RunAs | undefined,
  signal?: AbortSignal,
): Promise<Binaries> {
  const links = await readLinks(from);
  const check = async (folder: string): Promise<void> => {
    await makeLinks(folder, links);
    const failure = await whyNotRunnable(join(folder, 'bin/postgres'), from.major, runAs);
    if (failure !== undefined) throw new Error(failure);
  };
  const failures: string[] = [];
  for (const parent of [...copyFolders(dataDir, runAs), undefined]) {
    try {
      if (parent !== undefined)
        return programsIn(join(await copyBinaries(from, parent, check, signal), 'bin'));
      await check(from.nativeFolder);
      return programsIn(join(from.nativeFolder, 'bin'));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof StartupError) throw error;
      failures.push(`${parent ?? from.nativeFolder}: ${String(error)}`);
    }
  }
  throw new StartupError(
    `The bundled PostgreSQL does not run on this machine${runAs ? ` as user ${runAs.uid}` : ''}. ` +
      `Set DATABASE_URL to a PostgreSQL server, version 15 or later. Tried:\n  ${failures.join('\n  ')}`,
  );
}

/** Where copies are kept, best place first: shared by all data folders where possible. */
function copyFolders(dataDir: string, runAs: RunAs | undefined): string[] {
  if (runAs !== undefined) return ['/var/cache/comanda', '/var/tmp', dataDir];
  return [join(homedir(), '.cache/comanda'), dataDir];
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** npm packages cannot carry links; this one lists those it needs, with paths that start at the package's folder. */
async function readLinks(from: PlatformPackage): Promise<LibraryLink[]> {
  const list = JSON.parse(
    await readFile(join(from.nativeFolder, 'pg-symlinks.json'), 'utf8'),
  ) as LibraryLink[];
  return list.map(({ source, target }) => ({
    source: relative('native', source),
    target: relative('native', target),
  }));
}

/** Another start may be making the same links at this moment. */
async function makeLinks(folder: string, links: readonly LibraryLink[]): Promise<void> {
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

async function whyNotRunnable(
  postgres: string,
  major: string,
  runAs: RunAs | undefined,
): Promise<string | undefined> {
  try {
    const { code, output } = await runProgram({ program: postgres, args: ['--version'], cwd: '/', runAs });
    if (code === 0 && output.includes(`(PostgreSQL) ${major}.`)) return undefined;
    return output.trim() || `ended with code ${String(code)}`;
  } catch (error) {
    if (runAs !== undefined && errorCode(error) === 'EPERM') {
      throw new StartupError(
        `PostgreSQL does not run as root, and this root may not switch to another user (${runAs.uid}). ` +
          `Start the service as an ordinary user, give it the capabilities SETUID and SETGID, or set DATABASE_URL.`,
        { cause: error },
      );
    }
    return String(error);
  }
}

interface SourceFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

const ABANDONED_MS = 3_600_000;

/**
 * A copy of the programs under `parent`, made once and used by every later start: readable by all, writable only by
 * its owner, and renamed into place, so that it is complete or not there. `check` throws when a copy is of no use: a new
 * one is then not put in place, but one that is there already stays, because other services may run from it.
 */
export async function copyBinaries(
  from: PlatformPackage,
  parent: string,
  check: (folder: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<string> {
  const name = `postgresql-${from.version}-${from.platform}`;
  const target = join(parent, name);
  const files = await listFiles(from.nativeFolder);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  if (await isComplete(target, files)) {
    await check(target);
    return target;
  }

  await removeAbandoned(parent, name);
  const draft = join(parent, `${name}.${randomUUID()}.tmp`);
  try {
    await copyFiles(from.nativeFolder, draft, files, signal);
    await check(draft);
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
async function isComplete(folder: string, files: readonly SourceFile[]): Promise<boolean> {
  const top = await ifExists(lstat(folder));
  if (top === undefined) return false;
  if (!top.isDirectory() || !isOursAlone(top)) throw new Error(`${folder} belongs to someone else`);
  let complete = true;
  await inBatches(files, async ({ path, size }) => {
    const found = await ifExists(lstat(join(folder, path)));
    if (found?.isFile() !== true || found.size !== size || !isOursAlone(found)) complete = false;
  });
  return complete;
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
    if (await isComplete(target, files)) return;
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
