import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode } from '../support/errors.js';
import { throttle } from '../support/throttle.js';
import { tryLockFor, tryLockSession } from './advisory-locks.js';
import { distribute, isDistributed } from './citus-tables.js';
import type { Database } from './database.js';
import {
  isKnown,
  knownSchema,
  MIGRATIONS,
  readSchemaFiles,
  recordApplied,
  type SchemaFile,
} from './schema-migrations.js';
import { explainMigrationError } from './errors.js';

/**
 * The first line of a migration whose steps are transactions of their own: changes of tables in use, each of which holds one
 * lock for a moment, and CREATE INDEX CONCURRENTLY, which does not block writers. It may be interrupted and run again, so each
 * step must be repeatable (IF NOT EXISTS). Steps end with a semicolon at the end of a line.
 */
const OUTSIDE = '-- outside a transaction\n';

export interface MigrateOptions {
  readonly folder?: URL;
  /** Receives progress messages about slow steps. */
  readonly say?: (sentence: string) => void;
}

/**
 * Migrates the schema to this version, then applies its functions. Returns the names of the applied files. May take any time.
 * Throws if a migration was applied with a different text, because the schema is then unknown.
 */
export async function migrate(
  db: Database,
  { folder = MIGRATIONS, say = () => undefined }: MigrateOptions = {},
): Promise<string[]> {
  const known = knownSchema(folder);
  const applied: string[] = [];
  for await (const file of readSchemaFiles(folder)) {
    const apply = file.sql.startsWith(OUTSIDE)
      ? () => db.withClient((client) => applyOutside(client, file, known))
      : () => db.transaction((tx) => applyInside(tx.client, file, known));
    if (await inTurn(db, file.name, apply, say)) applied.push(file.name);
  }
  // New tables must be distributed before they have rows.
  if (applied.length > 0 && (await isDistributed(db))) await distribute(db);
  return applied;
}

type Outcome = 'applied' | 'known' | 'another is at it' | 'tables are in use';

/** Longer than a migration waits for a lock. */
const MOMENT_MS = 2_000;
const TRY_AGAIN_MS = 100;
/** Pause between attempts, longer than a waiting migration blocks others. */
const LET_OTHERS_MS = 3_000;

/**
 * Waits for other migrating replicas without holding a transaction open, because CREATE INDEX CONCURRENTLY waits for every
 * older transaction to end.
 */
async function inTurn(
  db: Database,
  name: string,
  apply: () => Promise<Outcome>,
  say: (sentence: string) => void,
): Promise<boolean> {
  const begun = performance.now();
  const sayOthersAreAtIt = throttle(say, MOMENT_MS);
  const sayTablesAreInUse = throttle(say);
  for (;;) {
    const outcome = await applySaying(name, apply, say);
    switch (outcome) {
      case 'another is at it':
        sayOthersAreAtIt('Another process is migrating the database; waiting for it to finish');
        await delay(TRY_AGAIN_MS);
        break;
      case 'tables are in use':
        sayTablesAreInUse(
          `${name} waits for ${await describeOldestTransaction(db)}; other requests are not blocked`,
        );
        await delay(LET_OTHERS_MS);
        break;
      case 'applied':
        if (performance.now() - begun > MOMENT_MS) say(`Applied ${name}`);
        return true;
      case 'known':
        return false;
    }
  }
}

async function applySaying(
  name: string,
  apply: () => Promise<Outcome>,
  say: (sentence: string) => void,
): Promise<Outcome> {
  const slow = setTimeout(say, MOMENT_MS, `Applying ${name} to the database. Do not interrupt it`);
  try {
    return await apply();
  } catch (error) {
    if (errorCode(error) === LOCK_NOT_AVAILABLE) return 'tables are in use';
    throw explainMigrationError(error, name);
  } finally {
    clearTimeout(slow);
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A migration that waits for a table lock blocks everyone who asks for that table after it, so it gives up soon and retries. It
 * waits longer than deadlock_timeout, after which autovacuum gives way to it; a superuser can make that shorter. The server
 * cancels the migration if the service disconnects.
 */
const SETTINGS = `
  SET LOCAL statement_timeout = 0;
  DO $$ BEGIN
    PERFORM set_config('deadlock_timeout', '200ms', true);
  EXCEPTION WHEN OTHERS THEN NULL; -- not every role may
  END $$;
  SELECT set_config('lock_timeout', (extract(epoch FROM current_setting('deadlock_timeout')::interval) * 1000 + 400)::integer::text, true);
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '500ms', true);
  EXCEPTION WHEN OTHERS THEN NULL; -- not every platform can
  END $$`;

async function applyInside(client: pg.Client, file: SchemaFile, newestKnown: number): Promise<Outcome> {
  await client.query(SETTINGS);
  if (!(await tryLockFor(client, 'migration'))) return 'another is at it';
  if (await isKnown(client, file, newestKnown)) return 'known';
  await client.query(file.sql);
  await recordApplied(client, file);
  return 'applied';
}

async function applyOutside(client: pg.Client, migration: SchemaFile, newestKnown: number): Promise<Outcome> {
  const letGo = await tryLockSession(client, 'migration');
  if (letGo === undefined) return 'another is at it';
  try {
    if (await isKnown(client, migration, newestKnown)) return 'known';
    for (const step of migration.sql
      .split(/;\s*\n/)
      .filter((text) => text.replaceAll(/^--.*$/gm, '').trim() !== ''))
      await takeStep(client, step);
    await recordApplied(client, migration);
    return 'applied';
  } finally {
    await letGo();
  }
}

async function takeStep(client: pg.Client, step: string): Promise<void> {
  const [isConcurrent, index] =
    /^\w+ (?:UNIQUE )?INDEX CONCURRENTLY (?:IF (?:NOT )?EXISTS )?(\w+)/m.exec(step) ?? [];
  if (isConcurrent === undefined) {
    await client.query(`BEGIN; ${SETTINGS}`);
    try {
      await client.query(step);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
    return;
  }
  // An index whose creation was interrupted is invalid, and IF NOT EXISTS would keep it.
  const invalid = await client.query(
    'SELECT FROM pg_index i WHERE i.indexrelid = to_regclass($1) AND NOT i.indisvalid',
    [index],
  );
  await client.query('SET statement_timeout = 0');
  try {
    if (invalid.rowCount === 1) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
    await client.query(step);
  } finally {
    await client.query('RESET statement_timeout');
  }
}

/** Describes the transaction that a migration probably waits for. */
async function describeOldestTransaction(db: Database): Promise<string> {
  const [oldest] = await db.query<{ pid: number; name: string; seconds: number }>({
    name: 'oldest-transaction',
    text: `SELECT a.pid, a.application_name AS name,
             extract(epoch FROM clock_timestamp() - a.xact_start)::integer AS seconds
           FROM pg_stat_activity a
           WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'
             AND a.xact_start IS NOT NULL
           ORDER BY a.xact_start LIMIT 1`,
  });
  if (oldest === undefined) return 'other users of its tables';
  const { pid, name, seconds } = oldest;
  return `a transaction that has been open for ${seconds} s (process ${pid} of the server${name === '' ? '' : `, ${name}`})`;
}
