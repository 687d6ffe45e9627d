import type { ClientBase } from 'pg';

/**
 * The schema of a database as SQL for a reader, from the catalogue: types, sequences, tables with their indexes. Functions are in
 * migrations/functions.sql. PostgreSQL 15 to 18 give the same text.
 */
export async function describeSchema(client: ClientBase): Promise<string> {
  await client.query('SET timezone = UTC');
  const parts = [TYPES, SEQUENCES, TABLES];
  const texts: string[] = [];
  for (const text of parts) {
    const { rows } = await client.query<{ sql: string }>(text);
    texts.push(...rows.map(({ sql }) => sql));
  }
  return texts.join('\n');
}

const TYPES = `
  SELECT CASE t.typtype
    WHEN 'e' THEN format(E'CREATE TYPE %I AS ENUM (\\n  %s\\n);\\n', t.typname,
      (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
    ELSE format(E'CREATE TYPE %I AS (\\n%s\\n);\\n', t.typname,
      (SELECT string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n' ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))
    END AS sql
  FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
  WHERE t.typnamespace = 'public'::regnamespace AND (t.typtype = 'e' OR c.relkind = 'c')
  ORDER BY t.typname COLLATE "C"`;

const SEQUENCES = `
  SELECT format(E'CREATE SEQUENCE %I AS %s;\\n', s.sequencename, s.data_type) AS sql
  FROM pg_sequences s WHERE s.schemaname = 'public' ORDER BY s.sequencename COLLATE "C"`;

/* PostgreSQL 18 lists NOT NULL among the constraints, and pg_get_indexdef names the schema. */
const TABLES = `
  SELECT format(E'CREATE TABLE %I (\\n%s\\n)%s;\\n', c.relname, concat_ws(E',\\n', columns.sql, constraints.sql),
      ' WITH (' || array_to_string(c.reloptions, ', ') || ')') || coalesce(indexes.sql, '') AS sql
  FROM pg_class c
  CROSS JOIN LATERAL (
    SELECT string_agg(concat_ws(' ', format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)),
        CASE WHEN a.attcollation <> t.typcollation THEN format('COLLATE %I', l.collname) END,
        CASE WHEN a.attstorage <> t.typstorage THEN 'STORAGE ' ||
          CASE a.attstorage WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' WHEN 'x' THEN 'EXTENDED' ELSE 'PLAIN' END END,
        CASE WHEN a.attnotnull THEN 'NOT NULL' END,
        'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)), E',\\n' ORDER BY a.attnum) AS sql
    FROM pg_attribute a
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  ) AS columns
  CROSS JOIN LATERAL (
    SELECT string_agg('  ' || pg_get_constraintdef(k.oid), E',\\n'
      ORDER BY k.contype <> 'p', k.conname COLLATE "C") AS sql
    FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype <> 'n'
  ) AS constraints
  CROSS JOIN LATERAL (
    SELECT string_agg(replace(pg_get_indexdef(i.indexrelid), ' ON public.', ' ON ') || E';\\n', ''
      ORDER BY n.relname COLLATE "C") AS sql
    FROM pg_index i JOIN pg_class n ON n.oid = i.indexrelid
    WHERE i.indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
  ) AS indexes
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
  ORDER BY c.relname COLLATE "C"`;
