import { expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/db/database.js';
import { COPIED_TABLES, distribute, isDistributed, SHARDED_TABLES } from '../../src/db/citus-tables.js';
import { isOnCitus } from '../harness/citus.js';

/** On the first node of a cluster alone; see docs/decisions/0011-citus.md. */
const STAYING = [
  'console_codes',
  'console_sessions',
  'deleted_merchants',
  'deleted_stores',
  'event_epoch',
  'idempotent_answers',
  'menu_states',
  'schema_migrations',
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
      [...COPIED_TABLES, ...SHARDED_TABLES, ...STAYING].sort(),
    );
    expect(await isDistributed(db)).toBe(false);
    await expect(distribute(db)).rejects.toThrow('The database has no Citus');
    await db.close();
  },
);
