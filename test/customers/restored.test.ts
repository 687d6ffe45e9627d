import { describe, expect, it } from 'vitest';
import { readAudit } from '../harness/audit.js';
import { ask } from '../harness/client.js';
import { backup, restore } from '../harness/backup.js';
import { list, takeIn, type OrderBody } from '../harness/orders.js';
import { startService, useService, type Service } from '../harness/service.js';
import { createTenant, type Tenant } from '../harness/tenant.js';
import { erase, tablesWith } from './customers.js';

const NAME = 'Wilhelmina Quastenflosser';
const PHONE = '+49 30 9137 4428';
const TRACES = [NAME, '493091374428', 'quasten', 'window seat'];

/** An installation with a person in it, its archive from before the erasure and the one from after it. */
async function eraseBetweenBackups(
  service: Service,
): Promise<{ tenant: Tenant; order: OrderBody; before: string; after: string }> {
  const tenant = await createTenant(service);
  const { body: order } = await takeIn(service, tenant, {
    customer: { name: NAME, phone: PHONE },
    customer_comments: 'window seat',
    items: [{ external_id: 'soup', comments: 'window seat' }],
  });
  await takeIn(service, tenant, { customer: { name: 'Ben', phone: '555 7777' } });
  const before = await backup(service);
  expect((await erase(service, tenant.key, { phone: PHONE })).body.orders).toBe(1);
  return { tenant, order, before, after: await backup(service) };
}

async function expectErased(service: Service, { key, ...tenant }: Tenant, orderId: string): Promise<void> {
  expect(await tablesWith(service, TRACES)).toEqual([]);
  const { body } = await ask<OrderBody>(`${service.url}/v1/orders/${orderId}`, { key });
  expect(body).toMatchObject({ customer: { name: '', phone: '' }, items: [{ external_id: 'soup' }] });
  const found = (query: string) => list(service, { key, ...tenant }, query);
  expect((await found('phone_number=4428')).body.count).toBe(0);
  expect((await found('customer_name=ben')).body.count).toBe(1);
}

describe('an archive from before an erasure', () => {
  it('is erased again where the installation remembers the erasure', async () => {
    const service = await useService();
    const { tenant, order, before } = await eraseBetweenBackups(service);
    expect(before).toContain(NAME);
    const deleted = await ask(`${service.url}/manage/v1/merchants/${tenant.merchantId}?force=true`, {
      method: 'DELETE',
      key: service.operatorKey,
    });
    expect(deleted.status).toBe(204);
    await expect.poll(async () => (await restore(service, before)).status).toBe(200);
    await expectErased(service, tenant, order.id);
  });

  it('is erased again where an operator has named the orders of a newer archive', async () => {
    const service = await startService();
    const { tenant, order, before, after } = await eraseBetweenBackups(service);
    await service.stop();
    expect(after).not.toMatch(/quasten|91374428|window seat/i);
    const listed = after
      .split('\n')
      .filter((line) => /^\{"order_id":"[^"]*","erased_at":"[^"]*"\}$/.test(line));
    const ids = listed.map((line) => (JSON.parse(line) as { order_id: string }).order_id);
    expect(ids).toEqual([order.id]);

    const target = await useService();
    const dry = { order_ids: ids, dry_run: true };
    expect((await erase(target, target.operatorKey, dry)).body.orders).toBe(0);
    expect((await erase(target, target.operatorKey, { order_ids: ids })).body).toEqual({
      dry_run: false,
      orders: 0,
      stores: [],
    });
    expect(await readAudit(target, { type: 'customers.erased' })).toMatchObject([
      { subject: 'order_ids', after: { absent_orders: 1 } },
    ]);
    expect((await restore(target, before)).status).toBe(200);
    await expectErased(target, tenant, order.id);
    expect((await backup(target)).includes(`{"order_id":"${order.id}"`)).toBe(true);
  });

  it('restores as it is where nobody knows of the erasure', async () => {
    const service = await startService();
    const { before, after } = await eraseBetweenBackups(service);
    await service.stop();
    const [old, young] = [await useService(), await useService()];
    expect((await restore(old, before)).status).toBe(200);
    expect(await backup(old)).toBe(before);
    expect((await restore(young, after)).status).toBe(200);
    expect(await backup(young)).toBe(after);
  });
});
