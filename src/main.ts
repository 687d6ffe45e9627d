import { once } from 'node:events';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { loadConfig, type Config } from './config.js';
import { StartupError } from './support/errors.js';
import { provideDemo } from './start/demo-restaurant.js';
import { openInstallation, prepareDatabase, type Installation } from './start/installation.js';
import { operatorKeyFile, refuseOddSecretFile } from './start/key-files.js';
import { createLog } from './start/log.js';
import { requireFreePort, requireOpenFiles, serve } from './serve.js';
import { reachableUrl, reportStart } from './start/start-report.js';
import { listenForStop } from './start/stop-signals.js';
import { version } from './support/version.js';

/** Starts the installation, from database to port, and stops it in reverse order. */
async function run(config: Config, log: Logger): Promise<void> {
  for (const warning of config.warnings) log.warn(warning);
  const signal = listenForStop();
  try {
    await runUntil(signal, config, log);
  } catch (error) {
    // A cancelled start fails in whatever it was doing.
    if (!signal.aborted) throw error;
  }
}

async function runUntil(signal: AbortSignal, config: Config, log: Logger): Promise<void> {
  requireOpenFiles();
  await requireFreePort(config);
  const installation = await openInstallation(config, log, signal);
  try {
    await refuseOddSecretFile(config);
    const front = await serve(config, installation.connection, log);
    try {
      const prepared = await prepareDatabase(config, installation, log, signal);
      const found = { ...installation, isNew: prepared.isFirst };
      const url = reachableUrl(front.url);
      const demo = await provideDemo(config, found, url, log, {
        isTerminal: process.stdout.isTTY,
        signal,
      });
      signal.throwIfAborted();
      front.markReady();
      const facts = {
        version,
        url,
        database: describeDatabase(config, found, prepared.serverVersion),
        // A new database has no history that a person could want to know.
        migrated: prepared.isFirst ? [] : prepared.migrated,
        demo,
        operatorKeyFile: keyFile(config),
      };
      reportStart(facts, log, showsText(config) ? process.stdout : undefined);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      log.info('Stopping: finishing requests in progress');
      await front.drain();
    }
  } finally {
    await installation.close();
  }
}

function describeDatabase(config: Config, { isBundled, isNew }: Installation, serverVersion: string) {
  const place = config.databasePlace ?? join(config.dataDir, 'postgres');
  return {
    serverVersion,
    isBundled,
    isNew,
    place,
    programs: isBundled ? config.postgresBin : undefined,
  };
}

/** Only a bundled installation without a configured operator key keeps one in a file. */
function keyFile({ databaseUrl, operatorKey, dataDir }: Config): string | undefined {
  return databaseUrl === undefined && operatorKey === undefined ? operatorKeyFile(dataDir) : undefined;
}

function showsText({ logFormat }: Config): boolean {
  return (logFormat ?? (process.stdout.isTTY ? 'text' : 'json')) === 'text';
}

function refuse(error: unknown): void {
  const isOperators = error instanceof StartupError;
  process.stderr.write(
    `Comanda did not start.\n${isOperators ? error.message : String((error as Error).stack ?? error)}\n`,
  );
  process.exitCode = 1;
}

try {
  const config = loadConfig();
  await run(config, createLog(config.logLevel, showsText(config)));
} catch (error) {
  refuse(error);
}
