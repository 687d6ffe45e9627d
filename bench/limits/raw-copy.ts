// The limit for an import: PostgreSQL's own COPY of the same rows, one connection, into tables with the same indexes.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

const { connection, tables } = JSON.parse(process.argv[2] ?? '{}') as {
  connection: pg.ClientConfig;
  tables: string[];
};
const client = new pg.Client(connection);
await client.connect();
await client.query('CREATE SCHEMA raw');
for (const table of tables)
  await client.query(`CREATE TABLE raw.${table} (LIKE public.${table} INCLUDING ALL)`);

/** Takes the rows of a store out of the service's tables, then puts them, all in memory by now, into its own. */
process.on('message', (storeKey: number) => {
  void copyRows(storeKey).then((ms) => process.send?.({ ms }));
});
process.on('disconnect', () => void client.end());
process.send?.('ready');

async function copyRows(storeKey: number): Promise<number> {
  const rows = new Map<string, Buffer[]>();
  for (const table of tables) {
    const chunks: Buffer[] = [];
    const out = client.query(
      copyTo(`COPY (SELECT * FROM public.${table} WHERE store_key = ${storeKey}) TO STDOUT`),
    );
    out.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(out, 'end');
    rows.set(table, chunks);
  }
  const begun = performance.now();
  for (const table of tables) {
    await pipeline(
      Readable.from(rows.get(table) ?? []),
      client.query(copyFrom(`COPY raw.${table} FROM STDIN`)),
    );
  }
  return performance.now() - begun;
}
