import { DatabaseUnavailable, StartupError } from '../support/errors.js';
import { lockFor } from './advisory-locks.js';
import type { Database, SharedDatabase, Transaction } from './database.js';

/** Small tables that every node needs: replicated to all. */
export const COPIED_TABLES = ['merchants', 'stores', 'api_keys', 'places', 'printers'] as const;

/** Tables sharded by store, co-located with the first one. */
export const SHARDED_TABLES = [
  'orders',
  'order_counts',
  'order_search',
  'order_history',
  'order_intake_keys',
  'order_numbers',
  'printer_tickets',
  'order_sales',
  'item_sales',
  'sales_progress',
  'events',
  'event_counters',
  'menu_entities',
  'menu_versions',
  'menu_marks',
  'menu_photos',
] as const;

/** Sharded by a column of its own: a photo is asked for by its address, which names no store. */
export const TABLES_OF_THEIR_OWN = { photos: 'id' } as const;

/** Functions that run on the node of the store they write to. */
const SHARDED_FUNCTIONS = [
  'append_events(integer, uuid[], text[], timestamptz[], text[])',
  'count_sales(integer, smallint, counted_orders[], counted_items[])',
  'fold_sales(integer, integer, integer)',
  'find_free_slot(integer, json)',
  'take_in_orders(integer, smallint, json)',
  'change_orders(integer, smallint, json, json, json)',
  'remove_orders(integer, smallint, timestamptz, integer)',
  'erase_customers(integer, json, json)',
];

/**
 * For a transaction that writes tables which refer to each other, before its first statement: Citus must do all of it over one
 * connection to each node. Elsewhere the setting means nothing.
 */
export const OVER_ONE_CONNECTION = `SET LOCAL citus.multi_shard_modify_mode = 'sequential'`;

/** Whether the tables are distributed over a Citus cluster. */
export function isDistributed(db: SharedDatabase): Promise<boolean> {
  return db.transaction(async (tx) => (await hasCitus(tx)) && (await listSpread(tx)).size > 0);
}

/** What a query of one value gives, on each node of a Citus cluster in their order, or on the one server. */
export async function askEachNode(db: SharedDatabase, name: string, query: string): Promise<string[]> {
  if (!(await isDistributed(db))) {
    const rows = await db.read<{ result: string }>({ name, text: `SELECT (${query})::text AS result` });
    return rows.map(({ result }) => result);
  }
  const rows = await db.read<{ success: boolean; result: string }>({
    name: `${name}-of-nodes`,
    text: 'SELECT n.success, n.result FROM run_command_on_all_nodes($1) n ORDER BY n.nodeid',
    values: [query],
  });
  return rows.map(({ success, result }) => {
    if (!success) throw new DatabaseUnavailable({ cause: new Error(result) });
    return result;
  });
}

/**
 * Distributes the tables of an installation over a Citus cluster and returns their names. Tables with rows are rejected, because
 * distributing them would block the service.
 */
export function distribute(db: Database): Promise<string[]> {
  return db.transaction(async (tx) => {
    await tx.client.query('SET LOCAL statement_timeout = 0');
    await lockFor(tx.client, 'migration');
    if (!(await hasCitus(tx)))
      throw new StartupError(
        'The database has no Citus. Run CREATE EXTENSION citus on every node, citus_set_coordinator_host and citus_add_node ' +
          'on the coordinator, then try again.',
      );
    await giveReplicaIdentities(tx);
    const spread = await listSpread(tx);
    const missing = [...COPIED_TABLES, ...SHARDED_TABLES, ...Object.keys(TABLES_OF_THEIR_OWN)].filter(
      (table) => !spread.has(table),
    );
    await refuseUnlessEmpty(tx, missing, spread.size > 0);
    await tx.client.query(OVER_ONE_CONNECTION);
    for (const table of missing) await spreadTable(tx, table);
    for (const signature of SHARDED_FUNCTIONS)
      await tx.client.query(`SELECT create_distributed_function($1, 'of_store', colocate_with => 'orders')`, [
        signature,
      ]);
    // Citus passes this on to every node, also to those that come later. The settings of a session stay on the first one.
    await tx.client.query('ALTER ROLE CURRENT_USER SET jit = off');
    return missing;
  });
}

/**
 * Citus moves shards between nodes by logical replication, which must be able to name a row that is deleted meanwhile. A
 * table without a primary key names it by all its columns: slow, and used only while its shards move.
 */
export async function giveReplicaIdentities(tx: Transaction): Promise<string[]> {
  const { rows } = await tx.client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.oid = ANY (SELECT to_regclass(t) FROM unnest($1::text[]) AS t) AND c.relreplident = 'd'
       AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)
     ORDER BY 1`,
    [[...COPIED_TABLES, ...SHARDED_TABLES]],
  );
  for (const { name } of rows) await tx.client.query(`ALTER TABLE ${name} REPLICA IDENTITY FULL`);
  return rows.map(({ name }) => name);
}

const PATIENCE = '3s';

/** The nodes of a Citus cluster that the first one cannot reach, as `host:port`. */
export function listSilentNodes(db: Database): Promise<string[]> {
  return db.transaction(async (tx) => {
    if (!(await hasCitus(tx))) return [];
    await tx.client.query(`SET LOCAL citus.node_connection_timeout = '${PATIENCE}'`);
    const { rows } = await tx.client.query<{ name: string }>(
      `SELECT n.nodename || ':' || n.nodeport AS name FROM pg_dist_node n
       WHERE n.isactive AND NOT citus_check_connection_to_node(n.nodename, n.nodeport) ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  });
}

async function hasCitus(tx: Transaction): Promise<boolean> {
  const { rowCount } = await tx.client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rowCount === 1;
}

async function listSpread(tx: Transaction): Promise<Set<string>> {
  const { rows } = await tx.client.query<{ name: string }>(
    'SELECT p.logicalrelid::text AS name FROM pg_dist_partition p',
  );
  return new Set(rows.map(({ name }) => name));
}

/** Tables whose rows are distributed too: the operator key of an earlier start, and one row per store. */
const SMALL_TABLES = ['api_keys', 'sales_progress'];

async function refuseUnlessEmpty(
  tx: Transaction,
  tables: readonly string[],
  isHalfDone: boolean,
): Promise<void> {
  const filled: string[] = [];
  for (const table of tables) {
    await tx.client.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    const { rowCount } = await tx.client.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount !== 0 && !SMALL_TABLES.includes(table)) filled.push(table);
  }
  if (filled.length === 0) return;
  throw new StartupError(
    isHalfDone
      ? `This installation is only partly distributed, and ${filled.join(', ')} cannot be distributed because they have rows. ` +
          'Make a backup (comanda backup) and restore it into a new installation that is already distributed.'
      : 'This installation has data, and only a new one can be distributed. Make a backup (comanda backup) and ' +
          'restore it into a new installation that is already distributed.',
  );
}

async function spreadTable(tx: Transaction, table: string): Promise<void> {
  const own = (TABLES_OF_THEIR_OWN as Readonly<Record<string, string>>)[table];
  if ((COPIED_TABLES as readonly string[]).includes(table))
    await tx.client.query('SELECT create_reference_table($1)', [table]);
  else if (own !== undefined)
    await tx.client.query(`SELECT create_distributed_table($1, $2, colocate_with => 'none')`, [table, own]);
  else
    await tx.client.query(`SELECT create_distributed_table($1, 'store_key', colocate_with => $2)`, [
      table,
      table === SHARDED_TABLES[0] ? 'none' : SHARDED_TABLES[0],
    ]);
}
