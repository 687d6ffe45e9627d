// The limit for a list: node:http, one prepared statement for the count from one row and the rows of a page, each of
// them finished JSON text, found by their place.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const { connection } = JSON.parse(process.argv[2] ?? '{}') as { connection: pg.PoolConfig };
const pool = new pg.Pool({ ...connection, max: 10 });

const text = `
  SELECT (SELECT c.count FROM bench_count c) AS count, (
    SELECT string_agg(r.json, ',' ORDER BY r.place) FROM bench_listed r
    WHERE r.place >= $1::integer AND r.place < $1::integer + $2::integer) AS list`;

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const index = Number(searchParams.get('page_index') ?? 1);
  const size = Number(searchParams.get('page_size') ?? 20);
  pool
    .query<{ count: number; list: string }>({ name: 'page', text, values: [(index - 1) * size, size] })
    .then(
      ({ rows: [row] }) => {
        const body = Buffer.from(
          `{"page_index":${index},"page_size":${size},"count":${row?.count},"result_code":"000000","result_message":"Success","order_result_list":[${row?.list}]}`,
        );
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
        response.end(body);
      },
      (error: unknown) => {
        response.writeHead(500, { 'content-length': 0 });
        response.end();
        process.stderr.write(`${String(error)}\n`);
      },
    );
});
server.keepAliveTimeout = 72_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
