import type { Queryable } from './database.js';

/** PostgreSQL's own number, as 18.4. */
export async function readServerVersion(db: Queryable): Promise<string> {
  const [row] = await db.query<{ server_version: string }>({
    name: 'server_version',
    text: `SELECT split_part(current_setting('server_version'), ' ', 1) AS server_version`,
    repeatable: true,
  });
  return row?.server_version ?? 'of unknown version';
}
