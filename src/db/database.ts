import pg from 'pg';
import { DatabaseUnavailable, DiskFull, NotFound } from '../domain/errors.js';
import { createSlots, type SlotSizes } from '../domain/slots.js';
import { createCheckOut, runAtOnce, type CheckOut, type Share, type Silence } from './check-out.js';
import {
  isConnectionLoss,
  isDiskFull,
  isOverTime,
  isRolledBackConflict,
  isStoreDeleted,
} from './connection-errors.js';
import { refusalMisfit, statementMisfit } from './misfits.js';
import { createServerPools, serversOf, type Servers } from './server-pools.js';

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
  usage(): { total: number; idle: number; waiting: number };
  /** Waits so long for what is under way, then breaks it off. */
  close(patienceMs?: number): Promise<void>;
}

export interface Transaction extends Queryable {
  readonly client: pg.PoolClient;
  /** Called once the work is committed, and never if it is not. */
  afterCommit(then: () => void): void;
}

interface SideOptions {
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly work?: Work;
}

/** Requests read and write a few rows each; bulk work reads or writes whole tables, for which the server plans best by itself. */
type Work = 'requests' | 'bulk';

export interface DatabaseOptions {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  /** 0 for work that may take any time, and is then waited for as long. */
  readonly statementTimeoutMs?: number;
  readonly work?: Work;
  readonly onIdleError?: (error: Error) => void;
}

const ATTEMPTS = 3;
export const STATEMENT_MS = 30_000;
export const IDLE_IN_TRANSACTION_MS = 60_000;
/** The server breaks a statement off by itself; whatever says nothing for so much longer has lost it. */
const SILENCE_MS = 5_000;
const CLOSE_MS = 2_000;

/** Every bigint of the schema fits a double; without this pg hands them out as text. */
function createTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}

export function openDatabase(options: DatabaseOptions): Database {
  return openPool(options, { servers: serversOf(options.connection), silence: { lastAt: -Infinity } });
}

/** What all pools to one database share. */
interface Link {
  readonly servers: Servers;
  readonly silence: Silence;
}

function openPool(options: DatabaseOptions, link: Link): Database {
  const statementMs = options.statementTimeoutMs ?? STATEMENT_MS;
  const { servers, silence } = link;
  const ofEach = {
    types: createTypes(),
    max: options.poolSize,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    query_timeout: statementMs === 0 ? undefined : statementMs + SILENCE_MS,
    application_name: 'comanda',
  };
  const pools = createServerPools(servers, ofEach, (error) => options.onIdleError?.(error));

  const slots = createSlots(partsOf(options.poolSize));
  const settings = `${timeLimits(statementMs)};${options.work === 'bulk' ? '' : PLANS_FOR_REQUESTS}`;
  const setUp = (client: pg.PoolClient) =>
    runAtOnce(client, servers.mustWrite ? `${REFUSE_FOLLOWER};${settings}` : settings);
  const checkOut = createCheckOut({ pools, slots, setUp, silence });
  const sides: Database[] = [];
  let ended: Promise<unknown> | undefined;

  return {
    ...sharedDatabase(checkOut, undefined),
    of: (share) => sharedDatabase(checkOut, share),
    sidePool: (own) => {
      const side = openPool({ ...options, ...own }, link);
      sides.push(side);
      return side;
    },
    usage: () => ({ ...pools.usage(), waiting: slots.waiting() }),
    close: async (patienceMs = CLOSE_MS) => {
      const late = setTimeout(() => pools.breakOff(), patienceMs);
      ended ??= Promise.all([pools.end(), ...sides.map((side) => side.close(patienceMs))]);
      await ended;
      clearTimeout(late);
    },
  };
}

/** One merchant leaves room for the others, one store for the merchant's others. */
function partsOf(poolSize: number): SlotSizes {
  return {
    size: poolSize,
    perOwner: Math.max(1, Math.floor(poolSize * 0.6)),
    perStore: Math.max(1, Math.floor(poolSize * 0.4)),
  };
}

function sharedDatabase(checkOut: CheckOut, share: Share | undefined): SharedDatabase {
  const onConnection: OnConnection = (work) => checkOut(share, work);
  return {
    query: <Row>(statement: Statement) => runOnce<Row>(onConnection, statement),
    transaction: (work) => runTransaction(onConnection, work),
    withClient: (work) => runWithClient(onConnection, work),
  };
}

type OnConnection = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

async function runOnce<Row>(onConnection: OnConnection, statement: Statement): Promise<Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    const progress = { isSent: false };
    try {
      return await onConnection((client) => {
        progress.isSent = true;
        return run<Row>(client, statement);
      });
    } catch (error) {
      const mayRepeat = !progress.isSent || statement.repeatable === true || isRolledBackConflict(error);
      if (!mayRepeat || !isPassing(error) || attempt === ATTEMPTS) throw asUnavailable(error);
    }
  }
}

async function runTransaction<T>(
  onConnection: OnConnection,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const progress = { isCommitting: false };
    try {
      const committed: (() => void)[] = [];
      const done = await onConnection(async (client) => {
        await runAtOnce(client, 'BEGIN');
        const result = await work({
          client,
          query: <Row>(statement: Statement) => run<Row>(client, statement),
          afterCommit: (then) => void committed.push(then),
        });
        progress.isCommitting = true;
        const { command } = await client.query('COMMIT');
        // A statement that failed and was caught leaves a transaction that COMMIT silently rolls back.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back');
        return result;
      });
      for (const then of committed) then();
      return done;
    } catch (error) {
      // A connection lost during COMMIT leaves the outcome unknown: only the caller can decide what that means.
      const mayRepeat = !progress.isCommitting || isRolledBackConflict(error);
      if (!mayRepeat || !isPassing(error) || attempt === ATTEMPTS) throw asUnavailable(error);
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
    throw asUnavailable(error);
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
    throw statementMisfit(error) ?? error;
  }
}

/** Fails with SQLSTATE 25006, as any write would, on a server that takes none. */
const REFUSE_FOLLOWER = `
  DO $$ BEGIN
    IF current_setting('transaction_read_only')::boolean THEN
      RAISE read_only_sql_transaction USING MESSAGE = 'the server takes no writes';
    END IF;
  END $$`;

/** Set, like the plans below, once the connection stands: a pooler in between refuses settings that come with its opening. */
function timeLimits(statementMs: number): string {
  return `SET statement_timeout = ${statementMs}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
}

/**
 * Every statement has one plan, made once, and it must serve a store of a million orders as well as the empty table it may
 * have been made on. Planning anew for each execution takes longer than most of them run, and the planner would do so
 * wherever a limit or a range is a parameter. Citus must know the store to find its node, and cannot with such a plan.
 */
const PLANS_FOR_REQUESTS = `
  SELECT set_config('plan_cache_mode', CASE WHEN EXISTS (SELECT FROM pg_extension e WHERE e.extname = 'citus')
    THEN 'auto' ELSE 'force_generic_plan' END, false);
  SET enable_seqscan = off;
  SET random_page_cost = 1.1;
  SET max_parallel_workers_per_gather = 0;
  SET jit = off`;

function isPassing(error: unknown): boolean {
  return isConnectionLoss(error) || isRolledBackConflict(error);
}

function asUnavailable(error: unknown): unknown {
  if (isDiskFull(error)) return new DiskFull({ cause: error });
  if (isStoreDeleted(error)) return new NotFound('Store');
  if (isConnectionLoss(error) || isOverTime(error)) return new DatabaseUnavailable({ cause: error });
  return refusalMisfit(error) ?? error;
}
