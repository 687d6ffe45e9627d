import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { Conflict, StartRefused } from '../domain/errors.js';
import type { Database } from './database.js';

/* Which migrations this version of the service brings, and which of them the database has had. */

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const OLDEST_SERVER = 150_000;

interface Migration {
  readonly number: number;
  readonly name: string;
}

/** A migration with its text. */
export interface ReadMigration extends Migration {
  readonly sql: string;
  readonly checksum: string;
}

/** In their order. */
export async function* readMigrations(folder: URL): AsyncGenerator<ReadMigration> {
  for (const migration of listMigrations(folder)) {
    const sql = await readFile(new URL(migration.name, folder), 'utf8');
    yield { ...migration, sql, checksum: hash('sha256', sql, 'hex') };
  }
}

/** The number of the newest migration that this version of the service knows. */
export function knownSchema(folder = MIGRATIONS): number {
  return listMigrations(folder).length;
}

/** The number of the newest migration that the database has had; 0 where it is new. */
export async function readSchema(client: pg.ClientBase): Promise<number> {
  const table = await client.query<{ is_there: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS is_there`,
  );
  return table.rows[0]?.is_there === true ? (await readLedger(client, 0)).newest : 0;
}

/**
 * The same for work on whole tables, which only a process may do that knows them all: one that a newer version has overtaken
 * serves on, but what it took out would lack tables, and look complete.
 */
export async function requireKnownSchema(client: pg.ClientBase, known: number): Promise<number> {
  const { newest } = await readLedger(client, 0);
  if (newest > known)
    throw new Conflict(
      `A newer version has migrated the database to schema ${newest}, and this process knows only ${known}: ask one of that version.`,
    );
  return newest;
}

/**
 * Answers whether the service can work on the database: its schema has all that this version knows, and it takes writes,
 * which one that follows another or was demoted does not. What the version knows is settled here, once: a newer one that
 * is laid into the same folder, or that migrates the same database, does not make it unready.
 */
export function createReadinessCheck(db: Database, folder = MIGRATIONS): () => Promise<boolean> {
  const known = knownSchema(folder);
  return async () => {
    const [row] = await db.query<{ newest: number; is_follower: boolean }>({
      name: 'readiness',
      text: `SELECT coalesce(max(schema_migrations.number), 0) AS newest, pg_is_in_recovery() AS is_follower
             FROM schema_migrations`,
      repeatable: true,
    });
    return row !== undefined && row.newest >= known && !row.is_follower;
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

/** Refuses a database that is newer than the service, and a migration that was applied with another text. */
export async function isKnown(
  client: pg.PoolClient,
  migration: ReadMigration,
  newestKnown: number,
): Promise<boolean> {
  if (migration.number === 1) await prepareLedger(client);
  const { newest, checksum } = await readLedger(client, migration.number);
  if (newest > newestKnown) {
    throw new StartRefused(
      `The database has schema ${newest}, and this version of the service knows only ${newestKnown}. ` +
        'Run the newer version that migrated it, or restore a backup into another database.',
    );
  }
  if (newest < migration.number) return false;
  await compareChecksum(client, migration, checksum);
  return true;
}

export async function recordApplied(
  client: pg.PoolClient,
  migration: Migration & { readonly checksum: string },
): Promise<void> {
  await client.query(
    'INSERT INTO schema_migrations (number, name, applied_at, checksum) VALUES ($1, $2, clock_timestamp(), $3)',
    [migration.number, migration.name, migration.checksum],
  );
}

/** A migration that was applied before checksums were kept gets its own now. */
async function compareChecksum(
  client: pg.PoolClient,
  { number, name, checksum }: ReadMigration,
  recorded: string | null,
): Promise<void> {
  if (recorded === checksum) return;
  if (recorded !== null) {
    throw new StartRefused(
      `migrations/${name} is not the text that was applied to this database: put the released file back ` +
        '(`git checkout -- migrations`, or install the service again), and bring changes in a migration of their own.',
    );
  }
  await client.query('UPDATE schema_migrations SET checksum = $2 WHERE schema_migrations.number = $1', [
    number,
    checksum,
  ]);
}

async function prepareLedger(client: pg.PoolClient): Promise<void> {
  const version = await client.query<{ number: number; text: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS text`,
  );
  const [server] = version.rows;
  if (server === undefined || server.number < OLDEST_SERVER) {
    throw new StartRefused(`PostgreSQL ${server?.text ?? ''} is too old; version 15 or later is needed.`);
  }
  const encoding = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  if (encoding.rows[0]?.server_encoding !== 'UTF8') {
    throw new StartRefused('The database is not encoded in UTF8; create it with ENCODING UTF8.');
  }
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL, checksum text)`,
  );
  const column = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass AND attname = 'checksum'`,
  );
  // Asked first, because the replicas that serve would have to wait for even an addition that changes nothing.
  if (column.rowCount === 0) await client.query('ALTER TABLE schema_migrations ADD COLUMN checksum text');
}

interface Ledger {
  readonly newest: number;
  /** Of the one migration asked about; null where none was kept. */
  readonly checksum: string | null;
}

async function readLedger(client: pg.ClientBase, number: number): Promise<Ledger> {
  const result = await client.query<Ledger>(
    `SELECT coalesce(max(m.number), 0) AS newest, max(m.checksum) FILTER (WHERE m.number = $1) AS checksum
     FROM schema_migrations m`,
    [number],
  );
  return result.rows[0] ?? { newest: 0, checksum: null };
}
