import { expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/postgres/database.js';
import {
  COPIED_TABLES,
  distribute,
  giveReplicaIdentities,
  isDistributed,
  SHARDED_TABLES,
  TABLES_OF_THEIR_OWN,
} from '../../src/postgres/citus-tables.js';
import { isOnCitus } from '../harness/citus.js';
import { createDatabase } from '../harness/service.js';

/** On the first node of a cluster alone; see docs/decisions/0011-citus.md. */
const STAYING = [
  'audit_entries',
  'console_codes',
  'console_sessions',
  'deleted_merchants',
  'deleted_stores',
  'erased_orders',
  'event_epoch',
  'idempotent_answers',
  'menu_publications',
  'menu_states',
  'schema_functions',
  'schema_migrations',
  'upkeep_turns',
  'webhook_cursors',
  'webhook_deliveries',
  'webhook_parked',
  'webhooks',
];

it.skipIf(isOnCitus)(
  'knows of every table where its rows go in a cluster, and asks for Citus where there is none',
  async () => {
    const db = openDatabase({
      connection: { ...inject('server'), database: inject('template') },
      poolSize: 1,
    });
    const tables = await db.query<{ name: string }>({
      name: 'test_tables',
      text: `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
    });
    expect(tables.map(({ name }) => name).sort()).toEqual(
      [...COPIED_TABLES, ...SHARDED_TABLES, ...Object.keys(TABLES_OF_THEIR_OWN), ...STAYING].sort(),
    );
    expect(await isDistributed(db)).toBe(false);
    await expect(distribute(db)).rejects.toThrow('The database has no Citus');
    await db.close();
  },
);

it.skipIf(isOnCitus)('gives every table that goes to the nodes a replica identity', async () => {
  const { connection, drop } = await createDatabase(inject('template'));
  const db = openDatabase({ connection, poolSize: 1 });
  expect(await db.transaction((tx) => giveReplicaIdentities(tx))).toEqual(['order_search']);
  const lacking = await db.query({
    name: 'test_identities',
    text: `SELECT c.relname FROM pg_class c
           WHERE c.relname = ANY ($1::text[]) AND c.relreplident <> 'f'
             AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`,
    values: [[...COPIED_TABLES, ...SHARDED_TABLES]],
  });
  expect(lacking).toEqual([]);
  expect(await db.transaction((tx) => giveReplicaIdentities(tx))).toEqual([]);
  await db.close();
  await drop();
});
