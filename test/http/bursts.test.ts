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

it.runIf(mostWaiting() > BURST)(
  'lets a burst of connections in at once, none after a second try',
  async () => {
    const sockets = Array.from({ length: BURST }, open);
    const begun = performance.now();
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    // A system that has no room for a connection drops it, and the other side tries again after a second.
    expect(performance.now() - begun).toBeLessThan(950);
    for (const socket of sockets) socket.destroy();
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
