import { loadConfig, type Config } from './config.js';
import { explainAddressError } from './db/address-errors.js';
import { openDatabase } from './db/database.js';
import { migrate } from './db/migrate.js';
import { openInstallation } from './installation.js';
import { createLog } from './log.js';

/** Brings the schema up to this version without serving; returns the names of the migrations it applied. */
export async function migrateInstallation(config: Config = loadConfig()): Promise<string[]> {
  const installation = await openInstallation(config, createLog('silent', false));
  try {
    const db = openDatabase({ connection: installation.connection, poolSize: 1, statementTimeoutMs: 0 });
    try {
      return await migrate(db);
    } catch (error) {
      throw explainAddressError(error);
    } finally {
      await db.close();
    }
  } finally {
    await installation.close();
  }
}
