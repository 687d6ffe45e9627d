import { type DatabaseMisconfigured, DatabaseUnavailable } from '../domain/errors.js';
import type { Database, Queryable } from './database.js';
import { isDistributed } from './citus-tables.js';
import { isMissingObject } from './setup-errors.js';

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

/** On Citus, of all nodes together. */
export async function readUpkeep(db: Database): Promise<DatabaseUpkeep> {
  if (await isDistributed(db)) return addUp(await readNodes(db));
  const [row] = await db.query<{ upkeep: DatabaseUpkeep }>({
    name: 'upkeep',
    text: UPKEEP,
    repeatable: true,
  });
  if (row === undefined) throw new Error('The database did not tell how it is kept');
  return row.upkeep;
}

async function readNodes(db: Queryable): Promise<DatabaseUpkeep[]> {
  const rows = await db.query<{ success: boolean; result: string }>({
    name: 'upkeep-of-nodes',
    text: 'SELECT n.success, n.result FROM run_command_on_all_nodes($1) n',
    values: [UPKEEP],
    repeatable: true,
  });
  return rows.map(({ success, result }) => {
    if (!success) throw new DatabaseUnavailable({ cause: new Error(result) });
    return JSON.parse(result) as DatabaseUpkeep;
  });
}

function addUp(nodes: readonly DatabaseUpkeep[]): DatabaseUpkeep {
  const tables = new Map<string, TableUpkeep>();
  for (const part of nodes.flatMap((node) => node.tables)) {
    // Each shard is a table with its number behind the name.
    const name = part.name.replace(/_\d{6,}$/, '');
    const before = tables.get(name);
    tables.set(name, before === undefined ? { ...part, name } : addTable(before, part));
  }
  return {
    bytes: nodes.reduce((sum, { bytes }) => sum + bytes, 0),
    transaction_age: Math.max(...nodes.map((node) => node.transaction_age)),
    oldest_transaction_seconds: Math.max(...nodes.map((node) => node.oldest_transaction_seconds)),
    tables: [...tables.values()].sort((a, b) => b.bytes - a.bytes),
  };
}

function addTable(one: TableUpkeep, other: TableUpkeep): TableUpkeep {
  const latest = [one.vacuumed_at ?? '', other.vacuumed_at ?? ''].sort()[1];
  return {
    name: one.name,
    bytes: one.bytes + other.bytes,
    live_rows: one.live_rows + other.live_rows,
    dead_rows: one.dead_rows + other.dead_rows,
    ...(latest !== '' && { vacuumed_at: latest as string }),
  };
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

/** Whether the database has by now what it lacked; also true of a fault that only a request would meet again. */
export async function isMended(db: Database, { statement }: DatabaseMisconfigured): Promise<boolean> {
  if (statement === undefined) return true;
  try {
    await db.withClient((client) =>
      client.query(`BEGIN; PREPARE comanda_fits AS ${statement}; DEALLOCATE comanda_fits; COMMIT`),
    );
    return true;
  } catch (error) {
    if (isMissingObject(error)) return false;
    throw error;
  }
}
