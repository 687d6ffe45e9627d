import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { extendTurn, takeTurn, type Turn } from '../../src/upkeep/upkeep-leases.sql.js';
import { byClock, readAudit } from '../harness/audit.js';
import { ask } from '../harness/client.js';
import { readFeed } from '../harness/events.js';
import { importLines, list, listIds, orderRequest, patch, takeIn } from '../harness/orders.js';
import { wrongCounts } from '../harness/recount.js';
import { useService } from '../harness/service.js';
import { createStore, createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';

const service = await useService();
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const keep = (storeId: string, settings: object) =>
  ask(`${service.url}/manage/v1/stores/${storeId}`, {
    method: 'PATCH',
    key: service.operatorKey,
    body: settings,
  });

const take = async (tenant: Tenant, more: object, headers: Record<string, string> = {}) => {
  const { status, body } = await takeIn(service, tenant, more, headers);
  expect(status).toBe(201);
  return body.id;
};

async function rowsBeside(ids: readonly string[]): Promise<Record<string, number>> {
  const tables = {
    order_history: 'order_id',
    order_search: 'id',
    order_intake_keys: 'order_id',
    orders: 'id',
  };
  const counts: Record<string, number> = {};
  for (const [table, column] of Object.entries(tables)) {
    const [row] = await service.db.query<{ n: number }>({
      name: `test-beside-${table}`,
      text: `SELECT count(*) AS n FROM ${table} WHERE ${column} = ANY ($1::uuid[])`,
      values: [ids],
    });
    counts[table] = row?.n ?? 0;
  }
  return counts;
}

describe('a store that keeps final orders for some days', () => {
  it('loses older ones with all that is kept beside them, and no other', async () => {
    const tenant = await createTenant(service);
    const old = {
      status: 'FULFILLED',
      completed_at: daysAgo(11),
      customer: { name: 'Zoe', phone: '998877665' },
    };
    const gone = [
      await take(tenant, { ...old, created_at: daysAgo(12) }, { 'idempotency-key': 'gone' }),
      await take(tenant, { ...old, status: 'REJECTED', external_id: 'again' }),
    ];
    const kept = [
      await take(tenant, { ...old, completed_at: daysAgo(9), created_at: daysAgo(40) }),
      await take(tenant, { created_at: daysAgo(40) }),
    ];
    for (const id of gone) await patch(service, tenant.key, id, { is_read: true });
    const elsewhere = await createTenant(service);
    await take(elsewhere, old);
    await keep(tenant.storeId, { order_days: 10 });
    await cleanUp(service.db, 30);

    expect(await rowsBeside(gone)).toEqual({
      order_history: 0,
      order_search: 0,
      order_intake_keys: 0,
      orders: 0,
    });
    expect((await listIds(service, tenant)).sort()).toEqual([...kept].sort());
    for (const query of ['', 'status=FULFILLED', 'status=REJECTED', 'phone_number=9988', 'customer_name=zoe'])
      expect([query, (await list(service, tenant, query)).body.count]).toEqual([
        query,
        (await listIds(service, tenant, query)).length,
      ]);
    expect((await list(service, elsewhere)).body.count).toBe(1);
    expect(await wrongCounts(service.db)).toEqual([]);
    for (const path of [`/v1/orders/${gone[0] ?? ''}`, `/manage/v1/orders/${gone[0] ?? ''}/history`])
      expect((await ask(service.url + path, { key: tenant.key })).status).toBe(404);

    // Neither the key nor the external_id of a removed order keeps a new one out.
    await take(tenant, old, { 'idempotency-key': 'gone' });
    await take(tenant, { ...old, external_id: 'again' });
  });

  it('tells in the audit log how many it lost, once', async () => {
    const tenant = await createTenant(service);
    for (const days of [3, 4]) await take(tenant, { status: 'FULFILLED', completed_at: daysAgo(days) });
    await keep(tenant.storeId, { order_days: 2 });
    await cleanUp(service.db, 30);
    await cleanUp(service.db, 30);
    const { merchantId: merchant_id, storeId: store_id } = tenant;
    const entry = {
      type: 'orders.removed',
      merchant_id,
      store_id,
      subject: 'order_days',
      after: { orders: 2 },
    };
    expect(await readAudit(service, { store_id, type: 'orders.removed' })).toEqual([byClock(entry)]);
  });

  it('leaves events of removed orders in the feed, without the order', async () => {
    const tenant = await createTenant(service);
    const gone = await take(tenant, { status: 'FULFILLED', completed_at: daysAgo(3) });
    const kept = await take(tenant, {});
    await keep(tenant.storeId, { order_days: 2 });
    await cleanUp(service.db, 30);
    const { body } = await readFeed(service, tenant, { include: 'order' });
    const orders = body.events
      .filter(({ type }) => type === 'order.created')
      .map(({ data }) => [data['order_id'], (data['order'] as { id: string } | undefined)?.id]);
    expect(orders).toEqual([
      [gone, undefined],
      [kept, kept],
    ]);
    expect(body.has_more).toBe(false);
  });

  it('counts before what holds for all stores; without either, everything is kept', async () => {
    const tenant = await createTenant(service);
    const own = { ...tenant, storeId: await createStore(service, tenant.merchantId, { order_days: 30 }) };
    for (const one of [tenant, own]) await take(one, { status: 'FULFILLED', completed_at: daysAgo(11) });
    const counts = async () => [
      (await list(service, tenant)).body.count,
      (await list(service, own)).body.count,
    ];
    await cleanUp(service.db, 30);
    expect(await counts()).toEqual([1, 1]);
    await cleanUp(service.db, 30, { orderDays: 10 });
    expect(await counts()).toEqual([0, 1]);
  });

  it('can export what is about to be removed', async () => {
    const tenant = await createTenant(service);
    await take(tenant, { status: 'FULFILLED', completed_at: daysAgo(9), external_id: 'old' });
    await take(tenant, { status: 'FULFILLED', completed_at: daysAgo(7), external_id: 'young' });
    await take(tenant, { external_id: 'open' });
    const url = `${service.url}/manage/v1/stores/${tenant.storeId}/orders/export`;
    const { body } = await ask<string>(`${url}?completed_before=${daysAgo(8)}`, { key: tenant.key });
    const lines = body.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { external_id: string }).external_id)).toEqual(['old']);
  });
});

