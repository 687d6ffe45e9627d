import { StartRefused } from '../domain/errors.js';
import { lockFor } from './advisory-locks.js';
import type { Database, Transaction } from './database.js';

/** Small, and needed wherever a store's rows are: copied to every node. */
export const COPIED_TABLES = ['merchants', 'stores', 'api_keys'] as const;

/** Rows of stores, each on the node of its store: the others are placed where the first has the same store. */
export const SHARDED_TABLES = [
  'orders',
  'order_counts',
  'order_search',
  'order_history',
  'order_intake_keys',
  'events',
  'event_counters',
  'menu_entities',
  'menu_versions',
  'menu_marks',
] as const;

/** What writes a store's rows runs whole on the node that has them. */
const SHARDED_FUNCTIONS = [
  'append_events(integer, uuid[], text[], timestamptz[], text[])',
  'take_in_orders(integer, smallint, json)',
  'take_in_checked_orders(integer, smallint, json, json)',
  'change_orders(integer, smallint, json, json, json)',
];

/** Answers whether the tables are spread over the nodes of a Citus cluster. */
export function isDistributed(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => (await hasCitus(tx)) && (await listSpread(tx)).size > 0);
}

/**
 * Spreads the tables of an installation over the nodes of a Citus cluster; returns the names of those that it spread. Only
 * an empty table can be spread while nobody notices, so one with rows is refused.
 */
export function distribute(db: Database): Promise<string[]> {
  return db.transaction(async (tx) => {
    await tx.client.query('SET LOCAL statement_timeout = 0');
    await lockFor(tx.client, 'migration');
    if (!(await hasCitus(tx)))
      throw new StartRefused(
        'The database has no Citus: run CREATE EXTENSION citus on every node, citus_set_coordinator_host and citus_add_node ' +
          'on the first, and then this again.',
      );
    const spread = await listSpread(tx);
    const missing = [...COPIED_TABLES, ...SHARDED_TABLES].filter((table) => !spread.has(table));
    await refuseUnlessEmpty(tx, missing, spread.size > 0);
    // Tables and functions that refer to each other go to the nodes over one connection each.
    await tx.client.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
    for (const table of missing) await spreadTable(tx, table);
    if (missing.length > 0)
      for (const signature of SHARDED_FUNCTIONS)
        await tx.client.query(
          `SELECT create_distributed_function($1, 'of_store', colocate_with => 'orders')`,
          [signature],
        );
    return missing;
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

async function refuseUnlessEmpty(
  tx: Transaction,
  tables: readonly string[],
  isHalfDone: boolean,
): Promise<void> {
  const filled: string[] = [];
  for (const table of tables) {
    await tx.client.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    const { rowCount } = await tx.client.query(`SELECT FROM ${table} LIMIT 1`);
    // The key of the operator may be there from a start of the service, and goes along.
    if (rowCount !== 0 && table !== 'api_keys') filled.push(table);
  }
  if (filled.length === 0) return;
  throw new StartRefused(
    isHalfDone
      ? `Only a part of this installation is spread over the nodes, and ${filled.join(', ')} would have to follow with rows in use. ` +
          'Make a backup (comanda backup), and restore it into a new installation that was spread before.'
      : 'This installation is in use, and only a new one can be spread over the nodes. Make a backup (comanda backup), and ' +
          'restore it into a new installation that was spread before.',
  );
}

async function spreadTable(tx: Transaction, table: string): Promise<void> {
  if ((COPIED_TABLES as readonly string[]).includes(table))
    await tx.client.query('SELECT create_reference_table($1)', [table]);
  else
    await tx.client.query(`SELECT create_distributed_table($1, 'store_key', colocate_with => $2)`, [
      table,
      table === SHARDED_TABLES[0] ? 'none' : SHARDED_TABLES[0],
    ]);
}
