import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { type Config, loadConfig } from '../config.js';
import { CONNECTIONS } from '../support/bounds.js';
import { takeCellNumbers } from '../postgres/cell-numbers.js';
import { distribute, listSilentNodes } from '../postgres/citus-tables.js';
import { type Database, openDatabase } from '../postgres/database.js';
import { examinePooler, readServerVersion } from '../postgres/database-stats.js';
import { migrate } from '../postgres/migrate.js';
import { knownSchema, readSchema } from '../postgres/schema-migrations.js';
import { explainAddressError } from '../postgres/errors.js';
import { DatabaseMisconfigured, DatabaseUnavailable, StartupError } from '../support/errors.js';
import { startEmbeddedPostgres } from '../postgres/bundled/embedded-postgres.js';
import { keepOperatorKeyInFile, showFirstOperatorKey } from './key-files.js';
import { createLog } from './log.js';
import { listenForStop } from './stop-signals.js';

/** Opens the database of an installation: starts the bundled one, or uses DATABASE_URL. */
export interface Installation {
  readonly connection: PoolConfig;
  readonly isBundled: boolean;
  readonly isNew: boolean;
  close(): Promise<void>;
}

export async function openInstallation(
  config: Config,
  log: Logger,
  signal?: AbortSignal,
): Promise<Installation> {
  if (config.databaseUrl !== undefined) {
    const connection = { connectionString: config.databaseUrl };
    return { connection, isBundled: false, isNew: false, close: () => Promise.resolve() };
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    hostPrograms: config.postgresBin,
    maxConnections: config.poolSize + BESIDE_THE_POOL + FOR_ALL_ELSE,
    log: (message) => log.info(message),
    onExit: (reason) => log.error(`PostgreSQL ended unexpectedly (${reason}); restarting it`),
    ...(signal && { signal }),
  });
  return {
    connection: embedded.connection,
    isBundled: true,
    isNew: embedded.isNew,
    close: () => embedded.stop(),
  };
}

/** Connections that each process opens besides its pool. */
const BESIDE_THE_POOL = Object.values(CONNECTIONS).reduce((sum, size) => sum + size, 0);
/** Spare connections for start-up and for the operator. */
const FOR_ALL_ELSE = 50;

const TRY_AGAIN_MS = 250;

/** Migrates the database, waiting while it is unavailable. */
export async function prepareDatabase(
  config: Config,
  installation: Installation,
  log: Logger,
  signal: AbortSignal,
) {
  const once = <T>(work: () => Promise<T>) => untilAvailable(work, log, signal);
  return onPreparingConnection(
    installation,
    async (db) => {
      const migrated = await once(() => migrate(db, { say: (sentence) => log.info(sentence) }));
      await once(() => takeCellNumbers(db, config.cell));
      if (!installation.isBundled)
        for (const advice of await once(() => examinePooler(installation.connection))) log.warn(advice);
      if (config.operatorKey === undefined && installation.isBundled)
        await once(() => keepOperatorKeyInFile(db, config.dataDir, log));
      else if (config.operatorKey === undefined) await once(() => showFirstOperatorKey(db));
      const serverVersion = await once(() => readServerVersion(db));
      /** Whether the database was new, or a first start was interrupted before it held data. */
      const isFirst = installation.isNew || migrated.some((name) => name.startsWith('0001_'));
      return { migrated, serverVersion, isFirst };
    },
    signal,
  );
}

/** A database without time limits, for work before the service is ready. */
async function onPreparingConnection<T>(
  { connection, isBundled }: Installation,
  work: (db: Database) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const db = openDatabase({ connection, poolSize: 1, statementTimeoutMs: 0, workload: 'bulk' });
  const stopWaiting = closeOnAbort(db, signal);
  try {
    return await work(db);
  } catch (error) {
    throw isBundled ? error : explainAddressError(error);
  } finally {
    stopWaiting();
    await db.close();
  }
}

/** Cancels running statements when the service is told to stop. Returns a function that undoes this. */
export function closeOnAbort(db: Database, signal: AbortSignal | undefined): () => void {
  const close = () => void db.close(0);
  if (signal?.aborted === true) close();
  signal?.addEventListener('abort', close, { once: true });
  return () => signal?.removeEventListener('abort', close);
}

async function untilAvailable<T>(work: () => Promise<T>, log: Logger, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailable && !(error instanceof DatabaseMisconfigured);
      if (signal.aborted || !isAway) throw error;
      if (attempt === 1)
        log.warn(`The database is unavailable (${reasonOf(error)}); requests get 503 until it is back`);
      await delay(TRY_AGAIN_MS, undefined, { signal });
    }
  }
}

/** A host with several addresses fails with an AggregateError that has no message of its own. */
function reasonOf({ cause }: DatabaseUnavailable): string {
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  return first instanceof Error ? first.message : String(first);
}

/** Migrates the database without serving requests; with `citus`, distributes the tables of a new one over a cluster. */
export async function migrateInstallation(citus: boolean, say: (sentence: string) => void) {
  // When interrupted, it still stops the bundled PostgreSQL before it exits.
  const signal = listenForStop();
  const installation = await openInstallation(loadConfig(), createLog('silent', false), signal);
  const work = async (db: Database) => ({
    applied: await migrate(db, { say }),
    spread: citus ? await distribute(db) : [],
  });
  try {
    return await onPreparingConnection(installation, work, signal);
  } finally {
    await installation.close();
  }
}

/** What a start would find behind DATABASE_URL, or the error that would stop it. */
export async function examineDatabaseOf(config: Config) {
  const installation = await openInstallation(config, createLog('silent', false));
  try {
    return await onPreparingConnection(installation, async (db) => ({
      serverVersion: await readServerVersion(db),
      /** 0 if the database has no tables yet. */
      schema: await db.withClient(readSchema),
      known: knownSchema(),
      silentNodes: await listSilentNodes(db),
    }));
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    if (error instanceof DatabaseUnavailable) return `The database is unavailable (${reasonOf(error)}).`;
    throw error;
  }
}
