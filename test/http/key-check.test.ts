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
