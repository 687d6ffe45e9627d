import type { Queryable } from './database.js';

/** How well the database is kept, as its own statistics tell. */
export interface DatabaseUpkeep {
  readonly bytes: number;
  /** How many transactions ago the oldest row was last frozen; the server stops taking writes before two thousand million. */
  readonly transaction_age: number;
  /** Of those that this role may see. */
  readonly oldest_transaction_seconds: number;
  /** The largest first. */
  readonly tables: readonly TableUpkeep[];
}

interface TableUpkeep {
  readonly name: string;
  readonly bytes: number;
  readonly live_rows: number;
  readonly dead_rows: number;
  /** Missing where it never was. */
  readonly vacuumed_at?: string;
}

export async function readUpkeep(db: Queryable): Promise<DatabaseUpkeep> {
  const [row] = await db.query<{ upkeep: DatabaseUpkeep }>({
    name: 'upkeep',
    text: UPKEEP,
    repeatable: true,
  });
  if (row === undefined) throw new Error('The database did not tell how it is kept');
  return row.upkeep;
}

const TABLES = `
  SELECT s.relname AS name, pg_total_relation_size(s.relid) AS bytes, s.n_live_tup AS live_rows, s.n_dead_tup AS dead_rows,
         to_char(greatest(s.last_vacuum, s.last_autovacuum) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS vacuumed_at
  FROM pg_stat_user_tables s WHERE s.schemaname = current_schema()
  ORDER BY 2 DESC, 1`;

const UPKEEP = `
  SELECT json_build_object(
    'bytes', pg_database_size(d.oid),
    'transaction_age', age(d.datfrozenxid),
    'oldest_transaction_seconds', (
      SELECT coalesce(round(max(extract(epoch FROM clock_timestamp() - a.xact_start))), 0) FROM pg_stat_activity a
      WHERE a.datid = d.oid AND a.pid <> pg_backend_pid()),
    'tables', (SELECT coalesce(json_agg(json_strip_nulls(to_json(t))), '[]') FROM (${TABLES}) t)
  ) AS upkeep
  FROM pg_database d WHERE d.datname = current_database()`;

/** PostgreSQL's own number, as 18.4. */
export async function readServerVersion(db: Queryable): Promise<string> {
  const [row] = await db.query<{ server_version: string }>({
    name: 'server_version',
    text: `SELECT split_part(current_setting('server_version'), ' ', 1) AS server_version`,
    repeatable: true,
  });
  return row?.server_version ?? 'of unknown version';
}
