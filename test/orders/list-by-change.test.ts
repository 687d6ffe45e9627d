import { describe, expect, it } from 'vitest';
import { ask, type Answer } from '../harness/client.js';
import { importLines, orderRequest, patch, takeIn, type OrderBody } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

interface ListBody {
  readonly orders: readonly OrderBody[];
  readonly cursor: string;
  readonly has_more: boolean;
  readonly detail?: unknown;
}

function list({ storeId, key }: Tenant, query: Record<string, string> = {}): Promise<Answer<ListBody>> {
  const search = new URLSearchParams(query).toString();
  return ask(`${service.url}/manage/v1/stores/${storeId}/orders?${search}`, { key });
}

async function walk(tenant: Tenant, query: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 100; page += 1) {
    const { body } = await list(tenant, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...body.orders.map(({ id }) => id));
    ({ cursor } = body);
    if (!body.has_more) return ids;
  }
  throw new Error('The list has no end');
}

it('has about a megabyte in an answer, whatever part of the orders it is', async () => {
  const tenant = await createTenant(service);
  const long = 'x'.repeat(9_000);
  const lines = Array.from({ length: 150 }, () =>
    JSON.stringify({
      store_id: tenant.storeId,
      ...orderRequest({ customer: { name: long, phone: long }, customer_comments: long, items: [] }),
    }),
  );
  expect((await importLines(service, tenant.key, lines.join('\n'))).status).toBe(200);
  const { body } = await list(tenant, { limit: '1000' });
  expect(body.has_more).toBe(true);
  expect(body.orders.length).toBeLessThan(60);
  expect(new Set(await walk(tenant, { limit: '1000' })).size).toBe(150);
});

describe('an order on the manage side', () => {
  it('is as the interface shows it, with external_id, revision and time of its last change', async () => {
    const tenant = await createTenant(service);
    const { body: order } = await takeIn(service, tenant, { external_id: 'till-1' });
    const read = () => ask<OrderBody>(`${service.url}/manage/v1/orders/${order.id}`, { key: tenant.key });
    const { status, body } = await read();
    expect([status, body]).toEqual([
      200,
      { ...order, external_id: 'till-1', revision: 1, updated_at: order.created_at },
    ]);
    const { body: changed } = await patch(service, tenant.key, order.id, { status: 'REJECTED' });
    expect((await read()).body).toEqual({
      ...changed,
      external_id: 'till-1',
      revision: 2,
      updated_at: changed.completed_at,
    });
    const { body: plain } = await takeIn(service, tenant);
    const { body: without } = await ask<object>(`${service.url}/manage/v1/orders/${plain.id}`, {
      key: tenant.key,
    });
    expect(without).toEqual({ ...plain, revision: 1, updated_at: plain.created_at });
  });

  it('is nobody else’s', async () => {
    const [tenant, other] = [await createTenant(service), await createTenant(service)];
    const { body: order } = await takeIn(service, tenant);
    const blind = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['orders:write'] });
    for (const [key, status] of [
      [other.key, 404],
      [blind.key, 403],
    ] as const) {
      expect((await ask(`${service.url}/manage/v1/orders/${order.id}`, { key })).status).toBe(status);
      expect((await list({ ...tenant, key })).status).toBe(status);
    }
  });
});

