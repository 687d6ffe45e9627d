import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchDatabase } from '../../src/http/health.js';
import { openDatabase } from '../../src/postgres/database.js';
import { DatabaseMisconfigured, DatabaseUnavailable } from '../../src/support/errors.js';
import { ask } from '../harness/client.js';
import { createDatabase, startService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

it('is not ready on a database that takes no writes, as after a demotion', async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  expect((await ask(`${service.url}/readyz`)).status).toBe(200);
  const run = (text: string) => service.db.withClient((client) => client.query(text));
  // Stands before PostgreSQL's own: no server has to be demoted for it.
  await run('CREATE FUNCTION pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS $$ SELECT true $$');
  await run(`ALTER DATABASE ${String(service.connection.database)} SET search_path = public, pg_catalog`);
  const replica = await service.replica();
  onTestFinished(() => replica.stop());
  const answer = await ask(`${replica.url}/readyz`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});

it('stays out of the balancer until a schema that does not fit has changed, however long nobody asks', async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  const { storeId, key } = await createTenant(service);
  const run = (text: string) => service.db.withClient((client) => client.query(text));
  const ready = async () => (await ask(`${service.url}/readyz`)).status;
  const read = async () => (await ask(`${service.url}/v1/stores/${storeId}`, { key })).status;
  expect([await read(), await ready()]).toEqual([200, 200]);
  await run('ALTER TABLE stores RENAME COLUMN timezone TO zone');
  expect([await read(), await ready()]).toEqual([503, 503]);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(3_600_000);
  expect(await ready()).toBe(503);
  // Something else changes: only a request can tell whether it helps.
  await run('CREATE TABLE other (id integer)');
  expect([await ready(), await read(), await ready()]).toEqual([200, 503, 503]);
  await run('ALTER TABLE stores RENAME COLUMN zone TO timezone');
  expect([await ready(), await read()]).toEqual([200, 200]);
});

it('says nothing of missing tables before the migrations have ended', async () => {
  const { connection, drop } = await createDatabase();
  onTestFinished(drop);
  const db = openDatabase({ connection, poolSize: 1 });
  onTestFinished(() => db.close());
  const logged: string[] = [];
  const readiness = { isReady: false };
  const watch = watchDatabase(db, pino({}, { write: (line) => logged.push(line) }), readiness);
  const read = db.read({ name: 'photos', text: 'SELECT FROM photos' });
  const error = await read.catch((reason: unknown) => reason);
  expect(await watch.explainError(error)).toBeInstanceOf(DatabaseUnavailable);
  expect(logged).toEqual([]);
  readiness.isReady = true;
  expect(await watch.explainError(error)).toBeInstanceOf(DatabaseMisconfigured);
  expect(logged).toHaveLength(1);
});
