import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bare server that sends the JSON text it is given for a request, and tells where it listens. */
export function serveJson(read: (request: IncomingMessage) => Promise<string>): void {
  const server = createServer((request, response) => {
    read(request).then(
      (text) => {
        const body = Buffer.from(text);
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
}
