import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { takeIn } from '../harness/orders.js';
import { openForPaper, type PrinterBody } from '../harness/printer.js';
import { useService } from '../harness/service.js';
import { decodeEscPos } from '../printers/decode.js';
import { comanda } from './command-line.js';

const service = await useService();
const tenant = await openForPaper(service);
const { storeId, key, manage } = tenant;
const run = (...words: string[]) => comanda(['--url', service.url, '--key', key, ...words]);

it('adds, lists, shows, tests, rotates and removes printers', async () => {
  const added = await run(
    'printers',
    'add',
    storeId,
    'Bar',
    '--prep-type',
    'bar',
    '--columns',
    '32',
    '--json',
  );
  expect(added.code).toBe(0);
  const [printer] = JSON.parse(added.out) as PrinterBody[];
  expect(printer).toMatchObject({ label: 'Bar', protocol: 'cloudprnt', prep_types: ['bar'], columns: 32 });
  expect((await run('printers', 'list', storeId)).out).toContain(printer?.url);
  expect((await run('printers', 'show', storeId, 'Bar')).out).toMatch(/online\s+false/);
  expect((await run('printers', 'test', storeId, 'Bar')).out).toBe(
    'Bar prints a test ticket when it asks for the next job.\n',
  );
  expect((await run('printers', 'rotate', storeId, 'Bar')).code).toBe(2);
  const rotated = await run('printers', 'rotate', storeId, 'Bar', '--yes');
  expect(rotated.out).not.toContain(printer?.url);
  expect((await run('printers', 'remove', storeId, 'Bar', '--yes')).out).toBe('Removed Bar.\n');
  expect((await run('printers', 'remove', storeId, 'Bar', '--yes')).code).toBe(5);
});

/** A network printer: answers DLE EOT, and keeps what it is sent. */
async function startNetworkPrinter() {
  const state = { cause: 0x12, paper: 0x12, answers: true, diesOnce: false };
  const received: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      for (let i = 0; i < bytes.length; i += 1)
        if (bytes[i] === 0x10 && bytes[i + 1] === 0x04) {
          if (state.answers) socket.write(Uint8Array.of(bytes[i + 2] === 4 ? state.paper : state.cause));
          i += 2;
        } else if (state.diesOnce) {
          state.diesOnce = false;
          socket.destroy();
          return;
        } else received.push(bytes[i] ?? 0);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    drop();
    server.close();
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { state, address, drop, printed: () => decodeEscPos(Uint8Array.from(received)) };
}

it('bridges tickets to a network printer, which prints nothing while it has no paper', async () => {
  const { id, url } = await tenant.addPrinter({ label: 'Bridge', protocol: 'bridge' });
  const printer = await startNetworkPrinter();
  printer.state.paper = 0x72;
  const order = () =>
    takeIn(service, tenant, { status: 'ACCEPTED', items: [{ name: 'Crème brûlée', quantity: 2 }] });
  await order();
  const bridge = comanda(['printers', 'bridge', url, '--to', printer.address, '--count', '2']);
  const shown = async () => (await manage<Record<string, unknown>>('GET', `/printers/${id}`)).body;
  await expect.poll(async () => (await shown())['trouble'], { timeout: 20_000 }).toBe('paper_out');
  expect(printer.printed().lines).toEqual([]);
  printer.drop();
  printer.state.paper = 0x12;
  await expect.poll(async () => (await shown())['behind'], { timeout: 20_000 }).toBe(0);
  await order();
  const { code, err } = await bridge;
  expect(code).toBe(0);
  expect(err).toContain('The printer prints nothing: paper out.');
  const { lines, cuts } = printer.printed();
  expect([cuts, lines.filter(({ text }) => text === '2 x Crème brûlée')]).toEqual([
    2,
    [
      { text: '2 x Crème brûlée', isLarge: false, isBold: true },
      { text: '2 x Crème brûlée', isLarge: false, isBold: true },
    ],
  ]);
  expect(await shown()).toMatchObject({ paper: 'ok', cover: 'closed', behind: 0, online: true });
});

it('prints again, marked, what a printer that says nothing had not printed when it went away', async () => {
  const { url } = await tenant.addPrinter({ label: 'Silent', protocol: 'bridge' });
  const printer = await startNetworkPrinter();
  Object.assign(printer.state, { answers: false, diesOnce: true });
  await takeIn(service, tenant, { status: 'ACCEPTED' });
  const { code, err } = await comanda(['printers', 'bridge', url, '--to', printer.address, '--count', '1']);
  expect([code, err]).toEqual([0, expect.stringContaining('has ended the connection. Trying again.')]);
  const [kind, mark] = printer.printed().lines;
  expect([kind?.text, mark?.text]).toEqual(['NEW', 'REPEAT, may be']);
});

it('follows a merchant that has moved, and tries again whatever else the service answers', async () => {
  const { url } = await tenant.addPrinter({ label: 'Moved', protocol: 'bridge' });
  await takeIn(service, tenant, { status: 'ACCEPTED' });
  const statuses = [502, 404, 421];
  const oldPlace = createHttpServer((_, response) => {
    response.writeHead(statuses.shift() ?? 421, { location: service.url }).end('<html>');
  });
  await new Promise<void>((resolve) => {
    oldPlace.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void oldPlace.close());
  const { port } = oldPlace.address() as AddressInfo;
  const printer = await startNetworkPrinter();
  const old = `http://127.0.0.1:${port}${new URL(url).pathname}`;
  const { code, err } = await comanda(['printers', 'bridge', old, '--to', printer.address, '--count', '1']);
  expect([code, err]).toEqual([0, expect.stringContaining(`The tickets are at ${url} now. Trying again.`)]);
  expect(printer.printed().lines[0]?.text).toBe('NEW');
});

it('ends where the service knows no such printer, or one with another protocol', async () => {
  const { address } = await startNetworkPrinter();
  const bridge = (url: string) => comanda(['printers', 'bridge', url, '--to', address]);
  const unknown = await bridge(`${service.url}/print/${'a'.repeat(26)}`);
  expect([unknown.code, unknown.err]).toEqual([
    5,
    expect.stringContaining('The service knows no printer with the address'),
  ]);
  for (const protocol of ['cloudprnt', 'epson']) {
    const { url } = await tenant.addPrinter({ label: protocol, protocol });
    await takeIn(service, tenant, { status: 'ACCEPTED' });
    const { code, err } = await bridge(url);
    expect([code, err]).toEqual([5, expect.stringContaining('has another protocol than bridge')]);
  }
});

it.each(['192.168.1.50:99999', '192.168.1.50:0', '192.168.1.50:', ':9100'])(
  'refuses %s as the address of a network printer',
  async (to) => {
    const { code, err } = await comanda(['printers', 'bridge', `${service.url}/print/x`, '--to', to]);
    expect([code, err]).toEqual([2, 'Error: --to is an address, such as 192.168.1.50:9100.\n']);
  },
);
