import cluster from 'node:cluster';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { listenForStop } from './start/stop-signals.js';
import { runWorker, startWorkers } from './start/workers.js';
import { loadConfig, type Config } from './config.js';
import { provideDemo } from './start/demo-restaurant.js';
import { StartRefused } from './domain/errors.js';
import { newerRelease } from './embedded/platform-package.js';
import { openInstallation, prepareDatabase, type Installation } from './start/installation.js';
import { createLog } from './start/log.js';
import { listenForMetrics } from './start/metrics-listener.js';
import { operatorKeyFile } from './start/operator-key.js';
import { requireOpenFiles } from './start/open-files.js';
import { requireFreePort, serve } from './start/serve.js';
import { refuseOddSecretFile } from './start/secret-key.js';
import { reachableUrl, reportStart } from './start/start-report.js';
import { version } from './version.js';

/** Starts the installation, from its database to its port, and ends it in the opposite order. */
async function run(config: Config, log: Logger): Promise<void> {
  for (const warning of config.warnings) log.warn(warning);
  const signal = listenForStop();
  try {
    await runUntil(signal, config, log);
  } catch (error) {
    // A start that is called off fails in whatever it was doing.
    if (!signal.aborted) throw error;
  }
}

async function runUntil(signal: AbortSignal, config: Config, log: Logger): Promise<void> {
  requireOpenFiles();
  await requireFreePort(config);
  const installation = await openInstallation(config, log, signal);
  try {
    await refuseOddSecretFile(config);
    const front =
      config.workers > 1
        ? await startWorkers(config, installation.connection, log, signal)
        : await serve(config, installation.connection, log);
    try {
      const prepared = await prepareDatabase(config, installation, log, signal);
      const url = reachableUrl(front.url);
      const demo = await provideDemo(config, { ...installation, isNew: prepared.isFirst }, url, log, {
        isTerminal: process.stdout.isTTY,
        signal,
      });
      signal.throwIfAborted();
      front.markReady();
      const metricsListener =
        config.metricsListener && (await listenForMetrics(config.metricsListener, () => front.readMetrics()));
      const database = describeDatabase(
        config,
        { ...installation, isNew: prepared.isFirst },
        prepared.serverVersion,
      );
      const facts = {
        version,
        url,
        database,
        migrated: prepared.migrated,
        demo,
        operatorKeyFile: keyFile(config),
      };
      reportStart(facts, log, process.stdout.isTTY ? process.stdout : undefined);
      await untilAborted(signal);
      await metricsListener?.close();
    } finally {
      log.info('Stopping: answering what has begun');
      await front.drain();
    }
  } finally {
    await installation.close();
  }
}

function describeDatabase(config: Config, { isBundled, isNew }: Installation, serverVersion: string) {
  const place = config.databasePlace ?? join(config.dataDir, 'postgres');
  const programs = isBundled ? config.postgresBin : undefined;
  return {
    serverVersion,
    isBundled,
    isNew,
    place,
    programs,
    newerRelease: isBundled ? newerRelease(serverVersion) : undefined,
  };
}

/** Only a bundled installation that was given no operator key keeps one in a file. */
function keyFile({ databaseUrl, operatorKey, dataDir }: Config): string | undefined {
  return databaseUrl === undefined && operatorKey === undefined ? operatorKeyFile(dataDir) : undefined;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function refuse(error: unknown): void {
  const isOperators = error instanceof StartRefused;
  process.stderr.write(
    `Comanda did not start.\n${isOperators ? error.message : String((error as Error).stack ?? error)}\n`,
  );
  process.exitCode = 1;
  // A worker would otherwise wait for messages of the first process.
  if (cluster.isWorker) process.exit();
}

try {
  const config = loadConfig();
  const log = createLog(config.logLevel, process.stdout.isTTY);
  if (cluster.isWorker) runWorker(config, log);
  else await run(config, log);
} catch (error) {
  refuse(error);
}
