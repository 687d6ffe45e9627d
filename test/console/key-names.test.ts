import { expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createKey, createTenant } from '../harness/tenant.js';
import { call, openSession } from './browser-session.js';

const service = await useService();

it('tells staff what the keys of their own merchant are called, and nothing of others', async () => {
  const [tenant, stranger] = [await createTenant(service), await createTenant(service)];
  const tablet = await createKey(service, {
    merchant_id: tenant.merchantId,
    permissions: ['read'],
    label: 'Kitchen tablet',
  });
  const boss = await createKey(service, {
    merchant_id: tenant.merchantId,
    permissions: ['read'],
    label: 'Laptop',
  });
  await service.db.withClient((client) =>
    client.query('UPDATE api_keys SET merchant_id = NULL WHERE id = $1', [boss.id]),
  );
  const namesFor = async (key: string) =>
    (await call<Record<string, string>>(service, await openSession(service, key), '/key_names')).body;

  expect(await namesFor(tablet.key)).toEqual({
    [tenant.keyId]: `Key …${tenant.key.slice(-4)}`,
    [tablet.id]: 'Kitchen tablet',
    [boss.id]: 'The operator',
  });
  expect(await namesFor(service.operatorKey)).toMatchObject({
    [boss.id]: 'Laptop',
    [stranger.keyId]: `Key …${stranger.key.slice(-4)}`,
  });
  expect((await call(service, '', '/key_names')).status).toBe(401);
});
