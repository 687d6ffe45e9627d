import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer, type AddressInfo } from 'node:net';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { buildApp } from '../app.js';
import type { Config } from '../config.js';
import { openDatabase } from '../db/database.js';
import { StartRefused } from '../domain/errors.js';
import type { Limits } from '../domain/limits.js';
import { tidyRegularly } from '../operations/tidying.js';
import { connectionsWithin } from './open-files.js';
import { createWebhooks } from './webhooks.js';

export interface Serving {
  readonly url: string;
  readonly metrics: Registry;
  /** The text of /metrics. */
  readMetrics(): Promise<string>;
  /** From now on requests reach the database; before, they are told to come back. */
  markReady(): void;
  /** Answers what has begun, refuses what has not, and ends. */
  drain(): Promise<void>;
}

/** One process that answers requests: pool, app, port. */
export async function serve(
  config: Config,
  connection: PoolConfig,
  log: Logger,
  readClusterMetrics?: () => Promise<string>,
): Promise<Serving> {
  const readiness = { isReady: false };
  const metrics = new Registry();
  const readMetrics = readClusterMetrics ?? (() => metrics.metrics());
  const db = openDatabase({
    connection,
    poolSize: config.poolSize,
    onIdleError: ({ message }) => log.warn(`A database connection was lost: ${message}`),
  });
  const webhooks = createWebhooks({ config, db, log, metrics });
  const app = buildApp({
    db,
    webhooks: webhooks.tools,
    limits: limitsPerProcess(config),
    log,
    operatorKey: config.operatorKey,
    dataFolder: config.databaseUrl === undefined ? config.dataDir : undefined,
    metricsToken: config.metricsToken,
    corsOrigins: config.corsOrigins,
    logsAccess: config.logsAccess,
    mostConnections: connectionsWithin(config.poolSize),
    readiness,
    metrics,
    readMetrics,
  });
  const address = await app.listen(config.host, config.port).catch(async (error: unknown) => {
    await app.close();
    await db.close();
    throw explainListenError(error, config);
  });
  const stopTidying = tidyRegularly(db, config.eventDays, (error) =>
    log.warn({ err: error }, 'Not all that is over could be removed; it is tried again in ten minutes'),
  );
  return {
    url: urlOf(address),
    metrics,
    readMetrics,
    markReady: () => {
      readiness.isReady = true;
      webhooks.begin();
    },
    drain: async () => {
      stopTidying();
      app.announceEnd();
      // Nobody sends requests to a service that was never ready.
      if (readiness.isReady) await delay(config.drainSeconds * 1000);
      await Promise.all([app.close(), webhooks.stop()]);
      await webhooks.handOver();
      await db.close();
    },
  };
}

/** Each of several processes lets through its part, so that together they keep to what is set. */
function limitsPerProcess({ limits, workers }: Config): Limits {
  const { requestsPerSecond: rate, menuPostsPerMinute: posts } = limits;
  return {
    ...limits,
    requestsPerSecond: rate === 'off' ? 'off' : rate / workers,
    requestBurst: Math.max(1, limits.requestBurst / workers),
    menuPostsPerMinute: posts === 'off' ? 'off' : Math.max(1, posts / workers),
  };
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Finds a taken port before a new database is made for nothing. */
export async function requireFreePort(config: Config): Promise<void> {
  const probe = createServer().listen(config.port, config.host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw explainListenError(error, config);
  }
  probe.close();
  await once(probe, 'close');
}

function explainListenError(error: unknown, { host, port }: Config): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartRefused(
        `PORT ${port} on ${host} is in use by another program. Stop that one, or set PORT to a free port.`,
      );
    case 'EACCES':
      return new StartRefused(`PORT ${port} needs rights that this user lacks. Set PORT to 1024 or more.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartRefused(
        `HOST ${host} is no address of this machine. Set HOST to one, or to 127.0.0.1.`,
      );
    default:
      return error;
  }
}
