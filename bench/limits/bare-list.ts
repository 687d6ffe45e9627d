// The limit for a list: node:http, one prepared statement for the count from one row and the rows of a page, each of
// them finished JSON text, found by their place.
import pg from 'pg';
import { serveJson } from './serve-json.js';

const { connection } = JSON.parse(process.argv[2] ?? '{}') as { connection: pg.PoolConfig };
const pool = new pg.Pool({ ...connection, max: 10 });

const text = `
  SELECT (SELECT c.count FROM bench_count c) AS count, (
    SELECT string_agg(r.json, ',' ORDER BY r.place) FROM bench_listed r
    WHERE r.place >= $1::integer AND r.place < $1::integer + $2::integer) AS list`;

serveJson(async (request) => {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const index = Number(searchParams.get('page_index') ?? 1);
  const size = Number(searchParams.get('page_size') ?? 20);
  const values = [(index - 1) * size, size];
  const { rows } = await pool.query<{ count: number; list: string }>({ name: 'page', text, values });
  return `{"page_index":${index},"page_size":${size},"count":${rows[0]?.count},"result_code":"000000","result_message":"Success","order_result_list":[${rows[0]?.list}]}`;
});
