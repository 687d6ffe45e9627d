import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that a system gives to outgoing connections and to whoever listens on port 0 (from 32768 on Linux,
// from 49152 on macOS): between the check here and the child that listens seconds later, nobody is handed one of these.
const FIRST_PORT = 10_000;
const PORTS = 22_000;
const PORTS_PER_PROCESS = 50;
let taken = 0;

/** A port for a child process, never the same one twice; two test processes begin at different places. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < PORTS; attempt += 1) {
    const port = FIRST_PORT + ((process.pid * PORTS_PER_PROCESS + taken) % PORTS);
    taken += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
