import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
} from 'vitest';
import { openDatabase, type Database } from '../../src/postgres/database.js';
import { DatabaseUnavailable, NotFound } from '../../src/support/errors.js';
import { ask } from '../harness/client.js';
import { createDatabaseProxy, type DatabaseProxy } from '../harness/database-proxy.js';
import { startProcess, untilStatus } from '../harness/process.js';
import { createDatabase, startOn, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

let proxy: DatabaseProxy;
let address: { host: string; port: number };
beforeAll(async () => {
  proxy = await createDatabaseProxy(inject('server'));
  address = { host: '127.0.0.1', port: proxy.port };
});
afterAll(() => proxy.close());

describe('a database that goes away and comes back', () => {
  let service: Service;
  beforeAll(async () => {
    const { connection, drop } = await createDatabase(inject('template'));
    service = await startOn({ ...connection, ...address }, {}, drop);
  });
  afterAll(async () => {
    proxy.open();
    await service.stop();
  });

  it('means 503 with Retry-After, and recovery by itself', async () => {
    const read = (key = service.operatorKey) => ask(`${service.url}/v1/merchants/`, { key });
    for (let round = 0; round < 3; round += 1) {
      expect((await read()).status).toBe(200);
      proxy.shut();
      const { status, body, headers } = await read();
      expect([status, body]).toEqual([503, { detail: 'The database is not available' }]);
      expect(headers.get('retry-after')).toBe('1');
      // What cannot be a key needs no database to be refused.
      expect((await read('nonsense')).status).toBe(401);
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
      proxy.open();
      await untilStatus(`${service.url}/readyz`, 200);
      expect((await read()).status).toBe(200);
    }
  });

  it('is noticed also when its connections only fall silent', async () => {
    const { key } = await createTenant(service);
    const read = async () => (await ask(`${service.url}/v1/merchants/`, { key })).status;
    const readMany = () => Promise.all(Array.from({ length: 10 }, read));
    expect(new Set(await readMany())).toEqual(new Set([200]));
    proxy.silence();
    expect(await read()).toBe(200);
    expect(new Set(await readMany())).toEqual(new Set([200]));
  });

  it('does not keep the service from ending when its connections have fallen silent', async () => {
    const { connection, drop } = await createDatabase(inject('template'));
    const other = await startOn({ ...connection, ...address }, {}, drop);
    const one = { name: 'one', text: 'SELECT 1' };
    const work = other.db.transaction(async (tx) => {
      await tx.query(one);
      proxy.silence();
      return tx.query(one);
    });
    const outcomes = await Promise.allSettled([work, other.stop()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('never makes a write that was answered 201 disappear, or one that failed appear twice', async () => {
    const write = (brand_name: string) =>
      ask(`${service.url}/manage/v1/merchants`, {
        method: 'POST',
        key: service.operatorKey,
        body: { brand_name },
        headers: { 'idempotency-key': brand_name },
      }).then(({ status }) => status);
    const shake = (async () => {
      for (let i = 0; i < 5; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        proxy.shut();
        await new Promise((resolve) => setTimeout(resolve, 5));
        proxy.open();
      }
    })();
    const brands = Array.from({ length: 60 }, (_, i) => `shaken ${i}`);
    for (const brand of brands) {
      let status = 0;
      while (status !== 201) {
        status = await write(brand);
        expect([201, 503]).toContain(status);
      }
    }
    await shake;
    const { body } = await ask<{ brand_name: string }[]>(`${service.url}/v1/merchants/?limit=1000`, {
      key: service.operatorKey,
    });
    expect(
      body
        .map(({ brand_name }) => brand_name)
        .filter((name) => name.startsWith('shaken'))
        .sort(),
    ).toEqual(brands.sort());
  });
});

it('answers 503 where nothing listens on the port of the database', async () => {
  const nowhere = { host: '127.0.0.1', port: 2, user: 'comanda', database: 'comanda' };
  const service = await startOn(nowhere, {}, () => Promise.resolve());
  onTestFinished(() => service.stop());
  const { status, body } = await ask(`${service.url}/v1/merchants/`, { key: service.operatorKey });
  expect([status, body]).toEqual([503, { detail: 'The database is not available' }]);
});

describe('a transaction whose connection falls silent', () => {
  const one = { name: 'one', text: 'SELECT 1 AS one' };
  let db: Database;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    const created = await createDatabase();
    drop = created.drop;
    db = openDatabase({
      connection: { ...created.connection, ...address },
      poolSize: 3,
      statementTimeoutMs: 2_000,
    });
  });
  afterEach(async () => {
    await db.close();
    await drop();
  });

  it('before it begins, begins on another', async () => {
    await Promise.all([db.query(one), db.query(one), db.query(one)]);
    proxy.silence();
    const all = Array.from({ length: 3 }, () => db.transaction((tx) => tx.query(one)));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 3 }, () => [{ one: 1 }]));
  });

  it('before its commit, is done again on another', async () => {
    let runs = 0;
    const work = db.transaction(async (tx) => {
      await tx.query(one);
      runs += 1;
      if (runs === 1) proxy.silence();
      return tx.query(one);
    });
    expect(await work).toEqual([{ one: 1 }]);
    expect(runs).toBe(2);
  });

  it('during its commit, is not repeated, for nobody knows its outcome', async () => {
    let runs = 0;
    const work = db.transaction(async (tx) => {
      await tx.query(one);
      runs += 1;
      proxy.silence();
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(runs).toBe(1);
    expect(await db.query(one)).toEqual([{ one: 1 }]);
  });

  it('while it is rolled back, is given up with its own error', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query(one);
      proxy.silence();
      throw new NotFound('Store');
    });
    await expect(work).rejects.toBeInstanceOf(NotFound);
    expect(await db.query(one)).toEqual([{ one: 1 }]);
  });
});

describe('a database that is away at the start', () => {
  it('is waited for, with 503 meanwhile', async () => {
    const { connection, drop } = await createDatabase();
    onTestFinished(drop);
    proxy.shut();
    onTestFinished(() => proxy.open());
    const { user = '', password = '', database = '' } = connection;
    const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(String(password))}`;
    const service = await startProcess({
      DATABASE_URL: `postgres://${credentials}@127.0.0.1:${proxy.port}/${database}`,
    });
    onTestFinished(async () => {
      service.child.kill('SIGKILL');
      await service.ended;
    });
    await untilStatus(`${service.url}/healthz`, 200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    expect((await ask(`${service.url}/v1/stores/`, { key: 'x' })).status).toBe(503);
    proxy.open();
    await service.untilReady();
    const shown = /Operator key, shown only once: (comanda_\w+)\s/;
    await expect.poll(service.output).toMatch(shown);
    const key = shown.exec(service.output())?.[1];
    expect((await ask(`${service.url}/v1/stores/`, { key })).status).toBe(200);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});
