import pg from 'pg';
import { parseDatabaseAddress } from '../domain/database-address.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import { createSlots, type SlotSizes } from '../domain/slots.js';
import { isConnectionLoss, isSilence } from './connection-errors.js';
import { createTypes, sessionSettings, type Workload } from './connection-settings.js';

/** On whose behalf work is done; what belongs to no store counts for the merchant alone. */
export interface Share {
  readonly merchantId: string;
  readonly storeKey?: number;
}

export interface StoreShare extends Share {
  readonly storeKey: number;
}

/** The servers that hold one database, and what all pools to it know of them. */
export interface Servers {
  readonly connections: readonly pg.PoolConfig[];
  readonly mustWrite: boolean;
  /** Which of them is used now, by all. */
  current: number;
  /** When a connection was last found to be silent. */
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

/** Runs the work on a connection of the pool, which is given back as it was found or, where that is not sure, dropped. */
export type CheckOut = <T>(
  share: Share | undefined,
  work: (client: pg.PoolClient) => Promise<T>,
) => Promise<T>;

/** A pool for each server. */
export interface Pools {
  readonly checkOut: CheckOut;
  usage(): { total: number; idle: number; waiting: number };
  end(): Promise<void>;
  /** Ends every connection, whatever it is doing. */
  breakOff(): void;
}

interface PoolsOptions {
  readonly poolSize: number;
  /** 0 for work that may take any time, and is then waited for as long. */
  readonly statementTimeoutMs: number;
  readonly workload: Workload;
  readonly onIdleError: ((error: Error) => void) | undefined;
}

/** The server breaks a statement off by itself; whatever says nothing for so much longer has lost it. */
const SILENCE_MS = 5_000;
/** What has waited for so long is not wanted any more, or not soon enough. */
const LONGEST_WAIT_MS = 5_000;
/** What costs the server nothing is answered at once, or not at all. */
const BRIEF_MS = 3_000;

/**
 * Hands out connections to the server in use; where that is away, or takes no writes although it must, the next one is
 * tried, and used from then on by all. A router or a balancer can forget a connection without telling anyone: once one
 * has fallen silent, those that have not answered since are not trusted any more, rather than waited for one after the other.
 */
export function openPools(servers: Servers, options: PoolsOptions): Pools {
  const connected = new Set<pg.PoolClient>();
  let hasEnded = false;
  // The end of a pool does not wait until its connections are closed: one that breaks after it is no loss any more.
  const onIdleError = (error: Error) => {
    if (!hasEnded) options.onIdleError?.(error);
  };
  const pools = servers.connections.map((connection) =>
    openPool(connection, { ...options, onIdleError }, connected),
  );
  const slots = createSlots(partsOf(options.poolSize));
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
      // A client that left may have left work behind, which goes on until it next needs the database.
      if (hasEnded) throw new DatabaseUnavailable();
      const used = servers.current;
      try {
        return await connectTo(pools[used] as pg.Pool);
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        // Whoever fails at the same time must not move on a second time.
        if (servers.current === used) servers.current = (used + 1) % pools.length;
        if (tries === pools.length) throw error;
      }
    }
  };

  const giveBack = (client: pg.PoolClient): void => {
    lastAnswers.set(client, performance.now());
    client.release();
  };
  const drop = (client: pg.PoolClient, fault: unknown): void => {
    if (isSilence(fault)) servers.silentAt = performance.now();
    client.release(true);
  };
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);

  return {
    checkOut: async (share, work) => {
      const holder = { owner: share?.merchantId, store: share?.storeKey };
      const giveBackSlot =
        slots.takeNow(holder) ?? (await slots.take({ ...holder, waitMs: LONGEST_WAIT_MS }));
      try {
        const client = await connect();
        try {
          const result = await work(client);
          giveBack(client);
          return result;
        } catch (error) {
          const fault = isConnectionLoss(error) ? error : await rollBack(client);
          if (fault === undefined) giveBack(client);
          else drop(client, fault);
          throw error;
        }
      } finally {
        giveBackSlot();
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
    types: createTypes(),
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

/** One merchant leaves room for the others, one store for the merchant's others. */
function partsOf(poolSize: number): SlotSizes {
  return {
    size: poolSize,
    perOwner: Math.max(1, Math.floor(poolSize * 0.6)),
    perStore: Math.max(1, Math.floor(poolSize * 0.4)),
  };
}

export async function runBriefly(client: pg.PoolClient, text: string): Promise<void> {
  await client.query({ text, query_timeout: BRIEF_MS } as pg.QueryConfig);
}

/** Answers why it could not be done, if so. */
function rollBack(client: pg.PoolClient): Promise<unknown> {
  return runBriefly(client, 'ROLLBACK').catch((fault: unknown) => fault);
}
