import { spawnSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { expect, describe, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/postgres/database.js';
import { administer } from '../harness/administer.js';
import { ask } from '../harness/client.js';
import { createDatabaseProxy } from '../harness/database-proxy.js';
import { findFreePort } from '../harness/free-port.js';
import { numberedMenu } from '../harness/menu.js';
import { takeIn } from '../harness/orders.js';
import { startForTest } from '../harness/process.js';
import { createDatabase, type Service } from '../harness/service.js';
import { countSlots, orderAsSoonAs, slotAhead, storeWithSlots } from '../harness/slots.js';
import { createTenant } from '../harness/tenant.js';
import { adaptedConfig, findProgram, runProgram } from './programs.js';

const OPERATOR_KEY = 'operator-key-behind-a-pooler-0123456789';
const pgbouncer = findProgram('pgbouncer');
const { stdout: release } = spawnSync(pgbouncer ?? 'true', ['--version'], { encoding: 'utf8' });
const [, minor = 0] = (/(\d+)\.(\d+)/.exec(release) ?? []).slice(1).map(Number);
const keepsStatements = minor >= 21;

type PoolMode = 'session' | 'transaction';

/** PgBouncer as packaging/ has it, but for ports and passwords, before a migrated database. */
async function startPgBouncer(poolMode: PoolMode) {
  const { connection, drop } = await createDatabase(inject('template'));
  onTestFinished(drop);
  const proxy = await createDatabaseProxy(connection);
  onTestFinished(() => proxy.close());
  const port = await findFreePort();
  const password = typeof connection.password === 'string' && connection.password !== '';
  const login = `user=${connection.user}${password ? ` password=${String(connection.password)}` : ''}`;
  const { folder, file } = await adaptedConfig('pgbouncer.ini', (text) =>
    (poolMode === 'session'
      ? text
      : text.replace(/^pool_mode = session$/m, '').replaceAll(/^;(?=\w+ =)/gm, '')
    )
      .replace(/^comanda = .*$/m, `${connection.database} = host=127.0.0.1 port=${proxy.port} ${login}`)
      .replace(keepsStatements ? '' : /^max_prepared_statements = .*$/m, '')
      .replace('listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`)
      .replace(/^auth_type = .*\nauth_file = .*$/m, 'auth_type = any'),
  );
  await chmod(folder, 0o755);
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const program = await runProgram(pgbouncer ?? '', ['-q', ...user, file], port);
  const switchTo = async (other: PoolMode) => {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(`pool_mode = ${poolMode}`, `pool_mode = ${other}`));
    program.kill('SIGHUP');
  };
  return { port, database: connection.database ?? '', user: connection.user ?? '', switchTo };
}

const urlOf = (bouncer: { port: number; database: string; user: string }, database = bouncer.database) =>
  `postgres://${bouncer.user}@127.0.0.1:${bouncer.port}/${database}`;

const start = (DATABASE_URL: string) => startForTest({ DATABASE_URL, COMANDA_OPERATOR_KEY: OPERATOR_KEY });

/** Each operation of the interface, several times at once, so that connections change hands. */
async function expectNineOperations(url: string): Promise<void> {
  const service = { url, operatorKey: OPERATOR_KEY } as Service;
  const tenant = await createTenant(service);
  const { key, storeId, merchantId } = tenant;
  const order = await takeIn(service, tenant);
  expect(order.status).toBe(201);
  const store = `${url}/v1/stores/${storeId}`;
  const menu = `${store}/menu_configuration/`;
  const publish = { method: 'POST', key, body: numberedMenu(1, 2) };
  const operations: Record<string, () => Promise<{ status: number }>> = {
    create: () => ask(menu, publish),
    tree: () => ask(menu, { key }),
    flat: () => ask(`${menu}flat`, { key }),
    orders: () => ask(`${store}/orders/?customer_name=a&status=PENDING`, { key }),
    order: () => ask(`${url}/v1/orders/${order.body.id}`, { key }),
    store: () => ask(store, { key }),
    stores: () => ask(`${url}/v1/stores/`, { key }),
    merchants: () => ask(`${url}/v1/merchants/`, { key }),
    merchant: () => ask(`${url}/v1/merchants/${merchantId}`, { key }),
  };
  const rounds = Array.from({ length: 5 }, () =>
    Promise.all(Object.entries(operations).map(async ([name, ask]) => `${name} ${(await ask()).status}`)),
  );
  const expected = Object.keys(operations).map((name) => `${name} 200`);
  for (const answers of await Promise.all(rounds)) expect(answers).toEqual(expected);
}

describe.runIf(pgbouncer !== undefined)('behind PgBouncer', () => {
  it('runs by the session as it comes, with the limits of time', async () => {
    const bouncer = await startPgBouncer('session');
    const service = await start(urlOf(bouncer));
    await service.untilReady();
    const made = await ask(`${service.url}/manage/v1/merchants`, {
      method: 'POST',
      key: OPERATOR_KEY,
      body: { brand_name: 'Pool' },
    });
    expect(made.status).toBe(201);
    await expectNineOperations(service.url);
    expect(service.output()).not.toContain('pooler');
    const db = openDatabase({ connection: { connectionString: urlOf(bouncer) }, poolSize: 1 });
    onTestFinished(() => db.close());
    const limits = await db.query({
      name: 'test_limits',
      text: `SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`,
    });
    expect(limits).toEqual([{ statement: '30s', idle: '1min' }]);
  });

  it('gives each slot of a kitchen exactly its orders', async () => {
    const bouncer = await startPgBouncer(keepsStatements ? 'transaction' : 'session');
    const processes = await Promise.all([1, 2].map(() => start(urlOf(bouncer))));
    await Promise.all(processes.map((process) => process.untilReady()));
    const services = processes.map(({ url }) => ({ url, operatorKey: OPERATOR_KEY }) as Service);
    const [first, second] = services as [Service, Service];
    const tenant = await storeWithSlots(first, 10);
    const slot = slotAhead();
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => orderAsSoonAs(i % 2 === 0 ? first : second, tenant, slot)),
    );
    const { ordered, said } = await countSlots(first, tenant);
    expect(ordered.map(([, orders]) => orders)).toEqual([10, 10, 10, 10, 10, 10]);
    expect(said).toEqual(ordered);
  });

  it.runIf(!keepsStatements)('is refused by the transaction where it loses prepared statements', async () => {
    const bouncer = await startPgBouncer('transaction');
    const service = await start(urlOf(bouncer));
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain(
      'Comanda did not start.\nDATABASE_URL points to a pooler in transaction mode that does not support prepared statements. ' +
        'Set pool_mode = session in it, or max_prepared_statements = 500 from PgBouncer 1.21 on.\n',
    );
  });

  it.runIf(!keepsStatements)(
    'says so, and answers 503, when it begins to lose prepared statements while the service runs',
    async () => {
      const bouncer = await startPgBouncer('session');
      const service = await start(urlOf(bouncer));
      await service.untilReady();
      await bouncer.switchTo('transaction');
      const statuses = new Set<number>();
      const read = async (path: string) => {
        const { status } = await ask(`${service.url}${path}`, { key: OPERATOR_KEY });
        statuses.add(status);
        return status;
      };
      const readMany = () =>
        Promise.all(
          Array.from({ length: 40 }, (_, i) =>
            read(['/v1/merchants/', '/v1/stores/', '/manage/v1/keys'][i % 3] ?? ''),
          ),
        );
      await expect.poll(readMany).toContain(503);
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect((await ask(`${service.url}/readyz`)).status).toBe(503);
      expect(service.output()).toContain(
        'All requests get 503. DATABASE_URL points to a pooler in transaction mode that does not support ' +
          'prepared statements. Set pool_mode = session in it',
      );
    },
  );

  it.runIf(keepsStatements)('runs by the transaction, and says what the database must limit', async () => {
    const bouncer = await startPgBouncer('transaction');
    const service = await start(urlOf(bouncer));
    await service.untilReady();
    expect(service.output()).toContain(`ALTER DATABASE ${bouncer.database} SET statement_timeout = '30s';`);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask(`${service.url}/v1/merchants/`, { key: OPERATOR_KEY })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await expectNineOperations(service.url);
  });

  it.runIf(keepsStatements)(
    'cuts a statement off by the transaction where the database limits it',
    async () => {
      const bouncer = await startPgBouncer('transaction');
      const server = { ...inject('server'), database: bouncer.database };
      await administer(server, `ALTER DATABASE ${bouncer.database} SET statement_timeout = '2s'`);
      await administer(
        server,
        `ALTER DATABASE ${bouncer.database} SET idle_in_transaction_session_timeout = '60s'`,
      );
      const service = await start(urlOf(bouncer));
      await service.untilReady();
      expect(service.output()).not.toContain('ALTER DATABASE');
      const tenant = await createTenant({ url: service.url, operatorKey: OPERATOR_KEY });
      const db = openDatabase({ connection: server, poolSize: 1 });
      onTestFinished(() => db.close());
      const held = await db.transaction(async (tx) => {
        await tx.client.query('LOCK TABLE menu_versions, menu_states IN ACCESS EXCLUSIVE MODE');
        const publish = { method: 'POST', key: tenant.key, body: numberedMenu(1, 2) };
        return ask(`${service.url}/v1/stores/${tenant.storeId}/menu_configuration/`, publish);
      });
      expect([held.status, held.headers.get('retry-after')]).toEqual([503, '1']);
      await expectNineOperations(service.url);
    },
  );

  it('ends the start with a sentence when the pooler does not know the database', async () => {
    const service = await start(urlOf(await startPgBouncer('session'), 'nowhere'));
    expect(await service.ended).toBe(1);
    expect(service.output()).toMatch(
      /DATABASE_URL does not work: (no such database: nowhere|bouncer config error)\. Set a database/,
    );
  });
});
