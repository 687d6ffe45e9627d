import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase, type Database } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { distribute } from '../../src/postgres/citus-tables.js';
import { startEmbeddedPostgres } from '../../src/postgres/bundled/embedded-postgres.js';
import { administer } from './administer.js';
import { isOnCitus } from './citus.js';
import { scratchFolder } from './scratch-folder.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** How to reach the server of this run, and the migrated database that each service under test copies. */
    server: pg.PoolConfig;
    template: string;
  }
}

/** Runs once: a PostgreSQL of the run's own, or the one that TEST_DATABASE_URL names, and a migrated database in it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await openServer();
  const template = `comanda_template_${process.pid}`;
  await administer(connection, `CREATE DATABASE ${template}`);
  const db = openDatabase({ connection: { ...connection, database: template }, poolSize: 1 });
  if (isOnCitus) await prepareCitus(db, connection);
  await migrate(db);
  if (isOnCitus) await distribute(db);
  await db.close();
  if (isOnCitus) await closeTemplate(connection, template);
  project.provide('server', connection);
  project.provide('template', template);
  return async () => {
    await administer(connection, `DROP DATABASE IF EXISTS ${template}`);
    await stop();
  };
}

/** One node that has all shards: they are copied with the database, and the planner treats them like all others. */
async function prepareCitus(db: Database, { host, port }: pg.PoolConfig): Promise<void> {
  await db.withClient(async (client) => {
    await client.query('CREATE EXTENSION citus');
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [host, port]);
    await client.query('SELECT citus_set_node_property($1, $2, $3, true)', [host, port, 'shouldhaveshards']);
  });
}

/** Citus keeps a process in each database, and none may be in one that is copied. */
async function closeTemplate(connection: pg.PoolConfig, template: string): Promise<void> {
  await administer(connection, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
  await administer(
    connection,
    `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a WHERE a.datname = '${template}'`,
  );
}

async function openServer(): Promise<{ connection: pg.PoolConfig; stop: () => Promise<void> }> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url !== undefined) {
    const { hostname, port, username, password, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? hostname;
    const connection = { host, port: Number(port || 5432), user: username, password, database: 'postgres' };
    return { connection, stop: () => Promise.resolve() };
  }
  const dataDir = await mkdtemp(join(await scratchFolder(), 'comanda-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const stop = async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { connection: embedded.connection, stop };
}
