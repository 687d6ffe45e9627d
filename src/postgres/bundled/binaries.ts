import { randomUUID } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
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
  cache = runAs === undefined ? join(homedir(), '.cache/comanda') : '/var/cache/comanda',
): Promise<Binaries> {
  const failures: string[] = [];
  for (const prepare of [
    () => copyOnce(from, cache, signal),
    () => copyOnce(from, dataDir, signal),
    () => linkLibraries(from.nativeFolder, from),
  ]) {
    try {
      const programs = programsIn(join(await prepare(), 'bin'));
      const failure = await whyNotRunnable(programs.postgres, from.major, runAs);
      if (failure === undefined) return programs;
      failures.push(`${programs.postgres}: ${failure}`);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof StartupError) throw error;
      failures.push(String(error));
    }
  }
  throw new StartupError(
    `The bundled PostgreSQL does not run on this machine${runAs ? ` as user ${runAs.uid}` : ''}. ` +
      `Set DATABASE_URL to a PostgreSQL server, version 15 or later. Tried:\n  ${failures.join('\n  ')}`,
  );
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * npm packages cannot carry links; this one lists those it needs, with paths that start at the package's folder. Another start
 * may be making the same links at this moment.
 */
async function linkLibraries(folder: string, { nativeFolder }: PlatformPackage): Promise<string> {
  const list = await readFile(join(nativeFolder, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as LibraryLink[]) {
    const link = join(folder, relative('native', target));
    await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
  return folder;
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

/** What only serves to build extensions against the server stays behind. */
const LEFT_OUT = /\.a$|\/(pgxs|pkgconfig|include)(\/|$)/;

/** Made once under a name of its version and renamed into place, so that it is complete or not there. */
async function copyOnce(from: PlatformPackage, parent: string, signal?: AbortSignal): Promise<string> {
  const target = join(parent, `postgresql-${from.version}-${from.platform}`);
  if ((await ifExists(lstat(target))) !== undefined) return target;
  await mkdir(parent, { recursive: true, mode: 0o755 });
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    await copyFiles(from.nativeFolder, draft, signal);
    await linkLibraries(draft, from);
    await rename(draft, target);
  } catch (error) {
    // Another service may have finished the same copy first.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await syncFolder(parent);
  return target;
}

/** For all to read, however closed the package and the umask are. */
async function copyFiles(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(to);
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const found = entries
    .map((entry) => ({ entry, path: relative(from, join(entry.parentPath, entry.name)) }))
    .filter(({ path }) => !LEFT_OUT.test(path));
  const folders = found.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path);
  for (const path of folders) await mkdir(join(to, path));
  await inBatches(
    found.filter(({ entry }) => entry.isFile()),
    async ({ path }) => {
      signal?.throwIfAborted();
      const { mode } = await lstat(join(from, path));
      await copyFile(join(from, path), join(to, path));
      await chmod(join(to, path), (mode & 0o100) === 0 ? 0o644 : 0o755);
    },
  );
  for (const path of ['', ...folders]) await chmod(join(to, path), 0o755);
}
