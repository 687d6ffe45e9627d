import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Overloaded } from '../../src/support/errors.js';
import { createOrderLister } from '../../src/orders/list/list.sql.js';
import { importLines, list, orderRequest, patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { placeInQuery } from '../../src/orders/routes.v1.js';
import { createTenant, storeKeyOf, type Tenant } from '../harness/tenant.js';

const MANY = 21_000;

const service = await useService();
const tenant = await createTenant(service);
await importMany(tenant, MANY);
const store = { merchantId: tenant.merchantId, storeKey: await storeKeyOf(service, tenant) };

async function importMany({ storeId, key }: Tenant, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      store_id: storeId,
      ...orderRequest({ items: [], created_at: new Date(i * 60_000).toISOString() }),
    }),
  );
  await importLines(service, key, lines.join('\n'));
}

const broad = { name: 'a', digits: '' };
const page = { offset: 0, size: 20 };

describe('a search that no index serves', () => {
  it('is answered exactly', async () => {
    const { status, body } = await list(service, tenant, 'customer_name=a&page_index=1050');
    expect([status, body.count, body.order_result_list.length]).toEqual([200, MANY, 20]);
  });

  it('is refused at its parameter when it takes too long, and only then', async () => {
    const mostInTime = { orders: MANY - 1, longNames: 0 };
    const listInHurry = createOrderLister(service.db, { longestMs: 1, mostInTime });
    const refusal = (filter: typeof broad) =>
      listInHurry(store, filter, page).then(String, (error: unknown) => placeInQuery(error));
    expect(await refusal(broad)).toMatchObject({
      errors: [{ loc: ['query', 'customer_name'], type: 'query_too_broad' }],
    });
    expect(await refusal({ name: '', digits: '4' })).toMatchObject({
      errors: [{ loc: ['query', 'phone_number'], type: 'query_too_broad' }],
    });
    expect((await listInHurry(store, { name: '', digits: '' }, page)).count).toBe(MANY);
  });

  it('is told to come again when it is late without being too broad by itself', async () => {
    const mostInTime = { orders: MANY, longNames: 0 };
    const listInHurry = createOrderLister(service.db, { longestMs: 1, mostInTime });
    await expect(listInHurry(store, broad, page)).rejects.toBeInstanceOf(Overloaded);
  });

  it('is 503 with Retry-After when it would wait for too long', async () => {
    await list(service, tenant, 'customer_name=a');
    const answers = await service.db.transaction(async (tx) => {
      await tx.query({ name: 'hold-search', text: 'LOCK TABLE order_search IN ACCESS EXCLUSIVE MODE' });
      return Promise.all(
        [1, 2, 3].map((index) => list(service, tenant, `customer_name=a&page_index=${index}`)),
      );
    });
    expect(answers.map(({ status, headers, body }) => [status, headers.get('retry-after'), body])).toEqual(
      Array.from({ length: 3 }, () => [503, '1', { detail: 'The service is overloaded. Try again.' }]),
    );
  });

  it('does not wait for all the searches of another merchant', async () => {
    const other = await createTenant(service);
    await importMany(other, 6_000);
    const done: string[] = [];
    const search = async (of: Tenant, name: string, index = 1) => {
      expect((await list(service, of, `customer_name=a&page_index=${index}`)).status).toBe(200);
      done.push(name);
    };
    await search(other, 'warm');
    const many = Array.from({ length: 20 }, (_, i) => search(tenant, 'many', i + 1));
    await search(other, 'other');
    await Promise.all(many);
    expect(done.indexOf('other')).toBeLessThan(10);
  });

  it('leaves other requests their connections', async () => {
    const searches = Array.from({ length: 30 }, (_, i) =>
      list(service, tenant, `customer_name=a&page_index=${i + 1}`),
    );
    const quick = await list(service, tenant, 'page_size=1');
    expect(quick.status).toBe(200);
    const answers = await Promise.all(searches);
    expect(new Set(answers.map(({ status }) => status)).has(503)).toBe(false);
  });
});

describe('the same list for many at once', () => {
  it('is read once for those who have asked while it was being read, and not for anyone before', async () => {
    const { body: first } = await list(service, tenant, 'page_size=1');
    const { early, late } = await service.db.transaction(async (tx) => {
      await tx.query({ name: 'hold-orders', text: 'LOCK TABLE orders IN ACCESS EXCLUSIVE MODE' });
      const early = list(service, tenant, 'page_size=1');
      await untilWaiting(1);
      const late = Array.from({ length: 30 }, () => list(service, tenant, 'page_size=1'));
      const another = list(service, tenant, 'page_size=2');
      await untilWaiting(2);
      return { early, late: [...late, another] };
    });
    const answers = await Promise.all([early, ...late]);
    expect(answers.map(({ body }) => [body.count, body.order_result_list[0]])).toEqual(
      answers.map(() => [first.count, first.order_result_list[0]]),
    );
  });

  /** So many statements wait for the table, and no more although more was asked for. */
  async function untilWaiting(wanted: number): Promise<void> {
    const count = async () => {
      const [row] = await service.db.query<{ n: number }>({
        name: 'waiting-for-orders',
        text: `SELECT count(*) AS n FROM pg_locks l WHERE l.relation = 'orders'::regclass AND NOT l.granted
               AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())`,
      });
      return row?.n;
    };
    while ((await count()) !== wanted) await setTimeout(20);
    await setTimeout(200);
    expect(await count()).toBe(wanted);
  }
});

describe('a name too long to be indexed', () => {
  it('is found among many others by any part of it', async () => {
    const name = `${'龍'.repeat(4_000)}quetzal${'鳳'.repeat(4_000)}`;
    const { body: taken } = await takeIn(service, tenant, { customer: { name, phone: '1' } });
    for (const query of ['customer_name=quetzal', 'customer_name=龍quetzal鳳鳳&status=PENDING']) {
      const { body } = await list(service, tenant, query);
      expect([query, body.count, body.order_result_list.map(({ id }) => id)]).toEqual([query, 1, [taken.id]]);
    }
    expect((await list(service, tenant, 'customer_name=quetzalx')).body.count).toBe(0);
    await patch(service, tenant.key, taken.id, { status: 'ACCEPTED' });
    expect((await list(service, tenant, 'customer_name=quetzal&status=PENDING')).body.count).toBe(0);
  });
});
