import pg from 'pg';
import { DatabaseUnavailable } from '../domain/errors.js';
import { isConnectionLoss, isRolledBackConflict } from './connection-errors.js';

/** A named statement: prepared once per connection. `repeatable` says that running it twice does no harm. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly repeatable?: boolean;
}

export interface Queryable {
  query<Row>(statement: Statement): Promise<Row[]>;
}

export interface Database extends Queryable {
  /**
   * Runs the work in one transaction; `work` may run again after a conflict or a connection lost before the commit,
   * so it must have no effect outside the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** For COPY and other work that needs a connection of its own. */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** A pool of its own to the same database, for work that must not take connections from all the rest; closed with this one. */
  beside(options: { readonly poolSize: number; readonly statementTimeoutMs: number }): Database;
  usage(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface Transaction extends Queryable {
  readonly client: pg.PoolClient;
}

export interface DatabaseOptions {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  readonly statementTimeoutMs?: number;
  readonly onIdleError?: (error: Error) => void;
}

const ATTEMPTS = 3;

/** Every bigint of the schema fits a double; without this pg hands them out as text. */
function createTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...options.connection,
    types: createTypes(),
    max: options.poolSize,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'comanda',
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  pool.on('connect', (client) => client.on('error', () => undefined));

  const sides: Database[] = [];

  return {
    query: <Row>(statement: Statement) => runOnPool<Row>(pool, statement),
    transaction: (work) => runTransaction(pool, work),
    withClient: (work) => runWithClient(pool, work),
    beside: (own) => {
      const side = openDatabase({ ...options, ...own });
      sides.push(side);
      return side;
    },
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await Promise.all([pool.end(), ...sides.map((side) => side.close())]);
    },
  };
}

async function runOnPool<Row>(pool: pg.Pool, statement: Statement): Promise<Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    let sent = false;
    try {
      const client = await pool.connect();
      sent = true;
      return await withRelease(client, () => run<Row>(client, statement));
    } catch (error) {
      const mayRepeat = !sent || statement.repeatable === true || isRolledBackConflict(error);
      if (!mayRepeat || !isPassing(error) || attempt === ATTEMPTS) throw asUnavailable(error);
    }
  }
}

async function runTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const progress = { isCommitting: false };
    try {
      const client = await pool.connect();
      return await withRelease(client, async () => {
        await client.query('BEGIN');
        const result = await work({
          client,
          query: <Row>(statement: Statement) => run<Row>(client, statement),
        });
        progress.isCommitting = true;
        const { command } = await client.query('COMMIT');
        // A statement that failed and was caught leaves a transaction that COMMIT silently rolls back.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back');
        return result;
      });
    } catch (error) {
      // A connection lost during COMMIT leaves the outcome unknown: only the caller can decide what that means.
      const mayRepeat = !progress.isCommitting || isRolledBackConflict(error);
      if (!mayRepeat || !isPassing(error) || attempt === ATTEMPTS) throw asUnavailable(error);
    }
  }
}

async function runWithClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  try {
    const client = await pool.connect();
    return await withRelease(client, () => work(client));
  } catch (error) {
    throw asUnavailable(error);
  }
}

async function run<Row>(client: pg.PoolClient, statement: Statement): Promise<Row[]> {
  const result = await client.query({
    name: statement.name,
    text: statement.text,
    values: statement.values as unknown[] | undefined,
  } as pg.QueryConfig);
  return result.rows as Row[];
}

/** Returns the connection to the pool as it was found, or drops it when that cannot be made sure. */
async function withRelease<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    client.release();
    return result;
  } catch (error) {
    client.release(isConnectionLoss(error) || !(await rolledBack(client)));
    throw error;
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

function isPassing(error: unknown): boolean {
  return isConnectionLoss(error) || isRolledBackConflict(error);
}

function asUnavailable(error: unknown): unknown {
  return isConnectionLoss(error) ? new DatabaseUnavailable({ cause: error }) : error;
}
