// The reference for reads from memory: a node:http server that only sends the same bytes every time.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { status, headers, file } = JSON.parse(process.argv[2] ?? '{}') as {
  status: number;
  headers: Record<string, string>;
  file?: string;
};
const body = file === undefined ? undefined : readFileSync(file);
const head = body === undefined ? headers : { ...headers, 'content-length': body.length };

const server = createServer((_request, response) => {
  response.writeHead(status, head);
  response.end(body);
});
server.keepAliveTimeout = 72_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
