import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { list, listIds, orderRequest, patch, takeIn, type OrderBody, onV1 } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant, storeKeyOf } from '../harness/tenant.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

const service = await useService();
const replica = await service.replica();

const history = (id: string, key: string) => ask(`${service.url}/manage/v1/orders/${id}/history`, { key });

describe('POST /manage/v1/stores/{store_id}/orders', () => {
  it('takes an order in as any status; a final one is completed at its arrival', async () => {
    const tenant = await createTenant(service);
    const ready = await takeIn(service, tenant, { status: 'READY' });
    expect([ready.status, ready.body.status, ready.body.completed_at]).toEqual([201, 'READY', undefined]);
    const done = await takeIn(service, tenant, { status: 'FULFILLED' });
    expect([done.status, done.body.completed_at]).toEqual([201, TIME]);
    expect((await list(service, tenant, 'status=FULFILLED')).body.order_result_list).toEqual([
      onV1(done.body),
    ]);
  });

  it('keeps the completion that a final order states; others cannot have one', async () => {
    const tenant = await createTenant(service);
    const completed_at = '2024-01-01T10:00:00.123456789123Z';
    const done = await takeIn(service, tenant, { status: 'FULFILLED', completed_at });
    expect([done.status, done.body.completed_at]).toEqual([201, '2024-01-01T10:00:00.123Z']);
    const early = await takeIn(service, tenant, { status: 'READY', completed_at });
    expect([early.status, early.body]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'completed_at'], type: 'value_error', input: completed_at }] },
    ]);
  });

  it('ignores unknown keys and takes null for an optional field as absent', async () => {
    const tenant = await createTenant(service);
    const odd = {
      customer_comments: null,
      status: null,
      external_id: null,
      created_at: null,
      is_read: true,
      x: 1,
    };
    const { status, body } = await takeIn(service, tenant, odd);
    expect([status, body.status, body['is_read'], 'customer_comments' in body]).toEqual([
      201,
      'PENDING',
      false,
      false,
    ]);
  });

  it.each([
    [{ customer: undefined }, 'missing', ['customer']],
    [{ customer: { name: 'x' } }, 'missing', ['customer', 'phone']],
    [{ customer: { name: 1, phone: '' } }, 'string_type', ['customer', 'name']],
    [{ customer: { name: 'a\u0000', phone: '' } }, 'string_unicode', ['customer', 'name']],
    [{ customer: { name: 'x'.repeat(10_001), phone: '' } }, 'string_too_long', ['customer', 'name']],
    [{ items: {} }, 'list_type', ['items']],
    [{ items: [1] }, 'dict_type', ['items', 0]],
    [{ items: [{ a: '\ud800' }] }, 'string_unicode', ['items', 0, 'a']],
    [{ price: -1 }, 'greater_than_equal', ['price']],
    [{ price: 1.5 }, 'int_from_float', ['price']],
    [{ price: '1' }, 'int_type', ['price']],
    [{ tax: 2 ** 53 }, 'less_than_equal', ['tax']],
    [{ ready_by: 'soon' }, 'datetime_from_date_parsing', ['ready_by']],
    [{ ready_by: 5 }, 'datetime_type', ['ready_by']],
    [{ status: 'DONE' }, 'enum', ['status']],
    [{ external_id: '' }, 'string_too_short', ['external_id']],
    [{ external_id: 'x'.repeat(256) }, 'string_too_long', ['external_id']],
    [{ items: [{ a: 'x'.repeat(800_000) }] }, 'value_error', ['items']],
  ])('refuses %j', async (more, type, loc) => {
    const tenant = await createTenant(service);
    const { status, body } = await takeIn(service, tenant, more);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ type, loc: ['body', ...loc] }] });
    expect((await list(service, tenant)).body.count).toBe(0);
  });

  it('needs orders:write, and a store of the key', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const reader = await createKey(service, { merchant_id: mine.merchantId, permissions: ['read'] });
    expect((await takeIn(service, { ...mine, key: reader.key })).status).toBe(403);
    const foreign = await takeIn(service, { ...mine, key: other.key });
    expect([foreign.status, foreign.body]).toEqual([404, { detail: 'Store not found' }]);
    expect((await takeIn(service, { ...mine, key: service.operatorKey })).status).toBe(201);
  });

  it('gives back the first order for the same external_id, and refuses a different body', async () => {
    const tenant = await createTenant(service);
    const first = await takeIn(service, tenant, { external_id: 'web/1' });
    await patch(service, tenant.key, first.body.id, { status: 'ACCEPTED' });
    const again = await takeIn(replica, tenant, { external_id: 'web/1' });
    expect([again.status, again.body]).toEqual([
      200,
      { ...first.body, status: 'ACCEPTED', revision: 2, updated_at: TIME },
    ]);
    const different = await takeIn(service, tenant, { external_id: 'web/1', price: 1 });
    expect([different.status, different.body]).toMatchObject([409, { detail: expect.any(String) as string }]);
    expect((await list(service, tenant)).body.count).toBe(1);
    expect((await takeIn(service, await createTenant(service), { external_id: 'web/1' })).status).toBe(201);
  });

  it('gives back the first order for the same Idempotency-Key of the same caller', async () => {
    const tenant = await createTenant(service);
    const headers = { 'idempotency-key': 'k 1' };
    const first = await takeIn(service, tenant, {}, headers);
    const again = await takeIn(replica, tenant, {}, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await takeIn(service, tenant, { tax: 1 }, headers)).status).toBe(409);
    expect((await list(service, tenant)).body.count).toBe(1);
    const operator = { ...tenant, key: service.operatorKey };
    expect((await takeIn(service, operator, {}, headers)).body.id).not.toBe(first.body.id);
    expect((await takeIn(service, tenant, {}, { 'idempotency-key': 'x'.repeat(256) })).status).toBe(422);
  });

  it('a new key with an old external_id leads to the same order', async () => {
    const tenant = await createTenant(service);
    const first = await takeIn(service, tenant, { external_id: 'e' }, { 'idempotency-key': 'a' });
    for (let time = 0; time < 2; time += 1) {
      const again = await takeIn(service, tenant, { external_id: 'e' }, { 'idempotency-key': 'b' });
      expect(again.body.id).toBe(first.body.id);
    }
  });

  it('keeps a key that met an order by its external_id: it stands for no other body', async () => {
    const tenant = await createTenant(service);
    const headers = { 'idempotency-key': 'k' };
    const first = await takeIn(service, tenant, { external_id: 'a' });
    const met = await takeIn(service, tenant, { external_id: 'a' }, headers);
    expect([met.status, met.body]).toEqual([200, first.body]);
    const other = await takeIn(replica, tenant, { external_id: 'b' }, headers);
    expect([other.status, other.body]).toEqual([
      409,
      { detail: 'This Idempotency-Key was used with a different body' },
    ]);
    const again = await takeIn(service, tenant, { external_id: 'a' }, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await list(service, tenant)).body.count).toBe(1);
  });

  it('honours a key for 24 hours, also where older ones have not been removed yet', async () => {
    const tenant = await createTenant(service);
    const storeKey = await storeKeyOf(service, tenant);
    const send = (key: string, external_id?: string) =>
      takeIn(service, tenant, { external_id }, { 'idempotency-key': key });
    const age = (interval: string) =>
      service.db.withClient((client) =>
        client.query(`UPDATE order_intake_keys SET taken_at = now() - $2::interval WHERE store_key = $1`, [
          storeKey,
          interval,
        ]),
      );
    const first = await send('made');
    await takeIn(service, tenant, { external_id: 'met' });
    expect((await send('met', 'met')).status).toBe(200);
    await age('23 hours 59 minutes');
    expect((await send('made')).body.id).toBe(first.body.id);
    expect((await send('met', 'other')).status).toBe(409);
    await age('24 hours');
    const second = await Promise.all([
      send('made', 'another body'),
      takeIn(replica, tenant, { external_id: 'another body' }, { 'idempotency-key': 'made' }),
    ]);
    expect(second.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(second.map(({ body }) => body.id)).size).toBe(1);
    expect((await send('met', 'other')).status).toBe(201);
    await age('24 hours');
    // A key that is over may stand for an order that was there before it.
    expect((await send('made', 'met')).status).toBe(200);
    expect((await send('made', 'met')).status).toBe(200);
    expect((await send('made', 'different')).status).toBe(409);
    expect((await list(service, tenant)).body.count).toBe(4);
  });

  it('lets a key stand for one body when an order met and one made race for it', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant, { external_id: 'met' });
    for (let round = 0; round < 10; round += 1) {
      const headers = { 'idempotency-key': `race ${round}` };
      const both = await Promise.all([
        takeIn(service, tenant, { external_id: 'met' }, headers),
        takeIn(replica, tenant, { external_id: `made ${round}` }, headers),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([expect.toBeOneOf([200, 201]), 409]);
    }
  });

  it('makes one order of many that race on two replicas', async () => {
    const tenant = await createTenant(service);
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        i % 4 < 2
          ? takeIn(i % 2 === 0 ? service : replica, tenant, { external_id: 'race' })
          : takeIn(i % 2 === 0 ? service : replica, tenant, { price: 7 }, { 'idempotency-key': 'race' }),
      ),
    );
    expect(all.every(({ status }) => status === 200 || status === 201)).toBe(true);
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(2);
    expect((await list(service, tenant)).body.count).toBe(2);
  });
});

