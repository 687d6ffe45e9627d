// For reads of orders: node:http and one prepared statement through pg. An order is one row of finished JSON, found by
// its id; a list is the count from one row and a page of such rows, found by their place.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { readSettings } from '../servers/programs.js';

const pool = new pg.Pool({ ...readSettings<{ connection: pg.PoolConfig }>().connection, max: 10 });
const ORDER = 'SELECT r.json FROM bench_rows r WHERE r.id = $1';
const PAGE = `
  SELECT (SELECT c.count FROM bench_count c) AS count, (
    SELECT string_agg(r.json, ',' ORDER BY r.place) FROM bench_rows r
    WHERE r.place >= $1::integer AND r.place < $1::integer + $2::integer) AS list`;

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  void (pathname.startsWith('/v1/orders/') ? readOrder(pathname) : readPage(searchParams)).then((text) => {
    const body = Buffer.from(text);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
server.keepAliveTimeout = 72_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

async function readOrder(path: string): Promise<string> {
  const values = [path.slice(path.lastIndexOf('/') + 1)];
  const { rows } = await pool.query<{ json: string }>({ name: 'order', text: ORDER, values });
  return rows[0]?.json ?? '';
}

async function readPage(query: URLSearchParams): Promise<string> {
  const [index, size] = [Number(query.get('page_index')), Number(query.get('page_size'))];
  const values = [(index - 1) * size, size];
  const { rows } = await pool.query<{ count: number; list: string }>({ name: 'page', text: PAGE, values });
  return `{"page_index":${index},"page_size":${size},"count":${rows[0]?.count},"result_code":"000000","result_message":"Success","order_result_list":[${rows[0]?.list}]}`;
}
