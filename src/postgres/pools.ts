import pg from 'pg';
import { parseDatabaseAddress } from './address.js';
import { DatabaseUnavailable } from '../support/errors.js';
import { createFairSemaphore, type SemaphoreSizes } from '../support/fair-semaphore.js';
import { POOL_SHARE } from '../support/bounds.js';
import type { Tenant } from '../support/fair-semaphore.js';
import { isConnectionLoss, isSilence } from './errors.js';
import { COLUMN_TYPES } from './prepared-query.js';

/** The servers of one database, and what all pools know about them. */
export interface Servers {
  readonly connections: readonly pg.PoolConfig[];
  readonly mustWrite: boolean;
  /** The server that all pools use now. */
  current: number;
  /** When a connection was last found dead. */
  silentAt: number;
}

export function serversOf(connection: pg.PoolConfig): Servers {
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

/** Runs the work on a pooled connection, which is returned clean or dropped. */
export type CheckOut = <T>(
  tenant: Tenant | undefined,
  work: (client: pg.PoolClient) => Promise<T>,
) => Promise<T>;

/** A pool for each server. */
export interface Pools {
  readonly checkOut: CheckOut;
  usage(): { total: number; idle: number; waiting: number };
  end(): Promise<void>;
  /** Closes every connection, even busy ones. */
  breakOff(): void;
}

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

/**
 * Hands out connections to the current server. If it is unavailable or read-only, the next server is tried and becomes the
 * current one for all pools. A router can drop connections silently: once one is found dead, all that have not answered since
 * are discarded, instead of timing out one after the other.
 */
export function openPools(servers: Servers, options: PoolsOptions): Pools {
  const connected = new Set<pg.PoolClient>();
  let hasEnded = false;
  // A connection may break while its pool is closing; that error is harmless.
  const onIdleError = (error: Error) => {
    if (!hasEnded) options.onIdleError?.(error);
  };
  const pools = servers.connections.map((connection) =>
    openPool(connection, { ...options, onIdleError }, connected),
  );
  const slots = createFairSemaphore(partsOf(options.poolSize));
  const setUp = sessionSettings({ ...options, mustWrite: servers.mustWrite });
  const isSetUp = new WeakSet<pg.PoolClient>();
  const lastAnswers = new WeakMap<pg.PoolClient, number>();

  const connectTo = async (pool: pg.Pool): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect();
      if ((lastAnswers.get(client) ?? Infinity) < servers.silentAt) {
        client.release(true);
        continue;
      }
      if (!isSetUp.has(client)) {
        await runBriefly(client, setUp).catch((error: unknown) => {
          client.release(true);
          throw error;
        });
        isSetUp.add(client);
      }
      return client;
    }
  };

  const connect = async (): Promise<pg.PoolClient> => {
    for (let tries = 1; ; tries += 1) {
      // Work of a disconnected client may run on after the pool has closed, until it next needs the database.
      if (hasEnded) throw new DatabaseUnavailable();
      const used = servers.current;
      try {
        return await connectTo(pools[used] as pg.Pool);
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        // Concurrent failures must switch servers only once.
        if (servers.current === used) servers.current = (used + 1) % pools.length;
        if (tries === pools.length) throw error;
      }
    }
  };

  const release = (client: pg.PoolClient): void => {
    lastAnswers.set(client, performance.now());
    client.release();
  };
  const drop = (client: pg.PoolClient, fault: unknown): void => {
    if (isSilence(fault)) servers.silentAt = performance.now();
    client.release(true);
  };
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);

  return {
    checkOut: async (tenant, work) => {
      const holder = { owner: tenant?.merchantId, store: tenant?.storeKey };
      const releaseSlot =
        slots.tryAcquire(holder) ?? (await slots.acquire({ ...holder, waitMs: LONGEST_WAIT_MS }));
      try {
        const client = await connect();
        try {
          const result = await work(client);
          release(client);
          return result;
        } catch (error) {
          const fault = isConnectionLoss(error) ? error : await rollBack(client);
          if (fault === undefined) release(client);
          else drop(client, fault);
          throw error;
        }
      } finally {
        releaseSlot();
      }
    },
    usage: () => ({
      total: sum((pool) => pool.totalCount),
      idle: sum((pool) => pool.idleCount),
      waiting: slots.waiting(),
    }),
    end: async () => {
      hasEnded = true;
      await Promise.all(pools.map((pool) => pool.end()));
    },
    breakOff: () => connected.forEach((client) => void (client as pg.ClientBase as pg.Client).end()),
  };
}

function openPool(
  connection: pg.PoolConfig,
  { poolSize, statementTimeoutMs, onIdleError }: PoolsOptions,
  connected: Set<pg.PoolClient>,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    types: COLUMN_TYPES,
    max: poolSize,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    query_timeout: statementTimeoutMs === 0 ? undefined : statementTimeoutMs + SILENCE_MS,
    application_name: 'comanda',
  });
  pool.on('error', (error) => onIdleError?.(error));
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    connected.add(client);
  });
  pool.on('remove', (client) => connected.delete(client));
  return pool;
}

/** Limits the share of one merchant, and of one store within it. */
function partsOf(poolSize: number): SemaphoreSizes {
  return {
    size: poolSize,
    perOwner: Math.max(1, Math.floor(poolSize * POOL_SHARE.merchant)),
    perStore: Math.max(1, Math.floor(poolSize * POOL_SHARE.store)),
  };
}

export async function runBriefly(client: pg.PoolClient, text: string): Promise<void> {
  await client.query({ text, query_timeout: BRIEF_MS } as pg.QueryConfig);
}

/** Returns the reason of a failure, if any. */
function rollBack(client: pg.PoolClient): Promise<unknown> {
  return runBriefly(client, 'ROLLBACK').catch((fault: unknown) => fault);
}

interface SessionOptions {
  readonly mustWrite: boolean;
  readonly statementTimeoutMs: number;
  readonly workload: Workload;
}

/** Set after connecting, because poolers reject startup parameters. */
function sessionSettings({ mustWrite, statementTimeoutMs, workload }: SessionOptions): string {
  const limits = `SET statement_timeout = ${statementTimeoutMs}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; SET timezone = 'UTC'`;
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
