import { loadConfig, type Config } from '../config.js';
import { distribute } from '../db/citus-tables.js';
import { readServerVersion } from '../db/database-upkeep.js';
import { migrate } from '../db/migrate.js';
import { knownSchema, readSchema } from '../db/schema-ledger.js';
import { DatabaseUnavailable, StartRefused } from '../domain/errors.js';
import { onPreparingConnection, openInstallation, reasonOf } from './installation.js';
import { createLog } from './log.js';
import { listenForStop } from './stop-signals.js';

interface MigrationReport {
  /** Names of the migrations. */
  readonly applied: readonly string[];
  /** Names of the tables that were spread over the nodes of a cluster. */
  readonly spread: readonly string[];
}

interface MigrateRequest {
  /** Whether the tables of a new installation are spread over the nodes of a cluster. */
  readonly citus: boolean;
  readonly say: (sentence: string) => void;
}

/** Brings the schema up to this version without serving. */
export async function migrateInstallation(
  { citus, say }: MigrateRequest,
  config: Config = loadConfig(),
): Promise<MigrationReport> {
  // Broken off, it still stops the bundled PostgreSQL before it ends.
  const signal = listenForStop();
  const installation = await openInstallation(config, createLog('silent', false), signal);
  try {
    return await onPreparingConnection(
      installation,
      async (db) => ({
        applied: await migrate(db, { say }),
        spread: citus ? await distribute(db) : [],
      }),
      signal,
    );
  } finally {
    await installation.close();
  }
}

interface DatabaseReport {
  readonly serverVersion: string;
  /** Of the database; 0 where it has no tables of the service yet. */
  readonly schema: number;
  /** The newest that this version of the service knows. */
  readonly known: number;
}

/** What a start would find behind DATABASE_URL, or the sentence with which it would refuse to go on. */
export async function examineDatabaseOf(config: Config): Promise<DatabaseReport | string> {
  const installation = await openInstallation(config, createLog('silent', false));
  try {
    return await onPreparingConnection(installation, async (db) => ({
      serverVersion: await readServerVersion(db),
      schema: await db.withClient(readSchema),
      known: knownSchema(),
    }));
  } catch (error) {
    if (error instanceof StartRefused) return error.message;
    if (error instanceof DatabaseUnavailable) return `The database is away (${reasonOf(error)}).`;
    throw error;
  }
}
