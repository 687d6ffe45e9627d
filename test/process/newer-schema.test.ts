import { expect, inject, it, onTestFinished } from 'vitest';
import { knownSchema } from '../../src/postgres/schema-migrations.js';
import { administer } from '../harness/administer.js';
import { ask } from '../harness/client.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { createDatabase } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

it('a replica whose tables a newer version has changed says so, answers 503 and is not ready until they are back', async () => {
  const { connection, drop } = await createDatabase(inject('template'));
  onTestFinished(drop);
  const service = await startProcessOn(connection, {});
  const { storeId, key } = await createTenant(asService(service));
  const store = `${service.url}/v1/stores/${storeId}`;
  expect((await ask(store, { key })).status).toBe(200);

  await administer(connection, 'ALTER TABLE stores DROP COLUMN timezone');
  for (let times = 0; times < 3; times += 1) {
    const { status, body, headers } = await ask(store, { key });
    expect([status, body]).toEqual([503, { detail: 'The database is not available' }]);
    expect(headers.get('retry-after')).toBe('1');
  }
  expect((await ask(`${service.url}/readyz`)).status).toBe(503);
  expect((await ask(`${service.url}/healthz`)).status).toBe(200);
  // Once, not with every request.
  const told = service.output().split('timezone does not exist. If a newer version has migrated');
  expect(told).toHaveLength(2);

  await administer(connection, 'ALTER TABLE stores ADD COLUMN timezone text');
  expect((await ask(store, { key })).status).toBe(200);
  await expect.poll(async () => (await ask(`${service.url}/readyz`)).status).toBe(200);
});

it('a replica that a newer version has overtaken answers 503 instead of 500 and stays out of the balancer', async () => {
  const { connection, drop } = await createDatabase(inject('template'));
  onTestFinished(drop);
  const service = await startProcessOn(connection, {});
  const { storeId, key } = await createTenant(asService(service));
  const known = knownSchema();
  // What the next version brings leaves most of this one's statements alone, and it serves on.
  await administer(
    connection,
    `INSERT INTO schema_migrations (number, name, applied_at) VALUES (${known + 1}, 'next', now())`,
  );
  await administer(
    connection,
    `ALTER TABLE merchants ADD COLUMN region text NOT NULL DEFAULT ''; ALTER TABLE merchants ALTER COLUMN region DROP DEFAULT`,
  );
  expect((await ask(`${service.url}/v1/stores/${storeId}`, { key })).status).toBe(200);
  expect((await ask(`${service.url}/readyz`)).status).toBe(200);

  const { status, body, headers } = await ask(`${service.url}/manage/v1/merchants`, {
    ...{ method: 'POST', key: asService(service).operatorKey, body: { brand_name: 'Casa' } },
  });
  const detail = `The database has a newer schema (${known + 1}) than this replica knows (${known})`;
  expect([status, body, headers.get('retry-after')]).toEqual([503, { detail }, '1']);
  await expect
    .poll(() => service.output())
    .toContain('end this process, and run the version that migrated it');
  expect(await ask(`${service.url}/readyz`)).toMatchObject({ status: 503, body: { detail } });

  await administer(connection, `DELETE FROM schema_migrations WHERE number > ${known}`);
  await expect.poll(async () => (await ask(`${service.url}/readyz`)).status).toBe(200);
});
