import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/events/cursor.js';
import { cleanUp } from '../../src/upkeep/cleanup.js';
import { backup, restore } from '../harness/backup.js';
import { ask } from '../harness/client.js';
import { readFeed } from '../harness/events.js';
import { chain, menuClient } from '../harness/menu.js';
import { importLines, orderRequest, patch, takeIn } from '../harness/orders.js';
import { startService, useService } from '../harness/service.js';
import { createKey, createMerchant, createStore, createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

async function takeMany(tenant: Tenant, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => takeIn(service, tenant)));
}

describe('the feed of a store', () => {
  it('shows each event whole', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant, { external_id: 'x' });
    const { status, body, headers } = await readFeed(service, tenant);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    const [event] = body.events;
    expect(body).toEqual({ events: [event], cursor: event?.cursor, has_more: false });
    expect(event).toEqual({
      id: expect.stringMatching(
        /^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as string,
      type: 'order.created',
      timestamp: order.created_at,
      store_id: tenant.storeId,
      sequence: 1,
      cursor: expect.stringMatching(/^[\w-]+$/) as string,
      data: {
        order_id: order.id,
        number: 1,
        external_id: 'x',
        revision: 1,
        status: 'PENDING',
        price: 390,
        tax: 39,
        ready_by: '2026-03-01T12:30:00.000Z',
        key_id: tenant.keyId,
      },
    });
  });

  it('is read in pages from any event on, and from now', async () => {
    const tenant = await createTenant(service);
    expect((await readFeed(service, tenant)).body).toMatchObject({ events: [], has_more: false });
    const { body: empty } = await readFeed(service, tenant, { after: 'now' });
    await takeMany(tenant, 7);
    const { body: first } = await readFeed(service, tenant, { limit: '3' });
    expect([first.events.map(({ sequence }) => sequence), first.has_more]).toEqual([[1, 2, 3], true]);
    const { body: second } = await readFeed(service, tenant, { limit: '4', after: first.cursor });
    expect([second.events.map(({ sequence }) => sequence), second.has_more]).toEqual([[4, 5, 6, 7], false]);
    const { body: none } = await readFeed(service, tenant, { after: second.cursor });
    expect(none).toEqual({ events: [], cursor: second.cursor, has_more: false });
    const from = first.events[1]?.cursor ?? '';
    expect((await readFeed(service, tenant, { after: from })).body.events[0]?.sequence).toBe(3);
    expect((await readFeed(service, tenant, { after: empty.cursor })).body.events).toHaveLength(7);
    const { body: now } = await readFeed(service, tenant, { after: 'now' });
    expect(now).toEqual({ events: [], cursor: second.cursor, has_more: false });
  });

  it('shows only the types asked for, and goes past the others', async () => {
    const tenant = await createTenant(service);
    await takeMany(tenant, 3);
    await menuClient(service, tenant).post(chain());
    await takeMany(tenant, 3);
    const { body } = await readFeed(service, tenant, { types: 'menu.published,store.updated', limit: '1' });
    expect(body.events.map(({ type, sequence }) => [type, sequence])).toEqual([['menu.published', 4]]);
    expect(body.has_more).toBe(true);
    const { body: rest } = await readFeed(service, tenant, { types: 'menu.published', after: body.cursor });
    expect([rest.events, rest.has_more]).toEqual([[], false]);
    expect((await readFeed(service, tenant, { after: rest.cursor })).body.events).toEqual([]);
  });

  it('brings the order as it is now, with its revision, as many as one answer takes', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant, { external_id: 'x' });
    await patch(service, tenant.key, order.id, { status: 'ACCEPTED' });
    const { body } = await readFeed(service, tenant, { include: 'order' });
    const { body: managed } = await ask(`${service.url}/manage/v1/orders/${order.id}`, { key: tenant.key });
    expect(managed).toMatchObject({ revision: 2, status: 'ACCEPTED', external_id: 'x' });
    expect(body.events.map(({ data }) => [data['revision'], data['order']])).toEqual([
      [1, managed],
      [2, managed],
    ]);

    const large = await createTenant(service);
    const items = [{ note: 'x'.repeat(700_000) }];
    await Promise.all(Array.from({ length: 5 }, () => takeIn(service, large, { items })));
    const { body: some } = await readFeed(service, large, { include: 'order' });
    expect(some.has_more).toBe(true);
    let { cursor } = some;
    const seen = some.events.map(({ sequence }) => sequence);
    while (seen.length < 5) {
      const { body: more } = await readFeed(service, large, { include: 'order', after: cursor });
      seen.push(...more.events.map(({ sequence }) => sequence));
      expect(more.events.length).toBeGreaterThan(0);
      ({ cursor } = more);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('refuses what is no cursor of its own, and every other bad parameter', async () => {
    const [tenant, other] = [await createTenant(service), await createTenant(service)];
    await takeMany(tenant, 1);
    await takeMany(other, 1);
    const foreign = (await readFeed(service, other)).body.cursor;
    const ofAll = (await readFeed(service, { key: tenant.key })).body.cursor;
    const own = (await readFeed(service, tenant)).body.cursor;
    const broken = [
      foreign,
      ofAll,
      '',
      '=',
      'AAAA',
      `${own}A`,
      own.slice(1),
      `${own}==`,
      '%00',
      'nów',
      'x'.repeat(7_000),
    ];
    for (const after of broken) {
      const { status, body } = await readFeed(service, tenant, { after });
      expect([after, status, body.detail]).toEqual([
        after,
        422,
        [expect.objectContaining({ loc: ['query', 'after'] })],
      ]);
    }
    const bad = {
      wait: ['999', '-1', '1.5', 'x', '31'],
      limit: ['0', '1001', 'x'],
      types: ['order', 'a,b', '', 'order.created,'],
      include: ['orders'],
      foo: ['1'],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const { status, body } = await readFeed(service, tenant, { [name]: value });
        expect([name, value, status, body.detail]).toEqual([
          name,
          value,
          422,
          [expect.objectContaining({ loc: ['query', name] })],
        ]);
      }
    }
  });

  it('is nobody else’s', async () => {
    const [tenant, other] = [await createTenant(service), await createTenant(service)];
    await takeMany(tenant, 1);
    const blind = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['orders:write'] });
    const statuses = [other.key, blind.key, 'nothing'].map((key) =>
      readFeed(service, { key, storeId: tenant.storeId }),
    );
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 403, 401]);
  });

  it('tells whoever is too late to begin again, and where', async () => {
    const tenant = await createTenant(service);
    await takeMany(tenant, 5);
    const { body: all } = await readFeed(service, tenant);
    await service.db.withClient((client) =>
      client.query(
        `WITH kept AS (UPDATE event_counters c SET first_sequence = 4 FROM stores s
           WHERE s.store_key = c.store_key AND s.id = $1 RETURNING c.store_key)
         DELETE FROM events e USING kept WHERE e.store_key = kept.store_key AND e.sequence < 4`,
        [tenant.storeId],
      ),
    );
    const [one, , three] = all.events;
    const late = await readFeed(service, tenant, { after: one?.cursor ?? '' });
    expect([late.status, late.body]).toEqual([
      410,
      { detail: expect.stringMatching(/list of orders again/) as string, cursor: three?.cursor },
    ]);
    // Nothing is lost behind the third: its own event need not be there any more.
    const just = await readFeed(service, tenant, { after: three?.cursor ?? '' });
    expect(just.body.events.map(({ sequence }) => sequence)).toEqual([4, 5]);
    expect((await readFeed(service, tenant)).body.events.map(({ sequence }) => sequence)).toEqual([4, 5]);
    const ahead = decodeCursor(all.cursor);
    if (ahead?.of !== 'store') throw new Error('no cursor of a store');
    const undone = await readFeed(service, tenant, { after: encodeCursor({ ...ahead, sequence: 6 }) });
    expect([undone.status, undone.body.cursor]).toEqual([410, three?.cursor]);
  });

  it('keeps events for so many days, and forgets older ones in pieces', async () => {
    const tenant = await createTenant(service);
    await takeMany(tenant, 6);
    const { body: all } = await readFeed(service, tenant);
    const age = (days: number, from: number, to: number) =>
      service.db.withClient((client) =>
        client.query(
          `UPDATE events e SET at = now() - make_interval(days => $2) FROM stores s
           WHERE s.store_key = e.store_key AND s.id = $1 AND e.sequence BETWEEN $3 AND $4`,
          [tenant.storeId, days, from, to],
        ),
      );
    await age(31, 1, 3);
    await age(29, 2, 2);
    await Promise.all([cleanUp(service.db, 30), cleanUp(service.db, 30), takeIn(service, tenant)]);
    // The third is old too, but stands behind one that is not.
    expect((await readFeed(service, tenant)).body.events.map(({ sequence }) => sequence)).toEqual([
      2, 3, 4, 5, 6, 7,
    ]);
    await age(31, 1, 7);
    await cleanUp(service.db, 30);
    const { status, body } = await readFeed(service, tenant);
    expect([status, body.events]).toEqual([200, []]);
    const late = await readFeed(service, tenant, { after: all.cursor });
    expect([late.status, late.body.cursor]).toEqual([410, body.cursor]);
    await takeIn(service, tenant);
    const { body: next } = await readFeed(service, tenant, { after: body.cursor });
    expect(next.events.map(({ sequence }) => sequence)).toEqual([8]);
  });

  it('begins anew for everyone when a backup was restored', async () => {
    const source = await startService();
    const tenant = await createTenant(source);
    await takeIn(source, tenant);
    const { cursor } = (await readFeed(source, tenant)).body;
    const target = await startService();
    await restore(target, await backup(source));
    const old = await readFeed(target, tenant, { after: cursor });
    expect(old.status).toBe(410);
    await takeIn(target, tenant);
    const again = await readFeed(target, tenant, { after: old.body.cursor });
    expect(again.body.events.map(({ sequence }) => sequence)).toEqual([1, 2]);
    await Promise.all([source.stop(), target.stop()]);
  });
});

