import { once } from 'node:events';
import { createServer } from 'node:http';
import { StartRefused } from '../domain/errors.js';

export interface MetricsListener {
  close(): Promise<void>;
}

/** A port for the metrics alone, which needs no key because only the host's own tools can reach it. */
export async function listenForMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  readMetrics: () => Promise<string>,
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}');
      return;
    }
    readMetrics().then(
      (text) =>
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(503, { 'content-type': 'application/json' }).end('{"detail":"Not ready"}'),
    );
  }).listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new StartRefused(
      `COMANDA_METRICS_PORT ${port} on ${host} cannot be listened on (${(error as Error).message}). Set it to a free port.`,
    );
  });
  return {
    close: async () => {
      const isClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await isClosed;
    },
  };
}
