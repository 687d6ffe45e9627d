import { describe, expect, it } from 'vitest';
import { readEvents, readKeptRanges } from '../../src/events/events.sql.js';
import type { StoredEvent } from '../../src/events/event.js';
import { ask } from '../harness/client.js';
import { chain, menuClient } from '../harness/menu.js';
import { importLines, orderRequest, patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';

const service = await useService();

async function eventsOf(tenant: Tenant): Promise<StoredEvent[]> {
  return readEvents(service.db, await storeKeyOf(service, tenant), 0, 10_000);
}

const told = (events: readonly StoredEvent[]) =>
  events.map(({ type, data }) => ({ type, data: JSON.parse(data) as unknown }));

describe('an event is written', () => {
  it('when an order arrives and for each of its changes, and tells nothing about the person', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant, { external_id: 'till-1', status: 'PENDING' });
    await takeIn(service, tenant, { external_id: 'till-1', status: 'PENDING' });
    await patch(service, tenant.key, order.id, { is_read: true, in_pos: true });
    await patch(service, tenant.key, order.id, { is_read: true });
    await patch(service, tenant.key, order.id, { status: 'ACCEPTED', ready_by: '2026-03-01T13:00:00Z' });
    await patch(service, tenant.key, order.id, { status: 'PENDING' });
    await patch(service, tenant.key, order.id, { customer_comments: 'secret' });
    const fixed = {
      order_id: order.id,
      number: 1,
      external_id: 'till-1',
      price: 390,
      tax: 39,
      key_id: tenant.keyId,
    };
    const [before, after] = ['2026-03-01T12:30:00.000Z', '2026-03-01T13:00:00.000Z'];
    const events = await eventsOf(tenant);
    expect(told(events)).toEqual([
      { type: 'order.created', data: { ...fixed, revision: 1, status: 'PENDING', ready_by: before } },
      {
        type: 'order.updated',
        data: { ...fixed, revision: 2, status: 'PENDING', changed: ['is_read', 'in_pos'], ready_by: before },
      },
      {
        type: 'order.status_changed',
        data: {
          ...fixed,
          revision: 3,
          status: 'ACCEPTED',
          previous_status: 'PENDING',
          changed: ['status', 'ready_by'],
          ready_by: after,
        },
      },
      {
        type: 'order.updated',
        data: { ...fixed, revision: 4, status: 'ACCEPTED', changed: ['customer_comments'], ready_by: after },
      },
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
    for (const { at, id } of events) {
      expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    }
  });

  it('once for each store of an import, with the number of what it made', async () => {
    const [one, other] = [await createTenant(service), await createTenant(service)];
    const lines = [one, other, one].map(({ storeId }, i) =>
      JSON.stringify({ store_id: storeId, ...orderRequest({ external_id: `${i}` }) }),
    );
    const operator = { key: service.operatorKey, text: lines.join('\n') };
    await importLines(service, operator.key, operator.text);
    await importLines(service, operator.key, operator.text);
    const data = (created: number) => [{ type: 'orders.imported', data: { created, key_id: 'operator' } }];
    expect(told(await eventsOf(one))).toEqual(data(2));
    expect(told(await eventsOf(other))).toEqual(data(1));
  });

  it('for what happens to a menu and to the store', async () => {
    const tenant = await createTenant(service);
    const menu = menuClient(service, tenant);
    await menu.post(chain());
    await menu.post(chain());
    await menu.post(chain({ price: 5 }));
    await menu.manage('items/i', { method: 'PATCH', body: { in_stock: false } });
    await menu.manage('items/i', { method: 'PATCH', body: { in_stock: false } });
    await menu.manage('versions/1/restore', { method: 'POST' });
    const change = (body: object) =>
      ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, {
        method: 'PATCH',
        key: service.operatorKey,
        body,
      });
    await change({ city: 'Madrid', country: 'ES' });
    await change({ city: 'Madrid' });
    const key_id = tenant.keyId;
    expect(told(await eventsOf(tenant))).toEqual([
      { type: 'menu.published', data: { version: 1, key_id } },
      { type: 'menu.published', data: { version: 2, key_id } },
      { type: 'menu.stock_changed', data: { kind: 'item', external_id: 'i', in_stock: false, key_id } },
      { type: 'menu.published', data: { version: 3, restored_from: 1, key_id } },
      { type: 'store.updated', data: { changed: ['city', 'country', 'currency'], key_id: 'operator' } },
    ]);
  });
});

describe('many changes at once', () => {
  it('of one order are each decided on the one before, answered and told', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant);
    const replica = await service.replica();
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) =>
        patch(i % 2 === 0 ? service : replica, tenant.key, order.id, { customer_comments: `${i}` }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body['customer_comments']])).toEqual(
      answers.map((_, i) => [200, `${i}`]),
    );
    const events = await eventsOf(tenant);
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 401 }, (_, i) => i + 1));
    const revisions = events.map(({ data }) => (JSON.parse(data) as { revision: number }).revision);
    expect(revisions).toEqual(Array.from({ length: 401 }, (_, i) => i + 1));
    await replica.stop();
  });

  it('of one order make nobody else wait', async () => {
    const [unruly, quiet] = [await createTenant(service), await createTenant(service)];
    const { body: order } = await takeIn(service, unruly);
    const { body: other } = await takeIn(service, quiet);
    let answered = 0;
    const changes = Array.from({ length: 600 }, async (_, i) => {
      const { status } = await patch(service, unruly.key, order.id, { customer_comments: `${i}` });
      answered += 1;
      return status;
    });
    await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(0);
    const changed = await patch(service, quiet.key, other.id, { customer_comments: 'at once' });
    expect(changed.status).toBe(200);
    expect(answered).toBeLessThan(changes.length);
    expect(new Set(await Promise.all(changes))).toEqual(new Set([200]));
  });

  it('let one of several status changes through, and refuse the others by what it left', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant);
    const wanted = ['ACCEPTED', 'REJECTED', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED', 'ACCEPTED'];
    const answers = await Promise.all(
      wanted.map((status) => patch(service, tenant.key, order.id, { status })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 200, 409, 409]);
    const types = (await eventsOf(tenant)).map(({ type }) => type);
    expect(types).toEqual(['order.created', 'order.status_changed', 'order.status_changed']);
  });

  it('with orders larger than one turn takes are all answered', async () => {
    const tenant = await createTenant(service);
    const items = [{ note: 'x'.repeat(700_000) }];
    const taken = await Promise.all(Array.from({ length: 12 }, () => takeIn(service, tenant, { items })));
    const answers = await Promise.all(
      taken.map(({ body }) => patch(service, tenant.key, body.id, { status: 'ACCEPTED' })),
    );
    expect(answers.map(({ status, body }) => [status, body.status, body['items']])).toEqual(
      answers.map(() => [200, 'ACCEPTED', items]),
    );
    const storeKey = await storeKeyOf(service, tenant);
    expect((await readKeptRanges(service.db, [storeKey])).get(storeKey)).toEqual({ first: 1, last: 24 });
  });
});
