import { mkdtemp, open, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { prepareBinaries, useHostPrograms } from './binaries.js';
import {
  createDatabaseFolder,
  DATABASE_NAME,
  hasUsableDatabaseFolder,
  SUPERUSER,
} from './database-folder.js';
import { lockDataFolder, type DataFolderLock } from './data-folder-lock.js';
import { explainFolderError, makeFolder } from './files.js';
import { findPlatformPackage } from './platform-package.js';
import { startPostmaster, supervise } from './postmaster.js';
import { chooseServerUser } from './run-program.js';
import { openServerLog } from './server-log.js';

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** The folder with the host's own programs, to be run instead of the bundled ones. */
  readonly hostPrograms?: string | undefined;
  readonly maxConnections?: number;
  /** Told each time the server ends by itself; it is started again in any case. */
  readonly onExit?: (reason: string) => void;
  readonly log: (message: string) => void;
  /** Calls the start off; what it has half made is taken away again. */
  readonly signal?: AbortSignal;
}

const MAX_CONNECTIONS = 100;

/**
 * Starts the bundled PostgreSQL on `<dataDir>/postgres`, which it makes when it is not there, and keeps it running
 * until it is stopped. Holds the data folder's lock all the while.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions) {
  try {
    await makeFolder(resolve(options.dataDir));
    const dataDir = await realpath(options.dataDir);
    const lock = await lockDataFolder(dataDir, options.signal);
    try {
      return await startLocked(dataDir, lock, options);
    } catch (error) {
      await lock.release().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw explainFolderError(error, options.dataDir);
  }
}

async function startLocked(
  dataDir: string,
  lock: DataFolderLock,
  { hostPrograms, log, onExit, maxConnections = MAX_CONNECTIONS, signal }: EmbeddedPostgresOptions,
) {
  const folder = join(dataDir, 'postgres');
  const from = await findPlatformPackage();
  const runAs = await chooseServerUser(folder);
  const isNew = !(await hasUsableDatabaseFolder(folder, from.major, runAs));
  const binaries =
    hostPrograms === undefined
      ? await prepareBinaries(from, dataDir, runAs, signal)
      : await useHostPrograms(hostPrograms, from, runAs);
  if (isNew) {
    log(`Creating a new database in ${folder}`);
    await createDatabaseFolder(folder, binaries, runAs, signal);
  }
  const serverLog = openServerLog(join(dataDir, 'postgres.log'));
  const socketFolder = await reachSocketFolder(folder);
  const letGo = async () => {
    serverLog.close();
    await socketFolder.close();
    await lock.release();
  };
  const postmaster = { postgres: binaries.postgres, folder, runAs, maxConnections, serverLog, log };
  const start = (stopping: AbortSignal) =>
    startPostmaster(postmaster, signal === undefined ? stopping : AbortSignal.any([stopping, signal]));
  const server = await supervise({ start, onExit: (reason) => onExit?.(reason), log }).catch(
    async (error: unknown) => {
      await letGo();
      throw error;
    },
  );

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await server.stop();
    await letGo();
  };
  return {
    connection: { host: socketFolder.path, port: 5432, user: SUPERUSER, database: DATABASE_NAME },
    /** Whether this start made the database. */
    isNew,
    /** The server's process; another one after the server had to be started again. */
    get pid() {
      return server.current.pid;
    },
    stop: () => (stopped ??= stop()),
  };
}

// The shortest limit of the supported systems is 104 bytes with the final NUL; the name is `/.s.PGSQL.5432`.
const LONGEST_FOLDER = 103 - 14;

/**
 * A path to the folder that is short enough for a socket in it. The system cuts off the path of a socket at about a hundred
 * bytes, so a longer folder gets a short second name: on Linux through a handle this process keeps open, which no cleaning of
 * temporary files can take away.
 */
export async function reachSocketFolder(folder: string, platform: NodeJS.Platform = process.platform) {
  if (Buffer.byteLength(folder) <= LONGEST_FOLDER) return { path: folder, close: () => Promise.resolve() };
  if (platform === 'linux') {
    const handle = await open(folder, 'r');
    return { path: `/proc/${process.pid}/fd/${handle.fd}`, close: () => handle.close() };
  }
  const parent = await mkdtemp(join(tmpdir(), 'comanda-'));
  const path = join(parent, 'pg');
  await symlink(folder, path);
  return { path, close: () => rm(parent, { recursive: true, force: true }) };
}
