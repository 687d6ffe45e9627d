// For an import: PostgreSQL's own COPY of the same rows, one connection, into tables with the same indexes.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { readSettings, serveJobs } from '../servers/programs.js';

const { connection, tables } = readSettings<{ connection: pg.ClientConfig; tables: string[] }>();

/** Reads the rows of a store into memory, then times how long it takes to copy them to tables of its own. */
serveJobs(async ({ storeId }: { storeId: string }): Promise<number> => {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('CREATE SCHEMA IF NOT EXISTS raw');
  const rows = new Map<string, Buffer>();
  for (const table of tables) {
    await client.query(`CREATE TABLE IF NOT EXISTS raw.${table} (LIKE public.${table} INCLUDING ALL)`);
    const select = `SELECT t.* FROM ${table} t JOIN stores s USING (store_key) WHERE s.id = ${pg.escapeLiteral(storeId)}`;
    rows.set(table, await buffer(client.query(copyTo(`COPY (${select}) TO STDOUT`))));
  }
  const begun = performance.now();
  for (const [table, content] of rows)
    await pipeline(Readable.from([content]), client.query(copyFrom(`COPY raw.${table} FROM STDIN`)));
  const ms = performance.now() - begun;
  await client.end();
  return ms;
});
