// The limit for a read of one row: node:http, one prepared select by primary key through pg's pool, its JSON sent as it is.
import pg from 'pg';
import { serveJson } from './serve-json.js';

const { connection, text } = JSON.parse(process.argv[2] ?? '{}') as {
  connection: pg.PoolConfig;
  text: string;
};
const pool = new pg.Pool({ ...connection, max: 10 });

serveJson(async ({ url }) => {
  const id = url?.slice(url.lastIndexOf('/') + 1);
  const { rows } = await pool.query<{ json: string }>({ name: 'row', text, values: [id] });
  return rows[0]?.json ?? '';
});
