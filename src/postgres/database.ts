import type pg from 'pg';
import type { Tenant } from '../support/fair-semaphore.js';
import type { Actor } from '../support/actor.js';
import { DatabaseUnavailable, DiskFull, errorCode, MerchantMoving, NotFound } from '../support/errors.js';
import {
  explainRefusal,
  explainStatementError,
  isConnectionLoss,
  isOverTime,
  isRolledBackConflict,
} from './errors.js';
import {
  openPools,
  runBriefly,
  serversOf,
  STATEMENT_MS,
  type CheckOut,
  type Servers,
  type Workload,
} from './pools.js';
import { runPrepared, type Prepared } from './prepared-query.js';

/** `repeatable` means that running it twice is harmless. */
export interface Statement extends Prepared {
  readonly repeatable?: boolean;
}

export interface Queryable {
  query<Row>(statement: Statement): Promise<Row[]>;
  /** A `query` that only reads, and so is repeatable. */
  read<Row>(statement: Statement): Promise<Row[]>;
}

/** A kind of notification within this process, with the type of its payload; defined by the sender. */
export interface Topic<Payload> {
  readonly name: string;
  /** Never set: ties the type to the topic. */
  readonly payload?: Payload;
}

type Notify = <Payload>(topic: Topic<Payload>, payload: Payload) => void;

/** A database, or one merchant's share of it. */
export interface SharedDatabase extends Queryable {
  /**
   * Runs the work in one transaction; `work` may run again after a conflict or a connection lost before the commit,
   * so it must have no effect outside the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** For COPY and other work that needs a connection of its own. */
  withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
}

export interface Database extends SharedDatabase {
  /** For a request on behalf of a merchant or store, limited to its share of the connections, or of an operator. */
  forTenant(tenant: Tenant | undefined, by?: Actor): SharedDatabase;
  /** Opens a separate pool to the same database, for work that must not take connections from requests; closed with this one. */
  sidePool(options: SideOptions): Database;
  /** Calls the listener for every notification on the topic, from any pool of this process. */
  subscribe<Payload>(topic: Topic<Payload>, listener: (payload: Payload) => void): void;
  /** Notifies about writes outside a transaction. */
  readonly notify: Notify;
  usage(): { total: number; idle: number; waiting: number };
  /** Waits up to the given time for work in progress, then aborts it. */
  close(patienceMs?: number): Promise<void>;
}

export interface Transaction extends Queryable {
  readonly client: pg.Client;
  /** Sent only after a successful commit. */
  readonly notify: Notify;
  /** Who asked for it; undefined for what the service does by itself. */
  readonly by: Actor | undefined;
}

interface SideOptions {
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly workload?: Workload;
}

export interface DatabaseOptions {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  /** 0: no limit, for the statement or for the wait. */
  readonly statementTimeoutMs?: number;
  readonly workload?: Workload;
  readonly onIdleError?: (error: Error) => void;
}

const ATTEMPTS = 3;
/** A read of a request is given up after this time, whatever it waits for; the client gets 503. */
const LONGEST_READ_MS = 10_000;
/** With less time left, another attempt is in vain. */
const SHORTEST_ATTEMPT_MS = 3_000;
const CLOSE_MS = 2_000;

export function openDatabase(options: DatabaseOptions): Database {
  return openOn({ servers: serversOf(options.connection), listeners: new Map() }, options);
}

/** What all pools to one database share. */
interface Common {
  readonly servers: Servers;
  readonly listeners: Map<Topic<unknown>, ((payload: unknown) => void)[]>;
}

