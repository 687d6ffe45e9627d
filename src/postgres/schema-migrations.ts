import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { Conflict, NewerSchema, StartupError } from '../support/errors.js';
import type { Database } from './database.js';

/* The migrations of this version, and those that the database has had. */

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const OLDEST_SERVER = 150_000;

/** A migration, or the SQL functions of this version, which are in a file that is edited in place. */
export interface SchemaFile {
  readonly name: string;
  /** Absent for the functions. */
  readonly number?: number;
  readonly sql: string;
  readonly checksum: string;
}

const FUNCTIONS = 'functions.sql';

/** The migrations in their order, then the functions. */
export async function* readSchemaFiles(folder: URL): AsyncGenerator<SchemaFile> {
  for (const [i, name] of listMigrations(folder).entries())
    yield { ...(await readSchemaFile(folder, name)), number: i + 1 };
  if (existsSync(new URL(FUNCTIONS, folder))) yield readSchemaFile(folder, FUNCTIONS);
}

async function readSchemaFile(folder: URL, name: string): Promise<SchemaFile> {
  const sql = await readFile(new URL(name, folder), 'utf8');
  return { name, sql, checksum: hash('sha256', sql, 'hex') };
}

/** The number of the newest migration that this version of the service knows. */
export function knownSchema(folder = MIGRATIONS): number {
  return listMigrations(folder).length;
}

