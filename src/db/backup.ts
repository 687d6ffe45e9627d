import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { BackupTable } from './backup-tables.js';
import type { Database } from './database.js';
import { requireKnownSchema } from './schema-ledger.js';
import { readColumns } from './table-layout.js';

/** The whole installation as it was at one moment, however long the reading takes. */
export interface Snapshot {
  readonly schema: number;
  columns(table: BackupTable): Promise<string[]>;
  /** The rows as lines of JSON, in the order of their key, no faster than they are read. */
  rows(table: BackupTable): Readable;
}

export function withSnapshot<T>(
  db: Database,
  knownSchema: number,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return db.withClient(async (client) => {
    await client.query(BEGIN);
    try {
      const result = await work({
        schema: await requireKnownSchema(client, knownSchema),
        columns: async (table) => (await readColumns(client, table.name)).map(({ name }) => name),
        rows: (table) => readRows(client, table),
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // A COPY that nobody reads on would hold up whatever is asked next: the connection has to go with it.
      await client.end();
      throw error;
    }
  });
}

// Timestamps and bytes must be written alike whatever the server's settings are. Without sorts the rows come from the
// index at once, and a large table needs no room on the disk.
const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL timezone = 'UTC';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL enable_sort = off`;

function readRows(client: pg.PoolClient, { name, only, sortedBy }: BackupTable): Readable {
  const stream = client.query(
    copyTo(`COPY (
      SELECT translate(row_to_json(r)::text, E'\\n\\r', '  ')
      FROM (SELECT * FROM ${name} ${only === undefined ? '' : `WHERE ${only}`} ORDER BY ${sortedBy}) r
    ) TO STDOUT ${VERBATIM}`),
  );
  // Once abandoned, the stream is told of the end of its connection, and nobody else listens.
  return stream.on('error', () => undefined);
}

// JSON text holds neither these characters nor, once line ends between its tokens are blanks, anything else that would
// be quoted: every row comes out as it is.
const VERBATIM = `WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')`;
