import { once, type EventEmitter } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/postgres/database.js';
import { Overloaded, DatabaseUnavailable } from '../../src/support/errors.js';
import { createDatabaseProxy } from '../harness/database-proxy.js';
import { createDatabase } from '../harness/service.js';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await createDatabase();
  drop = created.drop;
  db = openDatabase({ connection: created.connection, poolSize: 2, statementTimeoutMs: 300 });
});
afterAll(async () => {
  await db.close();
  await drop();
});

const lock = { name: 'lock', text: 'SELECT pg_advisory_xact_lock(1)' };
const sleep = { name: 'sleep', text: 'SELECT pg_sleep(60)' };

it('is unavailable to a statement that takes too long, and available to the next', async () => {
  await expect(db.query(sleep)).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(db.transaction((tx) => tx.query(sleep))).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(await db.query({ name: 'one', text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

it('is unavailable to a transaction that waits too long for another', async () => {
  await db.transaction(async (tx) => {
    await tx.query(lock);
    await expect(db.transaction((other) => other.query(lock))).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});

it('is unavailable to whoever still asks after it was closed', async () => {
  const created = await createDatabase();
  const closed = openDatabase({ connection: created.connection, poolSize: 1 });
  await closed.close();
  await expect(closed.query({ name: 'one', text: 'SELECT 1' })).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(closed.transaction((tx) => tx.query(lock))).rejects.toBeInstanceOf(DatabaseUnavailable);
  await created.drop();
});

it.concurrent('leaves the others their connections while one merchant holds all of its own', async () => {
  const created = await createDatabase();
  const shared = openDatabase({ connection: created.connection, poolSize: 5 });
  const hold = { name: 'hold', text: 'SELECT pg_sleep(1.5)' };
  const holding = [
    ...Array.from({ length: 30 }, () => shared.forTenant({ merchantId: 'a', storeKey: 1 }).query(hold)),
    ...Array.from({ length: 30 }, () => shared.forTenant({ merchantId: 'a', storeKey: 2 }).query(hold)),
  ].map((query) =>
    query.then(
      () => 'held',
      (error: unknown) => error,
    ),
  );
  let done = 0;
  for (const query of holding) void query.then(() => (done += 1));
  const one = { name: 'one', text: 'SELECT 1 AS one' };
  for (let round = 0; round < 20; round += 1) {
    expect(await shared.forTenant({ merchantId: 'b', storeKey: 3 }).query(one)).toEqual([{ one: 1 }]);
    expect(await shared.query(one)).toEqual([{ one: 1 }]);
  }
  // Long before the merchant that holds its own is through.
  expect(done).toBeLessThan(holding.length);
  // Three at a time, a second and a half each: whoever would wait for more than five seconds is told so.
  const outcomes = await Promise.all(holding);
  expect(outcomes.filter((outcome) => outcome === 'held').length).toBeGreaterThanOrEqual(9);
  expect(
    outcomes.filter((outcome) => outcome !== 'held').every((outcome) => outcome instanceof Overloaded),
  ).toBe(true);
  await shared.close();
  await created.drop();
});

it.concurrent('tells of no loss of a connection that it has ended itself', async () => {
  const created = await createDatabase();
  const { port, close } = await startStoppingServer(created.connection);
  const losses: string[] = [];
  const closed = openDatabase({
    connection: { ...created.connection, host: '127.0.0.1', port },
    poolSize: 1,
    onIdleError: ({ message }) => losses.push(message),
  });
  expect(await closed.query({ name: 'one', text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  await closed.close();
  await close();
  // What was sent last is read only after that.
  await delay(200);
  expect(losses).toEqual([]);
  await created.drop();
});

/** A way to the database that answers a goodbye as a server does that is stopped at that moment. */
async function startStoppingServer({ host = '', port = 5432 }: PoolConfig) {
  const GOODBYE = 'X'.charCodeAt(0);
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const message = Buffer.concat([Buffer.from('E\0\0\0\0'), Buffer.from(fields)]);
  message.writeInt32BE(message.length - 1, 1);
  const server = createServer((client) => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    upstream.on('error', () => undefined).pipe(client);
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    client.on('data', (bytes: Buffer) => {
      if (bytes[0] !== GOODBYE) upstream.write(bytes);
      else client.end(message);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** When every connection has ended. */
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

it.concurrent(
  'gives a read of a merchant or an operator up when its connection has been silent for ten seconds',
  async () => {
    const created = await createDatabase();
    const proxy = await createDatabaseProxy(created.connection);
    const behind = openDatabase({
      connection: { ...created.connection, host: '127.0.0.1', port: proxy.port },
      poolSize: 2,
    });
    const read = { name: 'one', text: 'SELECT 1 AS one', repeatable: true };
    const own = [behind.forTenant({ merchantId: 'a', storeKey: 1 }), behind.forTenant(undefined)];
    const readBoth = () => Promise.all(own.map((db) => db.query(read).catch((error: unknown) => error)));
    expect(await readBoth()).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    proxy.silence();
    expect(await readBoth()).toEqual([expect.any(DatabaseUnavailable), expect.any(DatabaseUnavailable)]);
    // The connections that fell silent are gone, and the next reads have others.
    expect(await readBoth()).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await behind.close();
    await proxy.close();
    await created.drop();
  },
  60_000,
);

it('asks once on a connection what the rows of a statement look like, and reads them alike ever after', async () => {
  const text = `SELECT n, NULL::text AS none, n::bigint * 3000000000 AS large, json_build_array(n) AS list
                FROM generate_series(1, $1::integer) AS n`;
  await db.transaction(async (tx) => {
    const { connection } = tx.client as unknown as { connection: EventEmitter };
    let descriptions = 0;
    const count = () => (descriptions += 1);
    connection.on('rowDescription', count);
    for (const rows of [1, 0, 2]) {
      expect(await tx.query({ name: 'described-once', text, values: [rows] })).toEqual(
        Array.from({ length: rows }, (_, i) => ({
          n: i + 1,
          none: null,
          large: (i + 1) * 3_000_000_000,
          list: [i + 1],
        })),
      );
    }
    connection.off('rowDescription', count);
    expect(descriptions).toBe(1);
  });
});

it('goes on after a statement has failed, at its first run and at a later one', async () => {
  const divide = (by: number) =>
    db.query({ name: 'divided', text: 'SELECT 6 / $1::integer AS result', values: [by] });
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect(await divide(2)).toEqual([{ result: 3 }]);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect(await divide(3)).toEqual([{ result: 2 }]);
});
