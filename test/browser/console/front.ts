import { once } from 'node:events';
import { createServer, request as askBehind, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Front {
  readonly url: string;
  /** Lets nothing through any more, as if the service were gone, or leads to the service at another address. */
  leadTo(url: string | undefined): void;
  /** Streams stay open, but nothing more comes through them, be it a new one. Everything else does. */
  silenceStreams(isSilent: boolean): void;
  close(): Promise<void>;
}

/** One address in front of a service that can go away, come back as another process, or fall silent. */
export async function openFront(target: string): Promise<Front> {
  let behind: string | undefined = target;
  let isSilent = false;
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    if (behind === undefined) {
      request.socket.destroy();
      return;
    }
    const { method, headers, url = '' } = request;
    const asked = askBehind(behind + url, { method, headers }, (answer) => {
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (piece: Buffer) => {
        if (!isStream || !isSilent) response.write(piece);
      });
      answer.on('end', () => response.end());
      answer.on('error', () => response.destroy());
      response.on('close', () => answer.destroy());
    });
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  };
  const server = createServer(pass).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => {
      behind = url;
      if (url === undefined) server.closeAllConnections();
    },
    silenceStreams: (is) => (isSilent = is),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
