import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { StartRefused } from '../domain/errors.js';
import { lockFor } from './advisory-locks.js';
import type { Database, Transaction } from './database.js';

const FOLDER = new URL('../../migrations/', import.meta.url);
const OLDEST_SERVER = 150_000;

interface Migration {
  readonly number: number;
  readonly name: string;
}

/** Brings the schema up to this version of the service; returns the names of what was applied. It may take any time. */
export async function migrate(db: Database): Promise<string[]> {
  const migrations = listMigrations(FOLDER);
  const applied: string[] = [];
  for (const migration of migrations) {
    const sql = await readFile(new URL(migration.name, FOLDER), 'utf8');
    if (await db.transaction((tx) => applyInTurn(tx, migration, sql, migrations.length)))
      applied.push(migration.name);
  }
  return applied;
}

/**
 * Answers whether the schema has all that this version of the service knows. What it knows is settled here, once: a
 * newer version that is laid into the same folder, or that migrates the same database, does not make it unready.
 */
export function createSchemaCheck(db: Database, folder = FOLDER): () => Promise<boolean> {
  const known = listMigrations(folder).length;
  return async () => {
    const [row] = await db.query<{ newest: number }>({
      name: 'schema_newest',
      text: 'SELECT coalesce(max(schema_migrations.number), 0) AS newest FROM schema_migrations',
      repeatable: true,
    });
    return row !== undefined && row.newest >= known;
  };
}

function listMigrations(folder: URL): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort();
  return names.map((name, at) => {
    const number = Number(name.slice(0, 4));
    if (number !== at + 1)
      throw new StartRefused(`The migration ${name} is out of sequence; reinstall the service.`);
    return { number, name };
  });
}

async function applyInTurn(
  tx: Transaction,
  migration: Migration,
  sql: string,
  newestKnown: number,
): Promise<boolean> {
  await tx.client.query('SET LOCAL statement_timeout = 0');
  await lockFor(tx.client, 'migration');
  if (migration.number === 1) await prepareLedger(tx);
  const newest = await newestApplied(tx);
  if (newest > newestKnown) {
    throw new StartRefused(
      `The database has schema ${newest}, and this version of the service knows only ${newestKnown}. ` +
        'Run the newer version that migrated it, or restore a backup into another database.',
    );
  }
  if (newest >= migration.number) return false;
  await tx.client.query(sql);
  await tx.client.query(
    'INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, clock_timestamp())',
    [migration.number, migration.name],
  );
  return true;
}

async function prepareLedger(tx: Transaction): Promise<void> {
  const version = await tx.client.query<{ number: number; text: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS text`,
  );
  const [server] = version.rows;
  if (server === undefined || server.number < OLDEST_SERVER) {
    throw new StartRefused(`PostgreSQL ${server?.text ?? ''} is too old; version 15 or later is needed.`);
  }
  const encoding = await tx.client.query<{ server_encoding: string }>('SHOW server_encoding');
  if (encoding.rows[0]?.server_encoding !== 'UTF8') {
    throw new StartRefused('The database is not encoded in UTF8; create it with ENCODING UTF8.');
  }
  await tx.client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL)`,
  );
}

async function newestApplied(tx: Transaction): Promise<number> {
  const result = await tx.client.query<{ newest: number }>(
    'SELECT coalesce(max(schema_migrations.number), 0) AS newest FROM schema_migrations',
  );
  return result.rows[0]?.newest ?? 0;
}
