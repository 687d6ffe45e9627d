import type pg from 'pg';

export interface Column {
  readonly name: string;
  /** A row need not state it. */
  readonly isOptional: boolean;
}

/** The columns of a table in their own order. */
export async function readColumns(client: pg.ClientBase, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>({
    name: 'table_columns',
    text: `SELECT a.attname AS name, NOT a.attnotnull OR a.atthasdef AS "isOptional"
           FROM pg_attribute a
           WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
           ORDER BY a.attnum`,
    values: [table],
  });
  return rows;
}
