import pg from 'pg';
import { parseDatabaseAddress } from './address.js';
import { DatabaseUnavailable } from '../support/errors.js';
import { createFairSemaphore, type SemaphoreSizes, type Tenant } from '../support/fair-semaphore.js';
import { POOL_SHARE } from '../support/bounds.js';
import { isConnectionLoss, isSilence } from './errors.js';
import { COLUMN_TYPES } from './prepared-query.js';

/** The servers of one database, and what all pools know about them. */
export interface Servers {
  readonly connections: readonly pg.ClientConfig[];
  readonly mustWrite: boolean;
  current: number;
  /** When a connection was last found dead. */
  silentAt: number;
}

export function serversOf(connection: pg.ClientConfig): Servers {
  const { connectionString } = connection;
  const address = connectionString === undefined ? undefined : parseDatabaseAddress(connectionString);
  const connections = address?.servers.map((server) => ({ ...connection, connectionString: server }));
  return {
    connections: connections ?? [connection],
    mustWrite: address?.mustWrite ?? false,
    current: 0,
    silentAt: -Infinity,
  };
}

/** Requests touch a few rows each; bulk work touches whole tables, which the server should plan anew each time. */
export type Workload = 'requests' | 'bulk';

export const STATEMENT_MS = 30_000;
export const IDLE_IN_TRANSACTION_MS = 60_000;

export type CheckOut = ReturnType<typeof openPools>['checkOut'];

interface PoolsOptions {
  readonly poolSize: number;
  /** 0: no limit, for the statement or for the wait. */
  readonly statementTimeoutMs: number;
  readonly workload: Workload;
  readonly onIdleError: ((error: Error) => void) | undefined;
}

/** Grace period after the server's own statement timeout; a connection that stays silent longer is dead. */
const SILENCE_MS = 5_000;
/** Callers that wait longer than this for a connection get 503. */
const LONGEST_WAIT_MS = 5_000;
/** Limit for trivial statements, which a live server answers at once. */
const BRIEF_MS = 3_000;
const CONNECT_MS = 3_000;
/** A connection that nobody has used for this long is closed. */
const LONGEST_IDLE_MS = 60_000;

interface Connection {
  readonly client: pg.Client;
  /** Its place in the list of servers. */
  readonly server: number;
  answeredAt: number;
}

/**
 * Hands out connections to the current server. If it is unavailable or read-only, the next server is tried and becomes the
 * current one for all pools. A router can drop connections silently: once one is found dead, all that have not answered since
 * are discarded, instead of timing out one after the other.
 */
export function openPools(servers: Servers, options: PoolsOptions) {
  const { poolSize, onIdleError } = options;
  const permits = createFairSemaphore(partsOf(poolSize));
  const setUp = sessionSettings(servers, options);
  const open = new Set<pg.Client>();
  /** The last one was used last. */
  const idle: Connection[] = [];
  let hasEnded = false;
  let allClosed: () => void = () => undefined;

  const countOut = (client: pg.Client): void => {
    open.delete(client);
    if (open.size === 0) allClosed();
  };
  /** Nobody waits for the server's side: it may never be heard of again. */
  const close = ({ client }: Connection): void => {
    client.end().catch(() => undefined);
    countOut(client);
  };

  const openTo = async (server: number): Promise<Connection> => {
    const client = new pg.Client(clientConfig(servers.connections[server] ?? {}, options));
    const connection = { client, server, answeredAt: 0 };
    const forget = () => {
      const position = idle.indexOf(connection);
      if (position >= 0) idle.splice(position, 1);
      countOut(client);
      return position >= 0;
    };
    client.on('error', (error) => {
      // A connection may break while the pool is closing; that error is harmless.
      if (forget() && !hasEnded) onIdleError?.(error);
    });
    client.on('end', forget);
    open.add(client);
    try {
      await client.connect();
      await runBriefly(client, setUp);
      return connection;
    } catch (error) {
      close(connection);
      throw error;
    }
  };

  const connect = async (): Promise<Connection> => {
    for (let tries = 1; ; tries += 1) {
      // Work of a disconnected client may run on after the pool has closed, until it next needs the database.
      if (hasEnded) throw new DatabaseUnavailable();
      const used = servers.current;
      try {
        return await openTo(used);
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        // Concurrent failures must switch servers only once.
        if (servers.current === used) servers.current = (used + 1) % servers.connections.length;
        if (tries === servers.connections.length) throw error;
      }
    }
  };

  const takeIdle = (): Connection | undefined => {
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (found.server === servers.current && found.answeredAt >= servers.silentAt) return found;
      close(found);
    }
    return undefined;
  };
  const release = (connection: Connection): void => {
    connection.answeredAt = performance.now();
    if (hasEnded || !open.has(connection.client)) close(connection);
    else idle.push(connection);
  };
  const drop = (connection: Connection, error: unknown): void => {
    if (isSilence(error)) servers.silentAt = performance.now();
    close(connection);
  };
  const closeUnused = () => {
    const earliest = performance.now() - LONGEST_IDLE_MS;
    while (idle[0] !== undefined && idle[0].answeredAt < earliest) idle.splice(0, 1).forEach(close);
  };
  const looking = setInterval(closeUnused, LONGEST_IDLE_MS / 10).unref();

  return {
    /** Runs the work on a pooled connection, which is returned clean or dropped. */
    checkOut: async <T>(tenant: Tenant | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> => {
      const holder = { owner: tenant?.merchantId, store: tenant?.storeKey };
      const releasePermit =
        permits.tryAcquire(holder) ?? (await permits.acquire({ ...holder, waitMs: LONGEST_WAIT_MS }));
      try {
        const connection = takeIdle() ?? (await connect());
        const { client } = connection;
        try {
          const result = await work(client);
          release(connection);
          return result;
        } catch (error) {
          const loss = isConnectionLoss(error) ? error : await rollBack(client);
          if (loss === undefined) release(connection);
          else drop(connection, loss);
          throw error;
        }
      } finally {
        releasePermit();
      }
    },
    usage: () => ({ total: open.size, idle: idle.length, waiting: permits.waiting() }),
    end: async () => {
      hasEnded = true;
      clearInterval(looking);
      idle.splice(0).forEach(close);
      if (open.size > 0) await new Promise<void>((resolve) => (allClosed = resolve));
    },
    /** Closes every connection, even busy ones. */
    breakOff: () => open.forEach((client) => void client.end()),
  };
}

