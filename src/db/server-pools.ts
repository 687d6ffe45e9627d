import pg from 'pg';
import { parseDatabaseAddress } from '../domain/database-address.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import { isConnectionLoss } from './connection-errors.js';

/** The servers that hold one database, of which all pools to it use the same one at a time. */
export interface Servers {
  readonly connections: readonly pg.PoolConfig[];
  readonly mustWrite: boolean;
  /** Which of them is used now. */
  current: number;
}

export function serversOf(connection: pg.PoolConfig): Servers {
  const { connectionString } = connection;
  const address = connectionString === undefined ? undefined : parseDatabaseAddress(connectionString);
  if (address === undefined) return { connections: [connection], mustWrite: false, current: 0 };
  const connections = address.servers.map((server) => ({ ...connection, connectionString: server }));
  return { connections, mustWrite: address.mustWrite, current: 0 };
}

/** A pool for each server. */
export interface ServerPools {
  /**
   * A connection to the server in use, as `connectTo` makes it. Where that server is away, or takes no writes although it
   * must, the next one is tried, and used from then on by all.
   */
  connect(connectTo: (pool: pg.Pool) => Promise<pg.PoolClient>): Promise<pg.PoolClient>;
  usage(): { total: number; idle: number };
  end(): Promise<void>;
  /** Ends every connection, whatever it is doing. */
  breakOff(): void;
}

export function createServerPools(
  servers: Servers,
  settings: pg.PoolConfig,
  onIdleError: (error: Error) => void,
): ServerPools {
  const connected = new Set<pg.PoolClient>();
  const pools = servers.connections.map((connection) => {
    const pool = new pg.Pool({ ...connection, ...settings });
    pool.on('error', onIdleError);
    pool.on('connect', (client) => {
      client.on('error', () => undefined);
      connected.add(client);
    });
    pool.on('remove', (client) => connected.delete(client));
    return pool;
  });
  let hasEnded = false;
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);

  return {
    connect: async (connectTo) => {
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
    },
    usage: () => ({ total: sum((pool) => pool.totalCount), idle: sum((pool) => pool.idleCount) }),
    end: async () => {
      hasEnded = true;
      await Promise.all(pools.map((pool) => pool.end()));
    },
    breakOff: () => connected.forEach((client) => void (client as pg.ClientBase as pg.Client).end()),
  };
}
