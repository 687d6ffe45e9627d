import { loadConfig, type Config } from '../config.js';
import { migrate } from '../db/migrate.js';
import { onPreparingConnection, openInstallation } from './installation.js';
import { createLog } from './log.js';

/** Brings the schema up to this version without serving; returns the names of the migrations it applied. */
export async function migrateInstallation(config: Config = loadConfig()): Promise<string[]> {
  const installation = await openInstallation(config, createLog('silent', false));
  try {
    return await onPreparingConnection(installation, migrate);
  } finally {
    await installation.close();
  }
}
