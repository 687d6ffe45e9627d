import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StartRefused } from '../domain/errors.js';
import { tryLockSession, tryLockFor } from './advisory-locks.js';
import type { Database } from './database.js';
import { distribute, isDistributed } from './citus-tables.js';

const FOLDER = new URL('../../migrations/', import.meta.url);
const OLDEST_SERVER = 150_000;
/**
 * The first line of a migration whose steps run one by one, each for itself, such as CREATE INDEX CONCURRENTLY, which lets
 * writers go on. It may be cut short and begun again, so each step must be one that can: DROP INDEX CONCURRENTLY IF EXISTS
 * before CREATE. Steps end with a semicolon at the end of a line.
 */
const OUTSIDE = '-- outside a transaction\n';
const TRY_AGAIN_MS = 100;

interface Migration {
  readonly number: number;
  readonly name: string;
}

/** A migration with its text. */
interface ReadMigration extends Migration {
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Brings the schema up to this version of the service; returns the names of what was applied. It may take any time. A
 * migration that was applied with another text is refused: nobody knows what the schema then is.
 */
export async function migrate(db: Database, folder = FOLDER): Promise<string[]> {
  const migrations = listMigrations(folder);
  const applied: string[] = [];
  for (const migration of migrations) {
    const sql = await readFile(new URL(migration.name, folder), 'utf8');
    const read = { ...migration, sql, checksum: hash('sha256', sql, 'hex') };
    const apply = sql.startsWith(OUTSIDE)
      ? () => db.withClient((client) => applyOutside(client, read, migrations.length))
      : () => db.transaction((tx) => applyInside(tx.client, read, migrations.length));
    if (await inTurn(apply)) applied.push(migration.name);
  }
  // New tables follow the others before they have rows.
  if (applied.length > 0 && (await isDistributed(db))) await distribute(db);
  return applied;
}

/**
 * Answers whether the service can work on the database: its schema has all that this version knows, and it takes writes,
 * which one that follows another or was demoted does not. What the version knows is settled here, once: a newer one that
 * is laid into the same folder, or that migrates the same database, does not make it unready.
 */
export function createReadinessCheck(db: Database, folder = FOLDER): () => Promise<boolean> {
  const known = listMigrations(folder).length;
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

type Outcome = 'applied' | 'known' | 'another is at it';

/**
 * Waits for other replicas that migrate, without a transaction: an index that is made beside the writers is ready only when
 * every transaction that began before has ended.
 */
async function inTurn(apply: () => Promise<Outcome>): Promise<boolean> {
  for (;;) {
    const outcome = await apply();
    if (outcome !== 'another is at it') return outcome === 'applied';
    await delay(TRY_AGAIN_MS);
  }
}

async function applyInside(
  client: pg.PoolClient,
  migration: ReadMigration,
  newestKnown: number,
): Promise<Outcome> {
  await client.query('SET LOCAL statement_timeout = 0');
  if (!(await tryLockFor(client, 'migration'))) return 'another is at it';
  if (await isKnown(client, migration, newestKnown)) return 'known';
  await client.query(migration.sql);
  await recordApplied(client, migration);
  return 'applied';
}

async function applyOutside(
  client: pg.PoolClient,
  migration: ReadMigration,
  newestKnown: number,
): Promise<Outcome> {
  const letGo = await tryLockSession(client, 'migration');
  if (letGo === undefined) return 'another is at it';
  try {
    if (await isKnown(client, migration, newestKnown)) return 'known';
    for (const step of migration.sql
      .split(/;\s*\n/)
      .filter((text) => text.replaceAll(/^--.*$/gm, '').trim() !== ''))
      await client.query(step);
    await recordApplied(client, migration);
    return 'applied';
  } finally {
    await letGo();
  }
}

async function isKnown(
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

async function recordApplied(
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

async function readLedger(client: pg.PoolClient, number: number): Promise<Ledger> {
  const result = await client.query<Ledger>(
    `SELECT coalesce(max(m.number), 0) AS newest, max(m.checksum) FILTER (WHERE m.number = $1) AS checksum
     FROM schema_migrations m`,
    [number],
  );
  return result.rows[0] ?? { newest: 0, checksum: null };
}