describe('created_at', () => {
  it('is stamped when the turn of an order has come, unless it is stated', async () => {
    const tenant = await createTenant(service);
    const { status } = await takeIn(service, tenant);
    expect(status).toBe(201);
    const stated = '2026-03-01T12:00:00.000Z';
    const { waiting, released } = await service.db.transaction(async (tx) => {
      const text = 'SELECT FROM event_counters c WHERE c.store_key = $1 FOR UPDATE';
      await tx.query({ name: 'hold-counter', text, values: [await storeKeyOf(service, tenant)] });
      const first = takeIn(service, tenant);
      // The second waits for the first, which waits for this transaction.
      await delay(100);
      const others = [takeIn(service, tenant), takeIn(service, tenant, { created_at: stated })];
      await delay(300);
      return { waiting: [first, ...others], released: Date.now() };
    });
    const [, second, third] = await Promise.all(waiting);
    expect(Date.parse(second?.body.created_at ?? '')).toBeGreaterThanOrEqual(released);
    expect(third?.body.created_at).toBe(stated);
  });
});

describe('PATCH /manage/v1/orders/{id}', () => {
  it('moves an order along and keeps each change', async () => {
    const tenant = await createTenant(service);
    const { body: made } = await takeIn(service, tenant);
    const changed = { ready_by: '2026-03-02T00:00:00.000Z', customer_comments: 'no ice' };
    const accepted = await patch(service, tenant.key, made.id, {
      status: 'ACCEPTED',
      is_read: true,
      ...changed,
    });
    expect([accepted.status, accepted.body]).toEqual([
      200,
      { ...made, status: 'ACCEPTED', is_read: true, ...changed, revision: 2, updated_at: TIME },
    ]);
    const done = await patch(service, service.operatorKey, made.id, { status: 'FULFILLED', in_pos: true });
    expect(done.body).toEqual({
      ...accepted.body,
      ...{ status: 'FULFILLED', in_pos: true, completed_at: TIME, revision: 3, updated_at: TIME },
    });
    const entry = { time: TIME, key_id: tenant.keyId };
    expect((await history(made.id, tenant.key)).body).toEqual([
      { ...entry, field: 'customer_comments', to: 'no ice' },
      { ...entry, field: 'is_read', from: false, to: true },
      { ...entry, field: 'ready_by', from: made['ready_by'], to: changed.ready_by },
      { ...entry, field: 'status', from: 'PENDING', to: 'ACCEPTED' },
      { time: TIME, key_id: 'operator', field: 'in_pos', from: false, to: true },
      { time: TIME, key_id: 'operator', field: 'status', from: 'ACCEPTED', to: 'FULFILLED' },
    ]);
  });

  it('takes null as the clearing of a field, and refuses it where there must be a value', async () => {
    const tenant = await createTenant(service);
    const { body: made } = await takeIn(service, tenant, { customer_comments: 'no ice' });
    const cleared = await patch(service, tenant.key, made.id, { customer_comments: null });
    const { customer_comments: _, ...rest } = made as Record<string, unknown>;
    const kept: object = { ...rest, revision: 2, updated_at: TIME };
    expect([cleared.status, cleared.body]).toEqual([200, kept]);
    expect((await patch(service, tenant.key, made.id, { customer_comments: null })).body).toEqual(kept);
    expect((await history(made.id, tenant.key)).body).toEqual([
      { time: TIME, key_id: tenant.keyId, field: 'customer_comments', from: 'no ice' },
    ]);
    const needed = ['status', 'is_read', 'in_pos', 'ready_by'];
    const refused = await patch(service, tenant.key, made.id, {
      ...Object.fromEntries(needed.map((name) => [name, null])),
      customer_comments: 'hot',
    });
    expect(refused.status).toBe(422);
    expect((refused.body as unknown as { detail: { loc: unknown }[] }).detail.map(({ loc }) => loc)).toEqual(
      needed.map((name) => ['body', name]),
    );
    expect((await list(service, tenant)).body.order_result_list).toEqual([onV1(kept)]);
  });

  it('changes nothing when all is so already, and refuses a forbidden move whole', async () => {
    const tenant = await createTenant(service);
    const { body: made } = await takeIn(service, tenant);
    const same = await patch(service, tenant.key, made.id, { status: 'PENDING', is_read: false });
    expect([same.status, same.body]).toEqual([200, made]);
    expect((await patch(service, tenant.key, made.id, {})).body).toEqual(made);
    const forbidden = await patch(service, tenant.key, made.id, { status: 'READY', is_read: true });
    expect([forbidden.status, forbidden.body]).toEqual([
      409,
      { detail: 'An order that is PENDING cannot become READY' },
    ]);
    expect((await history(made.id, tenant.key)).body).toEqual([]);
    expect((await list(service, tenant)).body.order_result_list).toEqual([onV1(made)]);
  });

  it('checks key, order, permission and body in this order', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const { body: made } = await takeIn(service, mine);
    const reader = await createKey(service, { merchant_id: mine.merchantId, permissions: ['read'] });
    const wrong = { status: 'NONE' };
    expect((await patch(service, 'x', made.id, wrong)).status).toBe(401);
    const foreign = await patch(service, other.key, made.id, wrong);
    expect([foreign.status, foreign.body]).toEqual([404, { detail: 'Order not found' }]);
    expect((await patch(service, reader.key, made.id, wrong)).status).toBe(403);
    expect((await patch(service, mine.key, made.id, wrong)).status).toBe(422);
    expect((await history(made.id, other.key)).status).toBe(404);
  });

  it('lets changes that race end in one legal history, with exact counts', async () => {
    const tenant = await createTenant(service);
    const orders = await Promise.all(Array.from({ length: 10 }, () => takeIn(service, tenant)));
    const wanted = ['CUSTOMER_CANCELLED', 'STORE_CANCELLED', 'ACCEPTED', 'READY'];
    for (const { body } of orders) {
      const answers = await Promise.all(
        wanted.map((status, i) => patch(i % 2 === 0 ? service : replica, tenant.key, body.id, { status })),
      );
      const moves = (await history(body.id, tenant.key)).body as { from: string; to: string }[];
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(moves.length);
      expect(moves.map(({ from }) => from)).toEqual(['PENDING', ...moves.slice(0, -1).map(({ to }) => to)]);
    }
    await expectExactCounts(tenant.storeId);
  });
});