function openOn(common: Common, options: DatabaseOptions): Database {
  const { poolSize, statementTimeoutMs = STATEMENT_MS, workload = 'requests', onIdleError } = options;
  const pools = openPools(common.servers, { poolSize, statementTimeoutMs, workload, onIdleError });
  const notify: Notify = (topic, payload) => {
    for (const listener of common.listeners.get(topic) ?? []) listener(payload);
  };
  const { checkOut } = pools;
  // Where statements end sooner, or must not be cut off, a second limit would only race with the first.
  const hasOwnLimit = workload === 'bulk' || statementTimeoutMs < LONGEST_READ_MS;
  const sides: Database[] = [];
  let ended: Promise<unknown> | undefined;

  return {
    ...sharedDatabase(checkOut, notify, undefined),
    forTenant: (tenant, by) =>
      sharedDatabase(checkOut, notify, tenant, hasOwnLimit ? Infinity : LONGEST_READ_MS, by),
    sidePool: (own) => {
      const side = openOn(common, { ...options, ...own });
      sides.push(side);
      return side;
    },
    subscribe: (topic, listener) => {
      const others = common.listeners.get(topic) ?? [];
      common.listeners.set(topic, [...others, listener as (payload: unknown) => void]);
    },
    notify,
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
  notify: Notify,
  tenant: Tenant | undefined,
  longestReadMs = Infinity,
  by?: Actor,
): SharedDatabase {
  const onConnection: OnConnection = (work) => checkOut(tenant, work);
  const query = <Row>(statement: Statement) =>
    runStatement<Row>(onConnection, statement, statement.repeatable === true ? longestReadMs : Infinity);
  return {
    query,
    read: (statement) => query({ ...statement, repeatable: true }),
    transaction: (work) => runTransaction(onConnection, notify, work, by),
    withClient: (work) =>
      onConnection(work).catch((error: unknown) => {
        throw toDomainError(error);
      }),
  };
}

type OnConnection = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;

async function runStatement<Row>(
  onConnection: OnConnection,
  statement: Statement,
  longestMs: number,
): Promise<Row[]> {
  const begun = performance.now();
  const leftMs = () => longestMs - (performance.now() - begun);
  const { patienceMs } = statement;
  for (let attempt = 1; ; attempt += 1) {
    const progress = { isSent: false };
    try {
      return await onConnection((client) => {
        progress.isSent = true;
        if (longestMs === Infinity) return run<Row>(client, statement);
        return run<Row>(client, {
          ...statement,
          patienceMs: Math.min(patienceMs ?? Infinity, wholeSeconds(leftMs())),
        });
      });
    } catch (error) {
      const mayRepeat =
        (!progress.isSent || statement.repeatable === true || isRolledBackConflict(error)) &&
        leftMs() > SHORTEST_ATTEMPT_MS;
      if (!mayRepeat || !isPassing(error) || attempt === ATTEMPTS) throw toDomainError(error);
    }
  }
}

/** At least one second. Node keeps its timers in one list per duration, and making such a list costs more than a timer. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000)) * 1000;
}

async function runTransaction<T>(
  onConnection: OnConnection,
  notify: Notify,
  work: (tx: Transaction) => Promise<T>,
  by: Actor | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const progress = { isCommitting: false };
    try {
      const notifications: (() => void)[] = [];
      const done = await onConnection(async (client) => {
        await runBriefly(client, 'BEGIN');
        const query = <Row>(statement: Statement) => run<Row>(client, statement);
        const result = await work({
          client,
          query,
          read: query,
          notify: (topic, payload) => void notifications.push(() => notify(topic, payload)),
          by,
        });
        progress.isCommitting = true;
        const { command } = await client.query('COMMIT');
        // A statement that failed and was caught leaves a transaction that COMMIT silently rolls back.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back');
        return result;
      });
      for (const send of notifications) send();
      return done;
    } catch (error) {
      // A connection lost during COMMIT leaves the outcome unknown: only the caller can decide what that means.
      const mayRepeat = !progress.isCommitting || isRolledBackConflict(error);
      if (!mayRepeat || !isPassing(error) || attempt === ATTEMPTS) throw toDomainError(error);
    }
  }
}

async function run<Row>(client: pg.Client, statement: Statement): Promise<Row[]> {
  try {
    return await runPrepared<Row>(client, statement);
  } catch (error) {
    throw explainStatementError(error) ?? error;
  }
}

function isPassing(error: unknown): boolean {
  return isConnectionLoss(error) || isRolledBackConflict(error);
}

function toDomainError(error: unknown): unknown {
  const code = errorCode(error);
  if (code === '53100') return new DiskFull({ cause: error });
  // Raised by append_events where the store was deleted, or its merchant began to move, after the request had found it.
  if (code === 'CD001') return new NotFound('Store');
  if (code === 'CD002') return new MerchantMoving();
  if (isPassing(error) || isOverTime(error)) return new DatabaseUnavailable({ cause: error });
  return explainRefusal(error) ?? error;
}