describe('the list of orders by last change', () => {
  it('has the oldest change first, in pages, and begins behind a moment', async () => {
    const tenant = await createTenant(service);
    expect((await list(tenant)).body).toMatchObject({ orders: [], has_more: false });
    const taken: OrderBody[] = [];
    for (let i = 0; i < 5; i += 1)
      taken.push(
        (await takeIn(service, tenant, { external_id: `${i}`, references: { till: `${i % 2}` } })).body,
      );
    const [first = '', , third = ''] = taken.map(({ id }) => id);
    const { body: other } = await takeIn(service, await createTenant(service));
    await patch(service, tenant.key, first, { is_read: true });
    await patch(service, tenant.key, third, { status: 'ACCEPTED', in_pos: true });
    const order = [1, 3, 4, 0, 2].map((i) => taken[i]?.id);
    const { body } = await list(tenant);
    expect([body.orders.map(({ id }) => id), body.has_more]).toEqual([order, false]);
    expect(body.orders[4]).toMatchObject({ revision: 2, external_id: '2', status: 'ACCEPTED', in_pos: true });
    for (const limit of ['1', '2', '5', '1000']) expect(await walk(tenant, { limit })).toEqual(order);
    const { body: none } = await list(tenant, { cursor: body.cursor });
    expect(none).toEqual({ orders: [], cursor: body.cursor, has_more: false });
    const moment = String(body.orders[2]?.['updated_at']);
    expect(await walk(tenant, { updated_after: moment })).toEqual(order.slice(3));
    expect(await walk(tenant, { updated_after: moment, cursor: body.cursor })).toEqual([]);
    const filters: [Record<string, string>, (string | undefined)[]][] = [
      [{ is_read: 'true' }, [first]],
      [{ in_pos: 'true' }, [third]],
      [{ in_pos: 'false', is_read: 'false' }, order.slice(0, 3)],
      [{ status: 'ACCEPTED' }, [third]],
      [{ status: 'PENDING,ACCEPTED', limit: '2' }, order],
      [{ status: 'PENDING', is_read: 'true' }, [first]],
      [{ external_id: '3' }, [taken[3]?.id]],
      [{ external_id: '3', status: 'ACCEPTED' }, []],
      [{ external_id: 'nothing' }, []],
      [{ ids: `${third},${other.id},nobody,,${first}`, limit: '1' }, [first, third]],
      [{ ids: `${third},${first}`, status: 'ACCEPTED' }, [third]],
      [{ ids: `${third},${first}`, external_id: '0' }, [first]],
      [{ ids: `${third},${first}`, reference: 'till:0' }, [first, third]],
      [{ ids: `${third},${first}`, reference: 'till:1' }, []],
      [{ external_id: '3', reference: 'till:1' }, [taken[3]?.id]],
      [{ external_id: '3', reference: 'till:0' }, []],
      [{ external_id: '3', reference: 'pos:1' }, []],
      [{ reference: 'till:0', is_read: 'true' }, [first]],
      [{ ids: '' }, []],
    ];
    for (const [query, expected] of filters)
      expect([query, await walk(tenant, query)]).toEqual([query, expected]);
  });

  it('ends an answer early where orders are large', async () => {
    const tenant = await createTenant(service);
    const items = [{ note: 'x'.repeat(700_000) }];
    const taken = await Promise.all(Array.from({ length: 5 }, () => takeIn(service, tenant, { items })));
    const { body } = await list(tenant);
    expect([body.orders.length, body.has_more]).toEqual([2, true]);
    expect((await walk(tenant, {})).sort()).toEqual(taken.map(({ body: { id } }) => id).sort());
  });

  it('finds the few among very many, whichever way they are sought', async () => {
    const tenant = await createTenant(service);
    const lines = Array.from({ length: 12_000 }, (_, i) =>
      JSON.stringify({
        store_id: tenant.storeId,
        ...orderRequest({
          items: [],
          status: i % 6_000 === 7 ? 'PENDING' : 'FULFILLED',
          is_read: i !== 11_999,
        }),
      }),
    );
    await importLines(service, tenant.key, lines.join('\n'));
    expect(await walk(tenant, { status: 'PENDING,READY' })).toHaveLength(2);
    expect(await walk(tenant, { is_read: 'false' })).toHaveLength(1);
    expect(await walk(tenant, { status: 'FULFILLED', is_read: 'false' })).toHaveLength(1);
    expect(await walk(tenant, { limit: '1000' })).toHaveLength(12_000);
  });

  it('refuses bad parameters', async () => {
    const tenant = await createTenant(service);
    const bad = {
      status: ['OPEN', '', 'PENDING,', 'pending'],
      is_read: ['maybe', ''],
      in_pos: ['2'],
      updated_after: ['yesterday'],
      limit: ['0', '1001'],
      cursor: ['', 'x', 'MTIzLjQ', 'now'],
      external_id: ['', 'x'.repeat(256)],
      ids: ['x'.repeat(3_700)],
      page_index: ['1'],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const { status, body } = await list(tenant, { [name]: value });
        expect([name, value, status, body.detail]).toEqual([
          name,
          value,
          422,
          [expect.objectContaining({ loc: ['query', name] })],
        ]);
      }
    }
  });
});
