import { randomUUID } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, StartupError } from '../../support/errors.js';
import type { Binaries } from './binaries.js';
import { chownTree, ifExists, readTextIfThere, syncFolder } from './files.js';
import { clusterName } from './processes.js';
import { chooseInitUser, explainServerFailure, runProgram, type RunAs } from './run-program.js';

export const DATABASE_NAME = 'comanda';
export const SUPERUSER = 'comanda';

/** For a small server that shares its machine; written to postgresql.conf once, where the operator may change them. */
const INITIAL_SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['shared_buffers', '192MB'],
  ['work_mem', '8MB'],
  ['maintenance_work_mem', '64MB'],
  ['effective_cache_size', '1GB'],
  ['random_page_cost', '1.1'],
  ['jit', 'off'],
  // Parallel plans need room in /dev/shm, of which containers have little, and take cores from the service.
  ['max_parallel_workers_per_gather', '0'],
  ['min_wal_size', '80MB'],
  ['max_wal_size', '1GB'],
  ['wal_compression', 'on'],
  ['max_logical_replication_workers', '0'],
  ['checkpoint_timeout', '10min'],
  ['autovacuum_naptime', '30s'],
  ['timezone', 'UTC'],
  ['log_timezone', 'UTC'],
  ['log_line_prefix', '%m [%p] '],
  ['log_checkpoints', 'off'],
  // The detail lines of an error quote rows, and so phone numbers.
  ['log_error_verbosity', 'terse'],
];

/**
 * The data folder as PostgreSQL is told it. It is started inside the folder and finds it through /proc, which works
 * even when its user may not enter the folders above; where there is no /proc it gets the path.
 */
export function folderArgument(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/** Checks the database that is there; false when there is none yet. */
export async function hasUsableDatabaseFolder(
  folder: string,
  major: string,
  runAs: RunAs | undefined,
): Promise<boolean> {
  const found = await ifExists(lstat(folder));
  if (found === undefined) return false;
  const version = await readVersion(folder);
  if (version === undefined) {
    throw new StartupError(
      `${folder} exists but is not a PostgreSQL data folder (it has no PG_VERSION). ` +
        `Move it away to start with an empty database, or restore it from a backup.`,
    );
  }
  if (version !== major) {
    throw new StartupError(
      `The database in ${folder} was created by PostgreSQL ${version}, but this version of Comanda uses PostgreSQL ` +
        `${major}, which cannot read it. Export the data with \`comanda backup\` of the version that created it, ` +
        `move the folder away, and restore the export with this version.`,
    );
  }
  // A restored copy that belongs to root: the server's user could not open it.
  if (runAs !== undefined && found.uid !== runAs.uid) await chownTree(folder, runAs);
  return true;
}

/** Undefined where there is none, as in a file or a link to nowhere. */
async function readVersion(folder: string): Promise<string | undefined> {
  try {
    return (await readTextIfThere(join(folder, 'PG_VERSION')))?.trim();
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Makes a folder with a new, empty database, complete under its final name or not there at all. */
export async function createDatabaseFolder(
  folder: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const draft = `${folder}.tmp`;
  await removeDraft(draft);
  await mkdir(draft, { mode: 0o700 });
  try {
    const initUser = await chooseInitUser(runAs);
    await chmod(draft, 0o700);
    if (initUser !== undefined) await chown(draft, initUser.uid, initUser.gid);
    await initialise(draft, binaries, initUser, signal);
    if (runAs !== undefined) await chownTree(draft, runAs);
    await rename(draft, folder);
    await syncFolder(join(folder, '..'));
  } catch (error) {
    await removeDraft(draft).catch(() => undefined);
    throw error;
  }
}

/** A service killed during its first start leaves an initdb that still writes, so its draft is moved out of the way first. */
async function removeDraft(draft: string): Promise<void> {
  if ((await ifExists(lstat(draft))) !== undefined) await rename(draft, `${draft}.${randomUUID()}`);
  const left = (await readdir(dirname(draft))).filter((name) => name.startsWith(`${basename(draft)}.`));
  for (const name of left)
    await rm(join(dirname(draft), name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function initialise(
  draft: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const where = folderArgument(draft);
  const name = `cluster_name=${(await clusterName(draft)) ?? ''}`;
  // Apple's C library knows no C.UTF-8; only the parts that the built-in provider does not cover are left to it.
  const locale =
    process.platform === 'darwin' ? ['--locale=C', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8'];
  const initdb = await runProgram({
    program: binaries.initdb,
    args: [
      ...['-D', where, `--username=${SUPERUSER}`, '--encoding=UTF8', '--locale-provider=builtin', ...locale],
      ...['--auth-local=trust', '--auth-host=reject', '--set', name],
      ...INITIAL_SETTINGS.flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ],
    cwd: draft,
    runAs,
    signal,
  });
  signal?.throwIfAborted();
  if (initdb.code !== 0) throw explainServerFailure('could not be initialised', initdb.output);

  const single = await runProgram({
    program: binaries.postgres,
    args: ['--single', '-D', where, '-c', name, 'postgres'],
    cwd: draft,
    runAs,
    signal,
    input: `CREATE DATABASE ${DATABASE_NAME};\n`,
  });
  signal?.throwIfAborted();
  if (single.code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(single.output)) {
    throw explainServerFailure('could not create its database', single.output);
  }
}
