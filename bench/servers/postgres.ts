import pg from 'pg';
import { cpuMsOfFamily } from '../measure/cpu.js';
import { startEmbeddedPostgres } from '../../src/postgres/bundled/embedded-postgres.js';

export type BenchPostgres = Awaited<ReturnType<typeof startPostgres>>;
export type BenchDatabase = Awaited<ReturnType<BenchPostgres['createDatabase']>>;

/** The bundled PostgreSQL as the service runs it, with as many empty databases as asked for. */
export async function startPostgres(folder: string) {
  const embedded = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
  const { connection } = embedded;
  let count = 0;
  return {
    createDatabase: async () => {
      count += 1;
      const name = `bench_${count}`;
      await queryOn(connection, `CREATE DATABASE ${name}`);
      const own = { ...connection, database: name };
      return {
        connection: own,
        url: `postgresql://${own.user}@localhost/${name}?host=${encodeURIComponent(own.host)}`,
        query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
          queryOn<Row>(own, text, values),
      };
    },
    cpuMs: () => cpuMsOfFamily(embedded.pid),
    stop: () => embedded.stop(),
  };
}

async function queryOn<Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
