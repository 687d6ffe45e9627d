import type pg from 'pg';
import { Type, type Static } from '../support/shape/type.js';
import { Datetime, NamedShape } from '../support/shape/common-shapes.js';
import { askEachNode } from './citus-tables.js';
import { explainStatementError } from './errors.js';
import { openDatabase, type Queryable, type SharedDatabase } from './database.js';
import { IDLE_IN_TRANSACTION_MS, STATEMENT_MS } from './pools.js';

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

/** Sizes, dead rows and vacuums, from PostgreSQL's own statistics. */
export const DatabaseState = NamedShape('DatabaseState', {
  bytes: Count('The size of the whole database', 52_428_800),
  transaction_age: Count(
    'Transactions since the oldest row was frozen; at about 2,000,000,000 the database stops accepting writes',
    120_000,
  ),
  oldest_transaction_seconds: Count(
    'Age of the oldest open transaction; vacuum cannot remove rows that died after it began',
    0,
  ),
  tables: Type.Array(
    NamedShape('TableState', {
      name: Type.String({ examples: ['orders'] }),
      bytes: Count('Size including indexes', 31_457_280),
      live_rows: Count('Estimated number of rows', 20_000),
      dead_rows: Count('Estimated number of dead rows that wait for a vacuum', 150),
      vacuumed_at: Type.Optional(Datetime({ examples: ['2030-01-01T12:00:00.000Z'] })),
    }),
    { description: 'Largest first' },
  ),
});

type DatabaseState = Static<typeof DatabaseState>;
type TableState = DatabaseState['tables'][number];

/** On Citus, the sum over all nodes. */
export async function readDatabaseStats(db: SharedDatabase): Promise<DatabaseState> {
  const nodes = await askEachNode(db, 'database-stats', STATS);
  return addUp(nodes.map((text) => JSON.parse(text) as DatabaseState));
}

function addUp(nodes: readonly DatabaseState[]): DatabaseState {
  const tables = new Map<string, TableState>();
  for (const part of nodes.flatMap((node) => node.tables)) {
    // Each shard is a table whose name ends in the shard number.
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

function addTable(one: TableState, other: TableState): TableState {
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

const STATS = `
  SELECT json_build_object(
    'bytes', pg_database_size(d.oid),
    'transaction_age', age(d.datfrozenxid),
    'oldest_transaction_seconds', (
      SELECT coalesce(round(max(extract(epoch FROM clock_timestamp() - a.xact_start))), 0) FROM pg_stat_activity a
      WHERE a.datid = d.oid AND a.pid <> pg_backend_pid()),
    'tables', (SELECT coalesce(json_agg(json_strip_nulls(to_json(t))), '[]') FROM (${TABLES}) t)
  ) AS stats
  FROM pg_database d WHERE d.datname = current_database()`;

/** The server version, such as 18.4. */
export async function readServerVersion(db: Queryable): Promise<string> {
  const [row] = await db.read<{ server_version: string }>({
    name: 'server_version',
    text: `SELECT split_part(current_setting('server_version'), ' ', 1) AS server_version`,
  });
  return row?.server_version ?? 'of unknown version';
}

const PROBE = { name: 'comanda_probe', text: 'SELECT pg_backend_pid() AS backend' };

/**
 * Advice for the operator if there is a pooler in transaction mode between the service and the database. Rejects one that does
 * not support prepared statements.
 */
export async function examinePooler(connection: pg.PoolConfig): Promise<string[]> {
  const db = openDatabase({ connection, poolSize: 2 });
  try {
    return await db.withClient((holder) =>
      db.withClient(async (prober) => {
        const isShared = await isHandedOut(holder, prober);
        return isShared && !(await hasTimeLimits(prober)) ? [await adviseTimeLimits(prober)] : [];
      }),
    );
  } finally {
    await db.close();
  }
}

/**
 * While one client holds a connection of the pooler, the other prepares on a second one; when the first has been given
 * back, that is the one handed out next.
 */
async function isHandedOut(holder: pg.Client, prober: pg.Client): Promise<boolean> {
  const probe = async () => (await prober.query<{ backend: number }>(PROBE)).rows[0]?.backend;
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1');
    const before = await probe();
    await holder.query('COMMIT');
    return (await probe()) !== before;
  } catch (error) {
    throw explainStatementError(error) ?? error;
  }
}

async function hasTimeLimits(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has_limits: boolean }>(
    `SELECT bool_and(s.reset_val <> '0') AS has_limits FROM pg_settings s
     WHERE s.name IN ('statement_timeout', 'idle_in_transaction_session_timeout')`,
  );
  return rows[0]?.has_limits === true;
}

async function adviseTimeLimits(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  const database = `ALTER DATABASE ${rows[0]?.name ?? ''} SET`;
  return (
    'DATABASE_URL points to a pooler in transaction mode, so the service cannot limit how ' +
    `long a statement takes. Set the limits in the database: ${database} statement_timeout = '${STATEMENT_MS / 1000}s'; ` +
    `${database} idle_in_transaction_session_timeout = '${IDLE_IN_TRANSACTION_MS / 1000}s';`
  );
}
