import { expect, it } from 'vitest';
import { BACKUP_SEQUENCES, BACKUP_TABLES, TABLES_LEFT_OUT } from '../../src/upkeep/backup.sql.js';
import { useService } from '../harness/service.js';

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
