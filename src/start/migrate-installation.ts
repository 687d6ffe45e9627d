import { loadConfig, type Config } from '../config.js';
import { distribute } from '../db/citus-tables.js';
import { migrate } from '../db/migrate.js';
import { onPreparingConnection, openInstallation } from './installation.js';
import { createLog } from './log.js';

interface MigrationReport {
  /** Names of the migrations. */
  readonly applied: readonly string[];
  /** Names of the tables that were spread over the nodes of a cluster. */
  readonly spread: readonly string[];
}

/** Brings the schema up to this version without serving. */
export async function migrateInstallation(
  { citus }: { readonly citus: boolean },
  config: Config = loadConfig(),
): Promise<MigrationReport> {
  const installation = await openInstallation(config, createLog('silent', false));
  try {
    return await onPreparingConnection(installation, async (db) => ({
      applied: await migrate(db),
      spread: citus ? await distribute(db) : [],
    }));
  } finally {
    await installation.close();
  }
}
