import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { buildApp } from './app.js';
import { API_TITLE } from './api-descriptions.js';
import type { Config } from './config.js';
import { openDatabase } from './postgres/database.js';
import { StartupError } from './support/errors.js';
import { throttle } from './support/throttle.js';
import { cleanUpRegularly } from './upkeep/cleanup.js';
import { startClock } from './upkeep/scheduled-work.js';
import { reachableUrl } from './start/start-report.js';
import { createWebhooks } from './start/webhooks.js';

/** One serving process: pool, app, port. */
export async function serve(config: Config, connection: PoolConfig, log: Logger) {
  const readiness = { isReady: false };
  const metrics = new Registry();
  const db = openDatabase({
    connection,
    poolSize: config.poolSize,
    onIdleError: ({ message }) => log.warn(`A database connection was lost: ${message}`),
  });
  const webhooks = createWebhooks({ config, db, log, metrics });
  const app = buildApp({
    ...config,
    db,
    webhooks: webhooks.tools,
    log,
    dataFolder: config.databaseUrl === undefined ? config.dataDir : undefined,
    mostConnections: connectionsWithin(config.poolSize),
    readiness,
    metrics,
  });
  const address = await app.listen(config.host, config.port).catch(async (error: unknown) => {
    await app.close();
    await db.close();
    throw await explainListenError(error, config);
  });
  const stopCleanup = cleanUpRegularly(db, config, (error) =>
    log.warn({ err: error }, 'The cleanup is incomplete; the next one runs in ten minutes'),
  );
  const reportLateClock = throttle((error: unknown) =>
    log.warn({ err: error }, 'What is due could not be done; the next try is in two seconds'),
  );
  let stopClock = (): void => undefined;
  return {
    url: urlOf(address),
    /** Lets requests reach the database; until then they get 503. */
    markReady: () => {
      readiness.isReady = true;
      webhooks.begin();
      stopClock = startClock(db, [app.runDuePublications], reportLateClock);
    },
    /** Finishes requests in progress, rejects new ones, and ends. */
    drain: async () => {
      stopCleanup();
      stopClock();
      app.announceEnd();
      // A service that was never ready has no requests to drain.
      const isBalanced = readiness.isReady && (!config.drainsForProxy || app.hasSeenProxy());
      if (isBalanced) await delay(config.drainSeconds * 1000);
      await Promise.all([app.close(), webhooks.stop()]);
      await webhooks.releaseAll();
      await db.close();
    },
  };
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Detects a port in use before a new database is created. */
export async function requireFreePort(config: Config): Promise<void> {
  const probe = createServer().listen(config.port, config.host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw await explainListenError(error, config);
  }
  probe.close();
  await once(probe, 'close');
}

async function explainListenError(error: unknown, { host, port }: Config): Promise<unknown> {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartupError(
        (await isComandaOn(host, port))
          ? `PORT ${port} on ${host} is in use: Comanda is already running there. Use that one, stop it, or set PORT to a free port.`
          : `PORT ${port} on ${host} is in use by another program. Stop that program, or set PORT to a free port.`,
      );
    case 'EACCES':
      return new StartupError(`This user may not listen on PORT ${port}. Set PORT to 1024 or more.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(
        `HOST ${host} is not an address of this machine. Set HOST to one, such as 127.0.0.1.`,
      );
    default:
      return error;
  }
}

/** Whether the program on a port shows Comanda's own API document. */
async function isComandaOn(host: string, port: number): Promise<boolean> {
  try {
    const url = reachableUrl(`http://${isIPv6(host) ? `[${host}]` : host}:${port}/openapi.json`);
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const document = (await answer.json()) as { info?: { title?: unknown } } | null;
    return document?.info?.title === API_TITLE;
  } catch {
    return false;
  }
}

/** File descriptors for threads (a hundred modules each at start), side pools, webhooks and files. */
const BESIDE_CONNECTIONS = 300;
const LEAST = 512;

/** Most client connections that leave enough file descriptors for everything else; unlimited if the system reports no limit. */
function connectionsWithin(poolSize: number): number {
  const most = mostOpenFiles();
  return Math.max(most - poolSize - BESIDE_CONNECTIONS, Math.floor(most / 4));
}

export function requireOpenFiles(): void {
  const most = mostOpenFiles();
  if (most >= LEAST) return;
  throw new StartupError(
    `The limit on open files is ${most}, connections included, but the service needs at least ${LEAST}. ` +
      'Raise it (ulimit -n, or LimitNOFILE in a systemd unit), then start again.',
  );
}

/** Only Linux reports it; elsewhere Node raises it as far as allowed. */
function mostOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