describe('the feed of all stores of a key', () => {
  it('has the events of each store in order, and of no other', async () => {
    const tenant = await createTenant(service);
    const second = await createStore(service, tenant.merchantId);
    const other = await createTenant(service);
    const reader = { key: tenant.key };
    const stores = [tenant.storeId, second, other.storeId];
    const lines = stores.map((storeId) => JSON.stringify({ store_id: storeId, ...orderRequest() }));
    await importLines(service, service.operatorKey, lines.join('\n'));
    await takeIn(service, tenant);
    await takeIn(service, { ...tenant, storeId: second });
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 20; page += 1) {
      const { body } = await readFeed(service, reader, {
        limit: '1',
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...body.events.map((event) => `${event.store_id} ${event.sequence}`));
      expect(body.cursor).toBe(body.events[0]?.cursor ?? body.cursor);
      after = body.cursor;
      if (!body.has_more) break;
    }
    expect([...seen].sort()).toEqual(
      stores
        .slice(0, 2)
        .flatMap((id) => [`${id} 1`, `${id} 2`])
        .sort(),
    );
    for (const id of stores.slice(0, 2))
      expect(seen.filter((line) => line.startsWith(id))).toEqual([`${id} 1`, `${id} 2`]);
    const { body: whole } = await readFeed(service, reader);
    expect(whole.events).toHaveLength(4);
    expect(whole.has_more).toBe(false);
    const timestamps = whole.events.map(({ timestamp }) => timestamp);
    expect(timestamps).toEqual([...timestamps].sort());

    const third = await createStore(service, tenant.merchantId);
    await takeIn(service, { ...tenant, storeId: third });
    const { body: grown } = await readFeed(service, reader, { after: whole.cursor });
    expect(grown.events.map((event) => [event.store_id, event.sequence])).toEqual([[third, 1]]);
    const foreign = await readFeed(service, { key: other.key }, { after: whole.cursor });
    expect(foreign.status).toBe(422);
    expect((await readFeed(service, reader, { after: grown.cursor })).body.cursor).toBe(grown.cursor);
  });

  it('is for at most 200 stores, and also for none', async () => {
    const merchantId = await createMerchant(service);
    const { key } = await createKey(service, { merchant_id: merchantId, permissions: ['read'] });
    const { status, body } = await readFeed(service, { key }, { wait: '0' });
    expect([status, body]).toEqual([200, { events: [], cursor: body.cursor, has_more: false }]);
    expect((await readFeed(service, { key }, { after: body.cursor })).status).toBe(200);
    await service.db.withClient((client) =>
      client.query(
        `INSERT INTO stores (id, store_key, merchant_id, created_at, name)
         SELECT gen_random_uuid(), nextval('store_numbers'), $1, now(), '{"translations":{}}' FROM generate_series(1, 201)`,
        [merchantId],
      ),
    );
    const many = await readFeed(service, { key });
    expect([many.status, many.body.detail]).toEqual([422, [expect.objectContaining({ loc: ['query'] })]]);
  });
});

