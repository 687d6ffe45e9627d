import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The response that Node is sending, or waiting for, on a connection. It tells nobody but the socket itself. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/**
 * Returns what closes every connection on which nothing is to be answered. Node's own closeIdleConnections spares those
 * that have not brought a whole request yet, such as the ones that browsers and balancers open ahead.
 */
export function watchConnections(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open)
      if (responseUnderWay(socket) === undefined && socket.writableLength === 0) socket.destroy();
  };
}
