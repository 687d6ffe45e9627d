import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type Service } from '../harness/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ requestSeconds: 1 });
});
afterAll(() => service.stop());

const open = (): Socket => connect(Number(new URL(service.url).port), '127.0.0.1');
const ASK = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

/** Nothing else runs meanwhile. */
function stall(ms: number): void {
  const begun = performance.now();
  while (performance.now() - begun < ms);
}

/** How many connections the system lets wait. */
function mostWaiting(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}

const BURST = 1_500;
const ESTABLISHED = '01';

/** How far the system is with each connection from here to the port. */
function statesOfConnections(port: number): string[] {
  const to = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, , remote, state]) => (remote === to && state !== undefined ? [state] : []));
}

it.runIf(mostWaiting() > BURST)(
  'has room for a burst of connections before it accepts the first',
  async () => {
    const port = Number(new URL(service.url).port);
    const isEstablished = (state: string) => state === ESTABLISHED;
    const before = statesOfConnections(port).filter(isEstablished).length;
    const sockets = Array.from({ length: BURST }, open);
    // Node connects before anything else happens. What finds no room is dropped, and tried again only after a second.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const states = statesOfConnections(port);
    for (const socket of sockets) socket.destroy();
    expect(states.filter(isEstablished)).toHaveLength(before + BURST);
  },
);

it('answers what arrived while nothing could be done, however long that was', async () => {
  const [used, fresh] = [open(), open()];
  used.write(ASK);
  const [first] = (await once(used, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 200/);
  for (const socket of [used, fresh]) socket.write(ASK);
  stall(4_000);
  for (const socket of [used, fresh]) {
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  }
});
