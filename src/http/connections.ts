import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The response that Node is sending, or waiting for, on a connection. It tells nobody but the socket itself. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

export interface OpenConnections {
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
}

/**
 * Node's own closeIdleConnections spares connections that have not brought a whole request yet, such as the ones that
 * browsers and balancers open ahead, but not those whose answer is still being sent; and it knows, like its
 * closeAllConnections, only those that have got to its parser. Closing the server calls it: it is replaced by ours.
 */
export function watchConnections(server: Server): OpenConnections {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = () => {
    for (const socket of open) if (isIdle(socket)) socket.destroy();
  };
  server.closeIdleConnections = closeIdle;
  return {
    closeIdle,
    closeAll: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Nothing unread, nothing to be answered, nothing unsent. */
function isIdle(socket: Socket): boolean {
  return socket.readableLength === 0 && responseUnderWay(socket) === undefined && socket.writableLength === 0;
}
