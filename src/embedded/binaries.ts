import { readFile, stat, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { errorCode, StartRefused } from '../domain/errors.js';
import { copyBinaries } from './binaries-copy.js';
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
  throw new StartRefused(
    `COMANDA_POSTGRES_BIN does not work: ${binaries.postgres}: ${failure}. Set it to the folder with the programs of a ` +
      `PostgreSQL ${major} that user ${runAs?.uid ?? process.getuid?.() ?? 'of the service'} may run, or leave it out for the bundled one.`,
  );
}

/**
 * A copy of the package, since an `npm ci` beside a running service takes the package's own folder away under the
 * server; that folder itself only where no copy can be made and run.
 */
export async function prepareBinaries(
  from: PlatformPackage,
  dataDir: string,
  runAs: RunAs | undefined,
  signal?: AbortSignal,
): Promise<Binaries> {
  const links = await readLinks(from);
  const failures: string[] = [];
  const usable = async (folder: string): Promise<Binaries | undefined> => {
    const binaries = programsIn(join(folder, 'bin'));
    const failure = await whyNotRunnable(binaries.postgres, from.major, runAs);
    if (failure === undefined) return binaries;
    failures.push(`${folder}: ${failure}`);
    return undefined;
  };

  const prove = async (folder: string): Promise<void> => {
    if (!(await makeLinks(folder, links))) throw new Error(`the links cannot be made in ${folder}`);
    const failure = await whyNotRunnable(join(folder, 'bin/postgres'), from.major, runAs);
    if (failure !== undefined) throw new Error(failure);
  };

  for (const parent of copyFolders(dataDir, runAs)) {
    try {
      const binaries = await usable(await copyBinaries(from, parent, prove, signal));
      if (binaries !== undefined) return binaries;
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`${parent}: ${String(error)}`);
    }
  }
  if (await makeLinks(from.nativeFolder, links)) {
    const inPlace = await usable(from.nativeFolder);
    if (inPlace !== undefined) return inPlace;
  }
  throw new StartRefused(
    `The bundled PostgreSQL cannot be run on this machine${runAs ? ` as user ${runAs.uid}` : ''}: ` +
      `set DATABASE_URL to a PostgreSQL server, version 15 or later. What was tried:\n  ${failures.join('\n  ')}`,
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

/** False when a link is missing and cannot be made here. */
async function makeLinks(folder: string, links: readonly LibraryLink[]): Promise<boolean> {
  try {
    for (const { source, target } of links) {
      const path = join(folder, target);
      const present = await stat(path).then(
        () => true,
        () => false,
      );
      if (!present) await symlink(relative(dirname(target), source), path);
    }
    return true;
  } catch (error) {
    // Another start may be making the same links at this moment.
    return errorCode(error) === 'EEXIST' ? makeLinks(folder, links) : false;
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
      throw new StartRefused(
        `PostgreSQL does not run as root, and this root may not change to another user (${runAs.uid}): ` +
          `start the service as an ordinary user, give it the capabilities SETUID and SETGID, or set DATABASE_URL.`,
        { cause: error },
      );
    }
    return String(error);
  }
}