describe('waiting', () => {
  it('ends at once with an event of the same process, and soon with one of another', async () => {
    const replica = await service.replica();
    const tenant = await createTenant(service);
    await takeIn(service, tenant);
    for (const writer of [service, replica]) {
      const { cursor } = (await readFeed(service, tenant, { after: 'now' })).body;
      const waiting = Promise.all([
        readFeed(service, tenant, { after: cursor, wait: '30' }),
        readFeed(service, { key: tenant.key }, { after: 'now', wait: '30' }),
      ]);
      await delay(300);
      const { body: order } = await takeIn(writer, tenant);
      for (const { body } of await waiting) {
        expect(body.events.map(({ data }) => data['order_id'])).toEqual([order.id]);
      }
    }
    await replica.stop();
  });

  it('ends with nothing when its time is over, at once when the service ends, and holds no connection', async () => {
    const replica = await service.replica();
    const tenant = await createTenant(service);
    const begun = performance.now();
    const { status, body } = await readFeed(replica, tenant, { wait: '1' });
    expect([status, body.events]).toEqual([200, []]);
    expect(performance.now() - begun).toBeGreaterThan(990);
    const waiting = Array.from({ length: 50 }, () => readFeed(replica, tenant, { wait: '30' }));
    await delay(1_000);
    const inUse = () => {
      const { total, idle } = replica.db.usage();
      return total - idle;
    };
    await expect.poll(inUse, { timeout: 10_000 }).toBeLessThan(2);
    await replica.stop();
    expect((await Promise.all(waiting)).map((answer) => answer.status)).toEqual(waiting.map(() => 200));
  });

  it('is no use to a key that is revoked meanwhile', async () => {
    const tenant = await createTenant(service);
    const waiting = readFeed(service, tenant, { wait: '30' });
    await delay(300);
    await ask(`${service.url}/manage/v1/keys/${tenant.keyId}`, {
      method: 'DELETE',
      key: service.operatorKey,
    });
    const operator = { ...tenant, key: service.operatorKey };
    await takeIn(service, operator);
    const { status, body } = await waiting;
    expect([status, body]).toEqual([401, { detail: 'Invalid API key' }]);
  });
});
