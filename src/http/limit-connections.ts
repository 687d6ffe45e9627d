import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

const SAY_AGAIN_MS = 60_000;

/**
 * Cuts connections past the number for which there are file descriptors: each of them would take one that the database or a
 * file needs. Node's own maxConnections lets several processes hand such a connection to one another without end.
 */
export function limitConnections(server: Server, most: number, log: Logger): void {
  let open = 0;
  let saidAt = -Infinity;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open <= most) return;
    socket.destroy();
    if (performance.now() - saidAt < SAY_AGAIN_MS) return;
    saidAt = performance.now();
    log.warn(
      `${most} connections are open, and the limit on open files has no room for more: new ones are cut. ` +
        'Raise it (ulimit -n, or LimitNOFILE of the systemd unit), or have a proxy in front share connections.',
    );
  });
}