it('counts exactly whatever is removed, and keeps no row for hours without orders', async () => {
  const statuses = ['PENDING', 'ACCEPTED', 'FULFILLED', 'REJECTED', 'STORE_CANCELLED', 'CUSTOMER_CANCELLED'];
  const orders = fc.array(
    fc.record({
      status: fc.constantFrom(...statuses),
      createdDays: fc.integer({ min: 0, max: 90 }),
      completedDays: fc.integer({ min: 0, max: 90 }),
    }),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(orders, fc.integer({ min: 1, max: 60 }), async (made, days) => {
      const tenant = await createTenant(service);
      const isFinal = (status: string) => !['PENDING', 'ACCEPTED'].includes(status);
      const lines = made.map(({ status, createdDays, completedDays }) =>
        JSON.stringify({
          store_id: tenant.storeId,
          ...orderRequest({ status, created_at: daysAgo(createdDays) }),
          ...(isFinal(status) ? { completed_at: daysAgo(completedDays) } : {}),
        }),
      );
      expect((await importLines(service, tenant.key, lines.join('\n'))).body.created).toBe(made.length);
      await keep(tenant.storeId, { order_days: days });
      await cleanUp(service.db, 30);
      const kept = made.filter(({ status, completedDays }) => !isFinal(status) || completedDays < days);
      for (const status of statuses)
        expect((await list(service, tenant, { status })).body.count).toBe(
          kept.filter((order) => order.status === status).length,
        );
      expect((await list(service, tenant)).body.count).toBe(kept.length);
      const storeKey = await storeKeyOf(service, tenant);
      const empty = await service.db.query({
        name: 'test-empty-buckets',
        text: `SELECT c.level, c.bucket FROM order_counts c WHERE c.store_key = $1 GROUP BY 1, 2
               HAVING sum(pending + customer_cancelled + store_cancelled + accepted + rejected + ready + fulfilled) = 0`,
        values: [storeKey],
      });
      expect(empty).toEqual([]);
    }),
    { numRuns: 15 },
  );
  expect(await wrongCounts(service.db)).toEqual([]);
});

it('removes many while orders come in and change, and every count is exact at every moment', async () => {
  const tenant = await createTenant(service);
  const line = (i: number) =>
    JSON.stringify({
      store_id: tenant.storeId,
      ...orderRequest({ status: 'FULFILLED', created_at: daysAgo(3 + i / 500), completed_at: daysAgo(3) }),
    });
  await importLines(service, tenant.key, Array.from({ length: 4_000 }, (_, i) => line(i)).join('\n'));
  await keep(tenant.storeId, { order_days: 2 });
  const progress = { isDone: false };
  let taken = 0;
  const write = async () => {
    while (!progress.isDone) {
      // Some go into the hours that are being emptied.
      const id = await take(tenant, taken % 2 === 0 ? {} : { created_at: daysAgo(3 + Math.random() * 8) });
      await patch(service, tenant.key, id, { status: 'ACCEPTED' });
      taken += 1;
    }
  };
  const look = async () => {
    for (let looks = 0; !progress.isDone || looks < 3; looks += 1)
      expect(await wrongCounts(service.db)).toEqual([]);
  };
  const others = [write(), write(), look()];
  await cleanUp(service.db, 30).finally(() => (progress.isDone = true));
  await Promise.all(others);
  expect((await list(service, tenant)).body.count).toBe(taken);
  expect((await list(service, tenant, 'status=ACCEPTED')).body.count).toBe(taken);
  expect(await wrongCounts(service.db)).toEqual([]);
});

describe('the turn to clean up', () => {
  const [one, other] = ['a', 'b'].map((letter) => ({
    work: 'cleanup',
    holder: `${letter.repeat(8)}-0000-4000-8000-000000000000`,
    everyMs: 600_000,
  })) as [Turn, Turn];
  const due = (when: string) =>
    service.db.query({ name: `test-due-${when}`, text: `UPDATE upkeep_turns SET next_at = now() ${when}` });

  it('goes to one process of all that look, and comes again when it is due', async () => {
    await due(`- interval '1 second'`);
    const looked = await Promise.all([one, other, one, other].map((turn) => takeTurn(service.db, turn)));
    expect(looked.filter(Boolean)).toHaveLength(1);
    expect(await takeTurn(service.db, one)).toBe(false);
    await due(`- interval '0 seconds'`);
    expect(await takeTurn(service.db, other)).toBe(true);
    expect(await extendTurn(service.db, one)).toBe(false);
    expect(await extendTurn(service.db, other)).toBe(true);
  });
});
