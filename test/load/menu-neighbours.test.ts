import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { itemsOf, menuClient, numberedMenu, type MenuClient } from '../harness/menu.js';
import { orderRequest, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

async function newMerchant(items: number): Promise<Tenant & { menu: MenuClient }> {
  const tenant = await createTenant(service);
  const menu = menuClient(service, tenant);
  expect((await menu.post(numberedMenu(1, items))).status).toBe(200);
  return { ...tenant, menu };
}

/** Counts what has been answered so far. */
function counted<T>(answers: readonly Promise<T>[]) {
  let count = 0;
  for (const answer of answers) void answer.then(() => (count += 1));
  return { count: () => count, all: Promise.all(answers) };
}

function headOf({ storeId, key }: Tenant, framing: string): string {
  return (
    `POST /v1/stores/${storeId}/menu_configuration/ HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n` +
    `content-type: application/json\r\n${framing}\r\n\r\n`
  );
}

/** Begins a body that does not tell its length and may come to the largest, and sends no more of it. */
function openSlowly({ url }: { readonly url: string }, tenant: Tenant): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${headOf(tenant, 'transfer-encoding: chunked')}1\r\n{\r\n`);
  return socket;
}

describe('a merchant whose menus take long', () => {
  it('makes nobody else wait for a publication', async () => {
    const hostile = await createTenant(service);
    const other = await newMerchant(1);
    const body = gzipSync(`{"items":[],"x":[${'{"a":[]},'.repeat(650_000)}1]}`);
    const long = counted(
      Array.from({ length: 4 }, () =>
        menuClient(service, hostile).post(body, { 'content-encoding': 'gzip' }),
      ),
    );
    expect((await other.menu.post(numberedMenu(2, 1))).status).toBe(200);
    expect(long.count()).toBeLessThan(2);
    expect((await long.all).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('makes no order wait, however slowly the bodies of menus come', async () => {
    const hostile = await Promise.all([createTenant(service), createTenant(service)]);
    for (const tenant of [...hostile, ...hostile]) openSlowly(service, tenant);
    const other = await createTenant(service);
    await wait(500);
    const { status } = await takeIn(service, other, orderRequest());
    expect(status).toBe(201);
  }, 10_000);

  it('makes nobody else wait for a publication, however many merchants send slowly', async () => {
    const hostile = await Promise.all(Array.from({ length: 6 }, () => createTenant(service)));
    const answered: string[] = [];
    for (const tenant of [...hostile, ...hostile]) {
      const socket = openSlowly(service, tenant);
      socket.on('data', (bytes: Buffer) => answered.push(bytes.toString()));
    }
    const other = await newMerchant(1);
    expect((await other.menu.post(numberedMenu(2, 1))).status).toBe(200);
    expect(answered).toEqual([]);
  });

  it('is refused when its bodies fall behind while others wait, and they get their room', async () => {
    // Room for eight large bodies, four of a merchant; only their pace can end them.
    const small = await service.replica({ menuBytes: 1024, requestSeconds: 600 });
    const hostile = await Promise.all([createTenant(service), createTenant(service)]);
    const other = await createTenant(service);
    const slow = [...hostile, ...hostile, ...hostile, ...hostile].map((tenant) => {
      const socket = openSlowly(small, tenant);
      socket.write(`258\r\n${' '.repeat(600)}\r\n`);
      return { socket, begun: once(socket, 'connect'), answer: once(socket, 'data') as Promise<[Buffer]> };
    });
    await Promise.all(slow.map(({ begun }) => begun));
    const answers = counted(slow.map(({ answer }) => answer));
    await wait(500);
    expect(answers.count()).toBe(0);
    const large = JSON.stringify(numberedMenu(1, 1)).padEnd(1000);
    expect((await menuClient(small, other).post(large)).status).toBe(200);
    const [answer] = await Promise.race(slow.map(({ answer }) => answer));
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*"Request Timeout"/);
    for (const { socket } of slow) socket.destroy();
    await small.stop();
  }, 20_000);

  it('gets all its menus published, however many large ones it sends at once', async () => {
    const small = await service.replica({ menuBytes: 400_000 });
    const tenant = await createTenant(service);
    const body = Buffer.from(JSON.stringify(numberedMenu(1, 1)).padEnd(390_000));
    const answers = await Promise.all(
      Array.from({ length: 9 }, async () => {
        const socket = connect(Number(new URL(small.url).port), '127.0.0.1');
        onTestFinished(() => void socket.destroy());
        socket.write(headOf(tenant, `content-length: ${body.length}`));
        for (let i = 0; i < body.length; i += 30_000) {
          socket.write(body.subarray(i, i + 30_000));
          await wait(20);
        }
        const [answer] = (await once(socket, 'data')) as [Buffer];
        return answer.toString().slice(0, 12);
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200']));
    await small.stop();
  }, 30_000);

  it('is told at once that a body has more values than a menu can have', async () => {
    const hostile = await createTenant(service);
    const body = gzipSync(`{"items":[${'{},'.repeat(5_500_000)}{}]}`);
    expect(body.length).toBeLessThan(80_000);
    const answer = await menuClient(service, hostile).post(body, { 'content-encoding': 'gzip' });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { detail: [{ type: 'json_invalid', ctx: { error: 'More than 2097152 values' } }] },
    ]);
  });

  it('makes nobody else wait for a menu, whatever it asks to be worked out', async () => {
    const hostile = await newMerchant(8_000);
    await hostile.menu.post(numberedMenu(2, 8_000));
    const other = await newMerchant(1);
    const asked = Array.from({ length: 40 }, (_, i) =>
      hostile.menu.manage(i % 2 === 0 ? `available?at=2026-01-05T12:30:${i + 10}Z` : `versions/1/diff/2?`),
    );
    const long = counted(asked);
    await service.db.query({
      name: 'test_touch',
      text: 'UPDATE menu_states SET stock_revision = stock_revision + 1',
    });
    expect((await other.menu.tree()).status).toBe(200);
    expect((await other.menu.post(numberedMenu(2, 1))).status).toBe(200);
    expect(long.count()).toBeLessThan(30);
    expect(new Set((await long.all).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('gets the same answer for the same question asked many times at once', async () => {
    const { menu } = await newMerchant(2_000);
    await menu.post(numberedMenu(2, 2_000));
    const answers = await Promise.all(Array.from({ length: 30 }, () => menu.manage('versions/1/diff/2')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });
});

describe('many changes of one menu at once', () => {
  /** The most that waited for a connection at any moment of the work. */
  async function mostWaiting(work: Promise<unknown>): Promise<number> {
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, service.db.usage().waiting)), 1);
    await work;
    clearInterval(timer);
    return most;
  }

  it('leave the connections to others when they are marks, and each is done', async () => {
    const { menu } = await newMerchant(300);
    const mark = (at: number) =>
      menu.manage<{ in_stock: boolean }>(`items/i${at}`, { method: 'PATCH', body: { in_stock: false } });
    const marks = Promise.all(Array.from({ length: 300 }, (_, i) => mark(i)));
    expect(await mostWaiting(marks)).toBeLessThan(10);
    expect((await marks).filter(({ status, body }) => status === 200 && !body.in_stock)).toHaveLength(300);
    const shown = itemsOf(await menu.tree());
    expect([shown.length, shown.filter((item) => item.in_stock).length]).toEqual([300, 0]);
  });

  it('leave the connections to others when they are publications, and each is a version', async () => {
    const { menu } = await newMerchant(1);
    const posts = Promise.all(Array.from({ length: 40 }, (_, i) => menu.post(numberedMenu(i + 2, 1))));
    expect(await mostWaiting(posts)).toBeLessThan(10);
    const tags = (await posts).map(({ headers }) => headers.get('etag')?.split('.')[0]);
    expect(new Set(tags).size).toBe(40);
  });
});

describe('a client that reads nothing', () => {
  it('does not make the service unpack version after version', async () => {
    const { menu, storeId, key } = await newMerchant(1);
    const large = numberedMenu(1, 5_000);
    const words = 'the same words over and over, '.repeat(80);
    await menu.post({
      ...large,
      items: large.items.map((item) => ({ ...item, ingredients: words })),
    });
    const whole = await menu.manage<{ items: unknown[] }>('versions/2');
    expect([whole.status, whole.body.items.length]).toEqual([200, 5_000]);

    const before = held();
    const port = Number(new URL(service.url).port);
    const sockets: Socket[] = Array.from({ length: 30 }, () => {
      const socket = connect({ port, host: '127.0.0.1' }).pause();
      socket.write(
        `GET /manage/v1/stores/${storeId}/menu/versions/2 HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`,
      );
      return socket;
    });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    // Each of them is 12 MB unpacked.
    expect(held() - before).toBeLessThan(100);
    for (const socket of sockets) socket.destroy();
  });
});

function held(): number {
  const { external, heapUsed } = process.memoryUsage();
  return (external + heapUsed) / 1024 / 1024;
}