function clientConfig(connection: pg.ClientConfig, { statementTimeoutMs }: PoolsOptions): pg.ClientConfig {
  return {
    ...connection,
    types: COLUMN_TYPES,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    query_timeout: statementTimeoutMs === 0 ? undefined : statementTimeoutMs + SILENCE_MS,
    application_name: 'comanda',
  };
}

/** Limits the share of one merchant, and of one store within it. */
function partsOf(poolSize: number): SemaphoreSizes {
  return {
    size: poolSize,
    perOwner: Math.max(1, Math.floor(poolSize * POOL_SHARE.merchant)),
    perStore: Math.max(1, Math.floor(poolSize * POOL_SHARE.store)),
  };
}

export async function runBriefly(client: pg.Client, text: string): Promise<void> {
  await client.query({ text, query_timeout: BRIEF_MS } as pg.QueryConfig);
}

/** Returns the reason of a failure, if any. */
function rollBack(client: pg.Client): Promise<unknown> {
  return runBriefly(client, 'ROLLBACK').catch((error: unknown) => error);
}

/** Set after connecting, because poolers reject startup parameters. */
function sessionSettings({ mustWrite }: Servers, { statementTimeoutMs, workload }: PoolsOptions): string {
  const limits = `SET statement_timeout = ${statementTimeoutMs}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; SET timezone = 'UTC'; SET datestyle = 'ISO'`;
  return [
    ...(mustWrite ? [REFUSE_FOLLOWER] : []),
    limits,
    ...(workload === 'bulk' ? [] : [PLANS_FOR_REQUESTS]),
  ].join(';');
}

/** Fails with SQLSTATE 25006 on a read-only server, as every write would. */
const REFUSE_FOLLOWER = `
  DO $$ BEGIN
    IF current_setting('transaction_read_only')::boolean THEN
      RAISE read_only_sql_transaction USING MESSAGE = 'the server takes no writes';
    END IF;
  END $$`;

/**
 * Every statement has one generic plan, which must suit a store with a million orders as well as an empty table. Planning takes
 * longer than most statements run, and the planner would replan wherever a limit or range is a parameter. Not on Citus, which
 * needs the store's value to find its node.
 */
const PLANS_FOR_REQUESTS = `
  SELECT set_config('plan_cache_mode', CASE WHEN EXISTS (SELECT FROM pg_extension e WHERE e.extname = 'citus')
    THEN 'auto' ELSE 'force_generic_plan' END, false);
  SET enable_seqscan = off;
  SET random_page_cost = 1.1;
  SET max_parallel_workers_per_gather = 0;
  SET jit = off`;
