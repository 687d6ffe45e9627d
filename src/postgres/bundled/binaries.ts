import { randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode, StartupError } from '../../support/errors.js';
import { ifExists } from './files.js';
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

/** The package's own programs; a copy where the server's user cannot run those, as when root has installed them under /root. */
export async function prepareBinaries(
  from: PlatformPackage,
  dataDir: string,
  runAs: RunAs | undefined,
  signal?: AbortSignal,
): Promise<Binaries> {
  const failures: string[] = [];
  for (const prepare of [
    () => linkLibraries(from.nativeFolder, from),
    () => copyOnce(from, runAs === undefined ? dataDir : '/var/cache/comanda', signal),
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

/**
 * npm packages cannot carry links; this one lists those it needs, with paths that start at the package's folder. Another start
 * may be making the same links at this moment.
 */
async function linkLibraries(folder: string, { nativeFolder }: PlatformPackage): Promise<string> {
  const list = await readFile(join(nativeFolder, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
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
export async function copyOnce(from: PlatformPackage, parent: string, signal?: AbortSignal): Promise<string> {
  const target = join(parent, `postgresql-${from.version}-${from.platform}`);
  if ((await ifExists(lstat(target))) !== undefined) return target;
  const made = await mkdir(parent, { recursive: true });
  if (made !== undefined) await chmod(parent, 0o755);
  const draft = `${target}.${randomUUID()}.tmp`;
  const isCopied = (path: string) => {
    signal?.throwIfAborted();
    return !LEFT_OUT.test(relative(from.nativeFolder, path));
  };
  try {
    await cp(from.nativeFolder, draft, { recursive: true, verbatimSymlinks: true, filter: isCopied });
    await openToAll(draft);
    await linkLibraries(draft, from);
    await rename(draft, target);
  } catch (error) {
    // Another service may have finished the same copy first.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

/** For all to read, however closed the package and the umask are. */
async function openToAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of [folder, ...paths]) {
    const { mode } = await lstat(path);
    await chmod(path, (mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
