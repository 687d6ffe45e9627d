import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, inject } from 'vitest';
import { buildApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { openDatabase, type Database } from '../../src/postgres/database.js';
import type { Limits } from '../../src/support/limits.js';
import { createWebhooks } from '../../src/start/webhooks.js';
import { administer } from './administer.js';
import { holdToDocuments } from './documented.js';

export interface Service {
  readonly url: string;
  readonly operatorKey: string;
  readonly db: Database;
  readonly connection: pg.PoolConfig;
  /** Another process's worth of service on the same database; it ends with this one, or before. */
  replica(limits?: Partial<Limits>): Promise<Service>;
  /** What the clock of a process does every two seconds. */
  readonly runDuePublications: () => Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Whether it sends webhooks, which may then go to the loopback. */
  readonly delivers?: boolean;
  readonly secretKey?: string;
  /** Whether assistants may connect. Default: yes. */
  readonly servesAgents?: boolean;
}

/** A service on a port and a database of its own, with the default limits but for the rate. */
export async function startService(
  limits: Partial<Limits> = {},
  options: ServiceOptions = {},
): Promise<Service> {
  const { connection, drop } = await createDatabase(inject('template'));
  return startOn(connection, limits, drop, options);
}

/** A service for all tests of a file: it ends with the last of them. */
export async function useService(...how: Parameters<typeof startService>): Promise<Service> {
  const service = await startService(...how);
  afterAll(() => service.stop());
  return service;
}

/** A database of the test's own: empty, or a copy of a template. */
export async function createDatabase(
  template = 'template0',
): Promise<{ connection: pg.PoolConfig; drop: () => Promise<void> }> {
  const server = inject('server');
  const database = `comanda_${randomUUID().replaceAll('-', '')}`;
  // As files: through the log, as is usual, a copy takes three times the work.
  await administer(
    server,
    `CREATE DATABASE ${database} ENCODING 'UTF8' TEMPLATE ${template} STRATEGY file_copy`,
  );
  const drop = () => administer(server, `DROP DATABASE ${database} WITH (FORCE)`);
  return { connection: { ...server, database }, drop };
}

const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';

export async function startOn(
  connection: pg.PoolConfig,
  limits: Partial<Limits>,
  cleanUp: () => Promise<void>,
  options: ServiceOptions = {},
): Promise<Service> {
  const config = loadConfig({
    COMANDA_RATE_LIMIT: 'off',
    COMANDA_WEBHOOK_ALLOW: '127.0.0.0/8',
    COMANDA_SECRET_KEY: options.secretKey ?? 'secret-key-for-tests-0123456789abcdef',
  });
  const db = openDatabase({ connection, poolSize: 5 });
  const metrics = new Registry();
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
  const webhooks = createWebhooks({ config, db, log, metrics });
  if (options.delivers === true) webhooks.begin();
  const app = buildApp({
    ...config,
    db,
    limits: { ...config.limits, ...limits },
    log,
    webhooks: webhooks.tools,
    operatorKey: OPERATOR_KEY,
    dataFolder: undefined,
    metricsToken: 'metrics-token-for-tests-0123456789',
    corsOrigins: ['https://till.example'],
    servesAgents: options.servesAgents ?? config.servesAgents,
    readiness: { isReady: true },
    metrics,
  });
  const { port } = await app.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  await holdToDocuments(url, limits);
  const replicas: Service[] = [];
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await Promise.all([app.close(), webhooks.stop()]);
    await db.close();
    await cleanUp();
  };
  return {
    url,
    operatorKey: OPERATOR_KEY,
    db,
    connection,
    replica: async (own = limits) => {
      const replica = await startOn(connection, own, () => Promise.resolve(), options);
      replicas.push(replica);
      return replica;
    },
    runDuePublications: app.runDuePublications,
    stop: () => (stopped ??= stop()),
  };
}
