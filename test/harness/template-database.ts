import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.js';
import { administer } from './administer.js';

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
  await migrate(db);
  await db.close();
  project.provide('server', connection);
  project.provide('template', template);
  return async () => {
    await administer(connection, `DROP DATABASE IF EXISTS ${template}`);
    await stop();
  };
}

async function openServer(): Promise<{ connection: pg.PoolConfig; stop: () => Promise<void> }> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url !== undefined) {
    const { hostname, port, username, password, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? hostname;
    const connection = { host, port: Number(port || 5432), user: username, password, database: 'postgres' };
    return { connection, stop: () => Promise.resolve() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'comanda-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const stop = async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { connection: embedded.connection, stop };
}
