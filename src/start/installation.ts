import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { explainAddressError } from '../db/setup-errors.js';
import { takeCellNumbers } from '../db/cell-numbers.js';
import { openDatabase, type Database } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { SLOW_SEARCHES } from '../db/orders/list-orders.js';
import { examinePooler } from '../db/examine-pooler.js';
import { readServerVersion } from '../db/database-upkeep.js';
import { DELIVERY_CONNECTIONS } from '../delivery/delivery.js';
import { DatabaseMisconfigured, DatabaseUnavailable } from '../domain/errors.js';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { KEY_CHECKS } from '../http/authentication.js';
import { BACKUPS_AT_ONCE } from '../operations/backup/backups.js';
import { CHUNKS_AT_ONCE } from '../operations/orders/import-orders.js';
import { keepOperatorKeyInFile, showFirstOperatorKey } from './operator-key.js';

/** The database of an installation: the bundled one, started here, or the one that DATABASE_URL names. */
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
    maxConnections: connectionsOf(config),
    log: (message) => log.info(message),
    onExit: (reason) => log.error(`The bundled PostgreSQL ended: ${reason}`),
    ...(signal && { signal }),
  });
  return {
    connection: embedded.connection,
    isBundled: true,
    isNew: embedded.isNew,
    close: () => embedded.stop(),
  };
}

/** What each process opens beside its pool. */
const BESIDE_THE_POOL = KEY_CHECKS + DELIVERY_CONNECTIONS + CHUNKS_AT_ONCE + BACKUPS_AT_ONCE + SLOW_SEARCHES;
/** For the start itself, and for whoever looks into the database. */
const FOR_ALL_ELSE = 50;

function connectionsOf({ workers, poolSize }: Config): number {
  return workers * (poolSize + BESIDE_THE_POOL) + FOR_ALL_ELSE;
}

export interface Prepared {
  /** Names of the migrations that this start applied. */
  readonly migrated: readonly string[];
  readonly serverVersion: string;
  /** The database was new, or a first start had been cut short before it could hold anything. */
  readonly isFirst: boolean;
}

const TRY_AGAIN_MS = 250;

/** Brings the database to this version of the service, waiting for it as long as it is away. */
export async function prepareDatabase(
  config: Config,
  installation: Installation,
  log: Logger,
  signal: AbortSignal,
): Promise<Prepared> {
  return onPreparingConnection(
    installation,
    async (db) => {
      const migrated = await untilAvailable(
        () => migrate(db, { say: (sentence) => log.info(sentence) }),
        log,
        signal,
      );
      await untilAvailable(() => takeCellNumbers(db, config.cell), log, signal);
      if (!installation.isBundled)
        for (const advice of await untilAvailable(() => examinePooler(installation.connection), log, signal))
          log.warn(advice);
      await untilAvailable(() => provideOperatorKey(db, config, installation, log), log, signal);
      const serverVersion = await untilAvailable(() => readServerVersion(db), log, signal);
      const isFirst = installation.isNew || migrated.some((name) => name.startsWith('0001_'));
      return { migrated, serverVersion, isFirst };
    },
    signal,
  );
}

/** For work before the service serves, which may take any time. */
export async function onPreparingConnection<T>(
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

/** Breaks off at once what the database is doing when the service is told to end; undone by what it returns. */
export function closeOnAbort(db: Database, signal: AbortSignal | undefined): () => void {
  const close = () => void db.close(0);
  if (signal?.aborted === true) close();
  signal?.addEventListener('abort', close, { once: true });
  return () => signal?.removeEventListener('abort', close);
}

async function provideOperatorKey(
  db: Database,
  config: Config,
  installation: Installation,
  log: Logger,
): Promise<void> {
  if (config.operatorKey !== undefined) return;
  if (installation.isBundled) await keepOperatorKeyInFile(db, config.dataDir, log);
  else await showFirstOperatorKey(db);
}

async function untilAvailable<T>(work: () => Promise<T>, log: Logger, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailable && !(error instanceof DatabaseMisconfigured);
      if (signal.aborted || !isAway) throw error;
      if (attempt === 1)
        log.warn(`The database is away (${reasonOf(error)}); the service answers 503 until it is back`);
      await delay(TRY_AGAIN_MS, undefined, { signal });
    }
  }
}

/** A host with several addresses fails with one error for each, and no words of its own. */
export function reasonOf({ cause }: DatabaseUnavailable): string {
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  return first instanceof Error ? first.message : String(first);
}
