import { expect, it } from 'vitest';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { call, openSession } from '../console/browser-session.js';
import { ask } from '../harness/client.js';
import { guestClient, openForGuests } from '../harness/guest.js';
import { patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant } from '../harness/tenant.js';

const service = await useService();
const MINUTE_MS = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
const screenOf = (storeId: string, key: string) =>
  ask(`${service.url}/manage/v1/stores/${storeId}/pickup_screen`, { key });

it('shows the numbers in the kitchen by when they are due, and the latest that is ready in front', async () => {
  const tenant = await openForGuests(service);
  const screenKey = await createKey(service, {
    merchant_id: tenant.merchantId,
    store_ids: [tenant.storeId],
    permissions: ['pickup:read'],
  });
  const orders = [];
  for (const minutes of [30, 10, 20, -230, 110, 130, -250]) {
    const { body } = await takeIn(service, tenant, { status: 'ACCEPTED', ready_by: inMinutes(minutes) });
    orders.push(body);
  }
  const [third, first, second] = orders.map(({ id }) => id);
  // What nobody has accepted is not in the kitchen, and what is for a table is brought there.
  await takeIn(service, tenant, { ready_by: inMinutes(10) });
  await tenant.manage('PATCH', '', { accept: { auto: true, then: 'nothing' } });
  const { body: atTable } = await guestClient(service).order(tenant.place.code);
  expect([atTable.number, atTable.status]).toEqual([9, 'ACCEPTED']);
  const numbers = async () => (await screenOf(tenant.storeId, screenKey.key)).body;
  expect(await numbers()).toEqual({ preparing: [4, 2, 3, 1, 5], ready: [] });
  for (const id of [second, first]) await patch(service, tenant.key, id ?? '', { status: 'READY' });
  expect(await numbers()).toEqual({ preparing: [4, 1, 5], ready: [2, 3] });
  await patch(service, tenant.key, second ?? '', { status: 'FULFILLED' });
  await patch(service, tenant.key, third ?? '', { status: 'STORE_CANCELLED' });
  expect(await numbers()).toEqual({ preparing: [4, 5], ready: [2] });
});

it('opens to whoever may read, in their own stores alone', async () => {
  const [tenant, other] = await Promise.all([createTenant(service), createTenant(service)]);
  for (const permissions of [['read'], ['kitchen:read'], ['pickup:read'], ['orders:write', 'pickup:read']]) {
    const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions });
    const own = await screenOf(tenant.storeId, key);
    expect([own.status, own.body]).toEqual([200, { preparing: [], ready: [] }]);
    const theirs = await screenOf(other.storeId, key);
    expect([theirs.status, theirs.body]).toEqual([404, { detail: 'Store not found' }]);
  }
  const { key } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['orders:write'] });
  const refused = await screenOf(tenant.storeId, key);
  expect([refused.status, refused.body]).toEqual([403, { detail: 'This key lacks the permission read' }]);
});

it('stays signed in for as long as its key holds, whether or not anybody touches it', async () => {
  const { merchantId, storeId, key } = await createTenant(service);
  const screenKey = await createKey(service, { merchant_id: merchantId, permissions: ['pickup:read'] });
  const [screen, tablet] = [await openSession(service, screenKey.key), await openSession(service, key)];
  const path = `/manage/v1/stores/${storeId}/pickup_screen`;
  await service.db.query({
    name: 'test-old-sessions',
    text: `UPDATE console_sessions SET last_used_at = last_used_at - interval '5 days'`,
  });
  expect((await call(service, screen, path)).status).toBe(200);
  expect((await call(service, tablet, path)).status).toBe(401);
  await cleanUp(service.db, 30);
  expect((await call(service, screen, path)).status).toBe(200);
  await ask(`${service.url}/manage/v1/keys/${screenKey.id}`, { method: 'DELETE', key: service.operatorKey });
  expect((await call(service, screen, path)).status).toBe(401);
});
