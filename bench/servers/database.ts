import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.js';

/** The bundled PostgreSQL with the settings the service gives it, and as many empty databases in it as asked for. */
export interface BenchPostgres {
  readonly pid: number;
  createDatabase(name: string): Promise<BenchDatabase>;
  stop(): Promise<void>;
}

export interface BenchDatabase {
  readonly url: string;
  readonly connection: pg.PoolConfig;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
}

export async function startPostgres(folder: string): Promise<BenchPostgres> {
  const dataDir = join(folder, 'postgres');
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const { host, user, database: ownDatabase } = embedded.connection;
  const open = (database: string): BenchDatabase => {
    const connection = { host, user, database };
    const withClient = async <T>(work: (client: pg.Client) => Promise<T>) => {
      const client = new pg.Client(connection);
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    };
    return {
      url: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
      connection,
      withClient,
      query: (text, values) => withClient(async (client) => (await client.query<never>(text, values)).rows),
    };
  };
  return {
    pid: embedded.pid,
    createDatabase: async (name) => {
      await open(ownDatabase).query(`CREATE DATABASE ${name}`);
      return open(name);
    },
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
