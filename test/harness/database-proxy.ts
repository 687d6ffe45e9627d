import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { PoolConfig } from 'pg';

export interface DatabaseProxy {
  readonly port: number;
  /** The database goes away: connections break, and so does every new one, but nobody else can take the port. */
  shut(): void;
  open(): void;
  /** Open connections stay open, but nothing goes through them any more; new ones work. */
  silence(): void;
  /** How often a named statement has been run through it. */
  countRuns(statement: string): number;
  close(): Promise<void>;
}

/** A door in front of the database that a test can shut. */
export async function createDatabaseProxy(target: PoolConfig): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const runs = new Map<string, number>();
  let isShut = false;

  const server = createServer((client) => {
    if (isShut) {
      client.on('error', () => undefined).destroy();
      return;
    }
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
    client.on('data', (bytes) => countBinds(bytes, runs));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const shut = () => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    shut,
    open: () => {
      isShut = false;
    },
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    countRuns: (statement) => runs.get(statement) ?? 0,
    close: async () => {
      shut();
      server.close();
      await once(server, 'close');
    },
  };
}

function connectTo({ host = '127.0.0.1', port = 5432 }: PoolConfig): Socket {
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
}

/** Bind names the portal, which is unnamed, and then the statement; what is cut between two packets is not counted. */
function countBinds(bytes: Buffer, runs: Map<string, number>): void {
  for (const [, name = ''] of bytes.toString('latin1').matchAll(/B[^]{4}\0([\w-]+)\0/g))
    runs.set(name, (runs.get(name) ?? 0) + 1);
}
