import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService();
const [tenant, revoked] = [await createTenant(service), await createTenant(service)];
await ask(`${service.url}/manage/v1/keys/${revoked.keyId}`, { method: 'DELETE', key: service.operatorKey });

it('waits for no other work: whoever may not ask is told at once, whoever may reads a menu', async () => {
  const menu = `${service.url}/v1/stores/${tenant.storeId}/menu_configuration/`;
  expect((await ask(menu, { key: tenant.key })).status).toBe(200);
  let isBusy = true;
  const busy = Promise.all(
    Array.from({ length: 8 }, () => service.db.query({ name: 'busy', text: 'SELECT pg_sleep(2)' })),
  ).then(() => (isBusy = false));
  const refused = await ask(menu, { key: revoked.key });
  const read = await ask(menu, { key: tenant.key });
  expect([refused.status, refused.body]).toEqual([401, { detail: 'Invalid API key' }]);
  expect([read.status, read.body]).toEqual([200, { menu_configuration: [] }]);
  expect(isBusy).toBe(true);
  await busy;
});

it('that takes too long is 503, and no connection is given up for it', async () => {
  const connections = async () => {
    const rows = await service.db.query<{ pid: number }>({
      name: 'connections',
      text: `SELECT a.pid FROM pg_stat_activity a WHERE a.datname = current_database() AND a.application_name = 'comanda'`,
    });
    return rows.map(({ pid }) => pid);
  };
  const menu = `${service.url}/v1/stores/${tenant.storeId}/menu_configuration/`;
  expect((await ask(menu, { key: tenant.key })).status).toBe(200);
  const before = await connections();
  await service.db.transaction(async (tx) => {
    await tx.query({ name: 'lock-keys', text: 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE' });
    const { status, body } = await ask(menu, { key: tenant.key });
    expect([status, body]).toEqual([503, { detail: 'The database is not available' }]);
  });
  expect(await connections()).toEqual(expect.arrayContaining(before));
  expect((await ask(menu, { key: tenant.key })).status).toBe(200);
});
