import type pg from 'pg';
import { DatabaseUnavailable, DiskFull, NotFound } from '../domain/errors.js';
import type { TellEvents } from '../domain/event/event.js';
import {
  isConnectionLoss,
  isDiskFull,
  isOverTime,
  isRolledBackConflict,
  isStoreDeleted,
} from './connection-errors.js';
import { explainRefusal, explainStatementError } from './setup-errors.js';
import { openPools, runBriefly, serversOf, type CheckOut, type Servers, type Share } from './pools.js';
import { STATEMENT_MS, type Workload } from './connection-settings.js';

/** A named statement: prepared once per connection. `repeatable` says that running it twice does no harm. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly repeatable?: boolean;
  /** After this time without an answer the connection counts as silent; by default a little after the statement's own limit. */
  readonly patienceMs?: number;
}

export interface Queryable {
  query<Row>(statement: Statement): Promise<Row[]>;
}

/** A database, or one merchant's part of it. */
export interface SharedDatabase extends Queryable {
  /**
   * Runs the work in one transaction; `work` may run again after a conflict or a connection lost before the commit,
   * so it must have no effect outside the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** For COPY and other work that needs a connection of its own. */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
}

export interface Database extends SharedDatabase {
  /** For work on behalf of a merchant or a store, which never has more than its part of the connections. */
  of(share: Share): SharedDatabase;
  /** A pool of its own to the same database, for work that must not take connections from all the rest; closed with this one. */
  sidePool(options: SideOptions): Database;
  /** Calls the listener with every store that this process has written events of, from whatever pool. */
  onEvents(listener: TellEvents): void;
  /** Events that a statement outside a transaction has written. */
  readonly tellEvents: TellEvents;
  usage(): { total: number; idle: number; waiting: number };
  /** Waits so long for what is under way, then breaks it off. */
  close(patienceMs?: number): Promise<void>;
}

export interface Transaction extends Queryable {
  readonly client: pg.PoolClient;
  /** Tells of them once they are committed, and never if they are not. */
  readonly tellEvents: TellEvents;
}

interface SideOptions {
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly workload?: Workload;
}

export interface DatabaseOptions {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  /** 0 for work that may take any time, and is then waited for as long. */
  readonly statementTimeoutMs?: number;
  readonly workload?: Workload;
  readonly onIdleError?: (error: Error) => void;
}

const ATTEMPTS = 3;
const CLOSE_MS = 2_000;

export function openDatabase(options: DatabaseOptions): Database {
  return openOn({ servers: serversOf(options.connection), listeners: [] }, options);
}

/** What all pools to one database have in common. */
interface Common {
  readonly servers: Servers;
  readonly listeners: TellEvents[];
}

function openOn(common: Common, options: DatabaseOptions): Database {
  const { poolSize, statementTimeoutMs = STATEMENT_MS, workload = 'requests', onIdleError } = options;
  const pools = openPools(common.servers, { poolSize, statementTimeoutMs, workload, onIdleError });
  const tellEvents: TellEvents = (storeKey, lastSequence) => {
    for (const listener of common.listeners) listener(storeKey, lastSequence);
  };
  const sides: Database[] = [];
  let ended: Promise<unknown> | undefined;

  return {
    ...sharedDatabase(pools.checkOut, tellEvents, undefined),
    of: (share) => sharedDatabase(pools.checkOut, tellEvents, share),
    sidePool: (own) => {
      const side = openOn(common, { ...options, ...own });
      sides.push(side);
      return side;
    },
    onEvents: (listener) => void common.listeners.push(listener),
    tellEvents,
    usage: () => pools.usage(),
    close: async (patienceMs = CLOSE_MS) => {
      const late = setTimeout(() => pools.breakOff(), patienceMs);
      ended ??= Promise.all([pools.end(), ...sides.map((side) => side.close(patienceMs))]);
      await ended;
      clearTimeout(late);
    },
  };
}

function sharedDatabase(
  checkOut: CheckOut,
  tellEvents: TellEvents,
  share: Share | undefined,
): SharedDatabase {
  const onConnection: OnConnection = (work) => checkOut(share, work);
  return {
    query: <Row>(statement: Statement) => runStatement<Row>(onConnection, statement),
    transaction: (work) => runTransaction(onConnection, tellEvents, work),
    withClient: (work) => runWithClient(onConnection, work),
  };
}

type OnConnection = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

async function runStatement<Row>(onConnection: OnConnection, statement: Statement): Promise<Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    const progress = { isSent: false };
    try {
      return await onConnection((client) => {
        progress.isSent = true;
        return run<Row>(client, statement);
      });
    } catch (error) {
      const mayRepeat = !progress.isSent || statement.repeatable === true || isRolledBackConflict(error);
      if (!mayRepeat || !isPassing(error) || attempt === ATTEMPTS) throw toDomainError(error);
    }
  }
}

async function runTransaction<T>(
  onConnection: OnConnection,
  tellEvents: TellEvents,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const progress = { isCommitting: false };
    try {
      const written: Parameters<TellEvents>[] = [];
      const done = await onConnection(async (client) => {
        await runBriefly(client, 'BEGIN');
        const result = await work({
          client,
          query: <Row>(statement: Statement) => run<Row>(client, statement),
          tellEvents: (...events) => void written.push(events),
        });
        progress.isCommitting = true;
        const { command } = await client.query('COMMIT');
        // A statement that failed and was caught leaves a transaction that COMMIT silently rolls back.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back');
        return result;
      });
      for (const events of written) tellEvents(...events);
      return done;
    } catch (error) {
      // A connection lost during COMMIT leaves the outcome unknown: only the caller can decide what that means.
      const mayRepeat = !progress.isCommitting || isRolledBackConflict(error);
      if (!mayRepeat || !isPassing(error) || attempt === ATTEMPTS) throw toDomainError(error);
    }
  }
}

async function runWithClient<T>(
  onConnection: OnConnection,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  try {
    return await onConnection(work);
  } catch (error) {
    throw toDomainError(error);
  }
}

async function run<Row>(client: pg.PoolClient, statement: Statement): Promise<Row[]> {
  try {
    const result = await client.query({
      name: statement.name,
      text: statement.text,
      values: statement.values as unknown[] | undefined,
      query_timeout: statement.patienceMs,
    } as pg.QueryConfig);
    return result.rows as Row[];
  } catch (error) {
    throw explainStatementError(error, statement.text) ?? error;
  }
}

function isPassing(error: unknown): boolean {
  return isConnectionLoss(error) || isRolledBackConflict(error);
}

function toDomainError(error: unknown): unknown {
  if (isDiskFull(error)) return new DiskFull({ cause: error });
  if (isStoreDeleted(error)) return new NotFound('Store');
  if (isConnectionLoss(error) || isOverTime(error)) return new DatabaseUnavailable({ cause: error });
  return explainRefusal(error) ?? error;
}
