import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode } from '../domain/errors.js';
import { notTooOften } from '../domain/not-too-often.js';
import { tryLockFor, tryLockSession } from './advisory-locks.js';
import { distribute, isDistributed } from './citus-tables.js';
import type { Database } from './database.js';
import {
  isKnown,
  knownSchema,
  MIGRATIONS,
  readMigrations,
  recordApplied,
  type ReadMigration,
} from './schema-ledger.js';
import { explainMigrationError } from './setup-errors.js';

/**
 * The first line of a migration whose steps run one by one, each for itself, such as CREATE INDEX CONCURRENTLY, which lets
 * writers go on. It may be cut short and begun again, so each step must be one that can: DROP INDEX CONCURRENTLY IF EXISTS
 * before CREATE. Steps end with a semicolon at the end of a line.
 */
const OUTSIDE = '-- outside a transaction\n';

export interface MigrateOptions {
  readonly folder?: URL;
  /** Told in sentences what takes longer than a moment. */
  readonly say?: (sentence: string) => void;
}

/**
 * Brings the schema up to this version of the service; returns the names of what was applied. It may take any time. A
 * migration that was applied with another text is refused: nobody knows what the schema then is.
 */
export async function migrate(
  db: Database,
  { folder = MIGRATIONS, say = () => undefined }: MigrateOptions = {},
): Promise<string[]> {
  const known = knownSchema(folder);
  const applied: string[] = [];
  for await (const migration of readMigrations(folder)) {
    const apply = migration.sql.startsWith(OUTSIDE)
      ? () => db.withClient((client) => applyOutside(client, migration, known))
      : () => db.transaction((tx) => applyInside(tx.client, migration, known));
    if (await inTurn(db, migration.name, apply, say)) applied.push(migration.name);
  }
  // New tables follow the others before they have rows.
  if (applied.length > 0 && (await isDistributed(db))) await distribute(db);
  return applied;
}

type Outcome = 'applied' | 'known' | 'another is at it' | 'tables are in use';

/** More than a migration waits for a lock. */
const MOMENT_MS = 2_000;
const TRY_AGAIN_MS = 100;
/** Time for those who wait behind a migration that waits: more than it takes from them. */
const LET_OTHERS_MS = 3_000;

/**
 * Waits for other replicas that migrate, without a transaction: an index that is made beside the writers is ready only when
 * every transaction that began before has ended.
 */
async function inTurn(
  db: Database,
  name: string,
  apply: () => Promise<Outcome>,
  say: (sentence: string) => void,
): Promise<boolean> {
  const begun = performance.now();
  const sayOthersAreAtIt = notTooOften(say, MOMENT_MS);
  const sayTablesAreInUse = notTooOften(say);
  for (;;) {
    const outcome = await applySaying(name, apply, say);
    switch (outcome) {
      case 'another is at it':
        sayOthersAreAtIt('Another process is migrating the database; this one goes on when it is done');
        await delay(TRY_AGAIN_MS);
        break;
      case 'tables are in use':
        sayTablesAreInUse(
          `${name} waits for ${await describeOldestTransaction(db)}; all others go on meanwhile`,
        );
        await delay(LET_OTHERS_MS);
        break;
      case 'applied':
        if (performance.now() - begun > MOMENT_MS) say(`${name} is applied`);
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
  const slow = setTimeout(say, MOMENT_MS, `${name} is being applied to the database; let it come to its end`);
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
 * Whoever waits for a lock on a table makes everybody wait who asks for that table after it: a migration that must wait for a
 * long read gives way, and is begun again. It waits longer than the server's deadlock_timeout, at which an automatic vacuum
 * gives way to it. Where the service is gone, the server need not bring the migration to an end.
 */
const SETTINGS = `
  SET LOCAL statement_timeout = 0;
  SET LOCAL lock_timeout = '1500ms';
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '500ms', true);
  EXCEPTION WHEN OTHERS THEN NULL; -- not every platform can
  END $$`;

async function applyInside(
  client: pg.PoolClient,
  migration: ReadMigration,
  newestKnown: number,
): Promise<Outcome> {
  await client.query(SETTINGS);
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

/** Whom a migration probably waits for. */
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
  if (oldest === undefined) return 'whoever uses its tables';
  const { pid, name, seconds } = oldest;
  return `a transaction that has been open for ${seconds} s (process ${pid} of the server${name === '' ? '' : `, ${name}`})`;
}
