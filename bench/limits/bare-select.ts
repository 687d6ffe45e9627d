// The limit for a read of one row: node:http, one prepared select by primary key through pg's pool, its JSON sent as it is.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const { connection, text } = JSON.parse(process.argv[2] ?? '{}') as {
  connection: pg.PoolConfig;
  text: string;
};
const pool = new pg.Pool({ ...connection, max: 10 });

const server = createServer((request, response) => {
  const id = request.url?.slice(request.url.lastIndexOf('/') + 1);
  pool.query<{ json: string }>({ name: 'row', text, values: [id] }).then(
    ({ rows }) => {
      const body = Buffer.from(rows[0]?.json ?? '');
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
