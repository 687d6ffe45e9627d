import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Everything that has come whole, in the order in which it came. */
  readonly requests: ReceivedRequest[];
  /** The most requests that were under way at once. */
  mostAtOnce(): number;
  connections(): number;
}

/** Answers a request that has come whole. */
export type Behave = (request: ReceivedRequest, response: ServerResponse, socket: Socket) => unknown;

/** A receiver of webhooks on the loopback, ended with the test. */
export async function startReceiver(behave: Behave = (_, response) => response.end()): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let [atOnce, most, connections] = [0, 0, 0];
  const server = createServer((request, response) => {
    most = Math.max(most, (atOnce += 1));
    response.once('close', () => (atOnce -= 1));
    void readAll(request).then(
      (body) => {
        const { method = '', url = '', headers } = request;
        const received = { method, path: url, headers, body };
        requests.push(received);
        void behave(received, response, request.socket);
      },
      () => undefined,
    );
  });
  server.on('connection', () => (connections += 1));
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    requests,
    mostAtOnce: () => most,
    connections: () => connections,
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
