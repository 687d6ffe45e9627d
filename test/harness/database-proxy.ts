import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { PoolConfig } from 'pg';

export interface DatabaseProxy {
  readonly port: number;
  /** The database goes away: connections break, new ones are refused. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Open connections stay open, but nothing goes through them any more; new ones work. */
  silence(): void;
}

/** A door in front of the database that a test can shut. */
export async function createDatabaseProxy(target: PoolConfig): Promise<DatabaseProxy> {
  let server: Server | undefined;
  const sockets = new Set<Socket>();
  let port = 0;

  const open = async () => {
    if (server !== undefined) return;
    server = createServer((client) => {
      const upstream = connectTo(target);
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const close = async () => {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    closing.close();
    for (const socket of sockets) socket.destroy();
    await once(closing, 'close');
  };

  const silence = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };

  await open();
  return { port, open, close, silence };
}

function connectTo({ host = '127.0.0.1', port = 5432 }: PoolConfig): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
}
