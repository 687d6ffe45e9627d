import { expect, it } from 'vitest';
import { BACKUP_SEQUENCES, BACKUP_TABLES } from '../../src/upkeep/backup.sql.js';
import { useService } from '../harness/service.js';

/** Tables that stay out of a backup, and why. */
const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  schema_migrations:
    'an installation migrates itself; the archive only tells the number of the newest migration',
  schema_functions: 'the same: which texts of the functions it has had',
  idempotent_answers: 'kept for a day, and nearly all belong to operator keys, which are not in the archive',
  webhook_deliveries: 'a record of what one installation has sent, kept for 30 days',
  order_counts: 'counted anew from the orders',
  order_search: 'made anew from the orders',
  console_sessions: 'each browser signs in again',
  console_codes: 'good for ten minutes',
  deleted_stores: 'what one installation has deleted, another has never had',
  deleted_merchants: 'the same',
  upkeep_turns: 'who cleans up next is the affair of one installation',
  event_epoch: 'each installation has its own, so that no cursor of one is taken for a place in another',
};

const service = await useService();

const namesOf = async (kind: string) => {
  const rows = await service.db.query<{ name: string }>({
    name: 'relations',
    text: `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = $1`,
    values: [kind],
  });
  return rows.map(({ name }) => name).sort();
};

it('lists every table of the schema, in the archive or left out with a reason', async () => {
  const listed = [...BACKUP_TABLES.map(({ name }) => name), ...Object.keys(TABLES_LEFT_OUT)];
  expect(listed.sort()).toEqual(await namesOf('r'));
});

it('lists every sequence of the schema', async () => {
  expect(BACKUP_SEQUENCES.map(({ name }) => name).sort()).toEqual(await namesOf('S'));
});

it('sorts every table by its whole primary key', async () => {
  const keys = await service.db.query<{ table: string; columns: string }>({
    name: 'primary_keys',
    text: `SELECT i.indrelid::regclass::text AS table, string_agg(a.attname, ', ' ORDER BY k.position) AS columns
           FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (attnum, position)
           JOIN pg_attribute a ON a.attnum = k.attnum
           WHERE i.indisprimary AND a.attrelid = i.indrelid GROUP BY i.indrelid`,
  });
  for (const { name, sortedBy } of BACKUP_TABLES) {
    const columns = keys.find(({ table }) => table === name)?.columns;
    expect([name, sortedBy.replaceAll(' COLLATE "C"', '')]).toEqual([name, columns]);
  }
});