/** The number of the newest migration that the database has had; 0 where it is new. */
export async function readSchema(client: pg.Client): Promise<number> {
  const table = await client.query<{ is_there: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS is_there`,
  );
  return table.rows[0]?.is_there === true ? (await readApplied(client, 0)).newest : 0;
}

/**
 * The schema number, for work on whole tables. Throws if a newer version has migrated the database: this process may serve on,
 * but its backup would silently lack tables.
 */
export async function requireKnownSchema(client: pg.Client, known: number): Promise<number> {
  const { newest } = await readApplied(client, 0);
  if (newest > known)
    throw new Conflict(
      `A newer version has migrated the database to schema ${newest}, but this process supports only ${known}. Ask a process of that version.`,
    );
  return newest;
}

/**
 * Whether the service can use the database: the schema has everything this version needs, and it accepts writes, unlike a
 * standby. The known migrations are read once, so that a newer version in the same folder or database does not make this one
 * unready.
 */
export function createReadinessCheck(db: Database, folder = MIGRATIONS): () => Promise<boolean> {
  const known = knownSchema(folder);
  return async () => {
    const [row] = await db.read<{ newest: number; is_follower: boolean }>({
      name: 'readiness',
      text: `SELECT coalesce(max(schema_migrations.number), 0) AS newest, pg_is_in_recovery() AS is_follower
             FROM schema_migrations`,
    });
    return row !== undefined && row.newest >= known && !row.is_follower;
  };
}

/** How far a newer version has migrated the database past what this one knows; undefined where it has not. */
export function createNewerSchemaCheck(db: Database) {
  const known = knownSchema();
  return async (cause: unknown) => {
    const [row] = await db.read<{ newest: number }>({
      name: 'newest-schema',
      text: 'SELECT max(schema_migrations.number) AS newest FROM schema_migrations',
    });
    return row !== undefined && row.newest > known
      ? new NewerSchema(row.newest, known, { cause })
      : undefined;
  };
}

/** A text that changes with the migrations, tables, columns and functions of the database. */
export async function readSchemaState(db: Database): Promise<string> {
  const [row] = await db.read<{ state: string }>({
    name: 'schema-state',
    text: `SELECT md5(concat_ws(' ',
               (SELECT coalesce(max(schema_migrations.number), 0) FROM schema_migrations),
               (SELECT string_agg(concat_ws(' ', a.attrelid, a.attname, a.atttypid, a.attnotnull, a.atthasdef), ',' ORDER BY a.attrelid, a.attnum)
                FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
                WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped),
               (SELECT string_agg(concat_ws(' ', p.oid, p.proname, md5(p.prosrc)), ',' ORDER BY p.oid)
                FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace))) AS state`,
  });
  return row?.state ?? '';
}

function listMigrations(folder: URL): string[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort();
  const odd = names.find((name, i) => Number(name.slice(0, 4)) !== i + 1);
  if (odd !== undefined)
    throw new StartupError(`The migration ${odd} is out of sequence. Reinstall the service.`);
  return names;
}

/**
 * Checksums of earlier texts, which databases made before 0.2.0 was released may hold. They made the same schema as the
 * migrations of today, but blocked or refused writers for a while, or failed on Citus.
 */
const EARLIER_TEXTS = new Set([
  'a8f1c9cf92856541b066d6392ee303db9bd495f7188a6c03f439b43a8e485e4d',
  '95ac22f25cf1367c212e13dca010f99c6fd2e5a3bcb5105ca71f2a58ee6c82c2',
  'd77994ee6fcd53b58a58c0bbf08116d75ad23ef63cdaa9670b2ab0b20af3f704',
  '492d07386d718c7b1852c8399fc98866f79c8bef5c8462c2d542375e65547e33',
  '15015a64e124794b188bf8bf0d2cd03bd2ad2efadb8f962da39a332481163a52',
  '44d24a000f138ede9e0c06ee226efc0b86be26d6303f85c60f22bbe45b3f1edd',
  '2bb2ffd18d0b6ca056762fd4048f795ccba623acb91bc40a650c399ea79eb43e',
  'fe16aa6ea6fb4309d404fb9bd515e7a779414254988bc879296216530ef03b85',
  'eba59e898fe2ea4107865615bc3a4ea2ce510aa2278a6366ca5201163d6775b6',
  '4f3c68ca91e02a2e1aa4900868c812b148dc83d2d2ff36b8222f0b4fd0b99a5a',
]);

/**
 * Whether the database has had this file. Rejects a database newer than the service, and a migration that was applied with a
 * different text. Of the functions, it may have had newer ones since: a replica of an older version that starts during an upgrade
 * must not put its own back, because newer replicas send what the older functions would ignore.
 */
export async function isKnown(client: pg.Client, file: SchemaFile, newestKnown: number): Promise<boolean> {
  if (file.number === 1) await prepareTables(client);
  const { newest, checksum } = await readApplied(client, file.number ?? 0);
  if (newest > newestKnown)
    throw new StartupError(
      `The database has schema ${newest}, but this version supports only ${newestKnown}. ` +
        'Run the newer version that migrated it, or restore a backup into another database.',
    );
  if (file.number === undefined) {
    const had = await client.query('SELECT FROM schema_functions f WHERE f.checksum = $1', [file.checksum]);
    return had.rowCount === 1;
  }
  if (newest < file.number) return false;
  if (checksum === file.checksum || EARLIER_TEXTS.has(checksum ?? '')) return true;
  throw new StartupError(
    `migrations/${file.name} differs from what was applied to this database. Put the released file back ` +
      '(`git checkout -- migrations`, or reinstall the service), and make changes in a new migration.',
  );
}

export async function recordApplied(
  client: pg.Client,
  { number, name, checksum }: SchemaFile,
): Promise<void> {
  if (number === undefined)
    await client.query('INSERT INTO schema_functions (checksum, applied_at) VALUES ($1, clock_timestamp())', [
      checksum,
    ]);
  else
    await client.query(
      'INSERT INTO schema_migrations (number, name, applied_at, checksum) VALUES ($1, $2, clock_timestamp(), $3)',
      [number, name, checksum],
    );
}

async function prepareTables(client: pg.Client): Promise<void> {
  const version = await client.query<{ number: number; text: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS text`,
  );
  const [server] = version.rows;
  if (server === undefined || server.number < OLDEST_SERVER) {
    throw new StartupError(`PostgreSQL ${server?.text ?? ''} is too old. Version 15 or later is required.`);
  }
  const encoding = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  if (encoding.rows[0]?.server_encoding !== 'UTF8') {
    throw new StartupError('The encoding of the database is not UTF8. Create it with ENCODING UTF8.');
  }
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL, checksum text);
    CREATE TABLE IF NOT EXISTS schema_functions (checksum text PRIMARY KEY, applied_at timestamptz NOT NULL)`);
}

interface Applied {
  readonly newest: number;
  /** Checksum of the migration in question. */
  readonly checksum: string | null;
}

async function readApplied(client: pg.Client, number: number): Promise<Applied> {
  const result = await client.query<Applied>(
    `SELECT coalesce(max(m.number), 0) AS newest, max(m.checksum) FILTER (WHERE m.number = $1) AS checksum
     FROM schema_migrations m`,
    [number],
  );
  return result.rows[0] ?? { newest: 0, checksum: null };
}