describe('many writers on one store and hour', () => {
  it('lose no count', async () => {
    const tenant = await createTenant(service);
    const created_at = '2026-06-01T12:00:00Z';
    const writer = async (writes: number, i: number) => {
      for (let time = 0; time < writes; time += 1) {
        const on = (i + time) % 2 === 0 ? service : replica;
        const { body } = await takeIn(on, tenant, { created_at, external_id: `${i % 10}-${time}` });
        await patch(on, tenant.key, body.id, { status: time % 3 === 0 ? 'ACCEPTED' : 'REJECTED' });
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, i) => writer(8, i)));
    expect((await list(service, tenant)).body.count).toBe(80);
    expect((await list(service, tenant, 'status=ACCEPTED')).body.count).toBe(30);
    expect((await list(service, tenant, 'status=PENDING')).body.count).toBe(0);
    expect(await listIds(service, tenant, 'page_size=100')).toHaveLength(80);
    await expectExactCounts(tenant.storeId);
  });
});

/** At every level and in every bucket, the kept counts equal a recount. */
async function expectExactCounts(storeId: string): Promise<void> {
  const differences = await service.db.query({
    name: 'recount',
    text: `
      WITH store AS (SELECT store_key FROM stores WHERE id = $1),
      kept AS (
        SELECT c.level, c.bucket, s.status, sum(s.n) AS n FROM order_counts c, store,
          LATERAL (VALUES ('PENDING', c.pending), ('CUSTOMER_CANCELLED', c.customer_cancelled),
            ('STORE_CANCELLED', c.store_cancelled), ('ACCEPTED', c.accepted), ('REJECTED', c.rejected),
            ('READY', c.ready), ('FULFILLED', c.fulfilled)) AS s (status, n)
        WHERE c.store_key = store.store_key
        GROUP BY 1, 2, 3 HAVING sum(s.n) <> 0
      ),
      counted AS (
        SELECT l.level, floor((extract(epoch FROM o.created_at) + 62135596800) / 3600 / l.hours)::int AS bucket,
          o.status::text, count(*) AS n
        FROM orders o, store, (VALUES (0, 1), (1, 24), (2, 768)) AS l (level, hours)
        WHERE o.store_key = store.store_key
        GROUP BY 1, 2, 3
      )
      (TABLE kept EXCEPT TABLE counted) UNION ALL (TABLE counted EXCEPT TABLE kept)`,
    values: [storeId],
  });
  expect(differences).toEqual([]);
}

describe('the same order spelled differently', () => {
  it('is the same order', async () => {
    const tenant = await createTenant(service);
    const { external_id, ...rest } = orderRequest({ external_id: 'turned' });
    const first = await takeIn(service, tenant, { external_id });
    const turned = await ask<OrderBody>(`${service.url}/manage/v1/stores/${tenant.storeId}/orders`, {
      method: 'POST',
      key: tenant.key,
      body: { external_id, ...rest, more: 1 },
    });
    expect([turned.status, turned.body.id]).toEqual([200, first.body.id]);
  });
});
