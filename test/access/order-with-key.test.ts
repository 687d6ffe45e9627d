import { expect, it } from 'vitest';
import { createApiKeyLookup } from '../../src/access/api-key-lookup.sql.js';
import { hashSecret } from '../../src/access/secret.js';
import type { Database } from '../../src/postgres/database.js';
import { storeKeyOfOrder } from '../../src/orders/id.js';
import { ORDER_ROW } from '../../src/orders/read.sql.js';
import { isOnCitus } from '../harness/citus.js';
import { ask } from '../harness/client.js';
import { orderRequest, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();
const [tenant, other] = [await createTenant(service), await createTenant(service)];
const { body: order } = await takeIn(service, tenant);
const lookUpKey = createApiKeyLookup(service.db);

const orderOf = (id: string) => ({ storeKey: storeKeyOfOrder(id) ?? 0, row: { ...ORDER_ROW, id } });

it.skipIf(isOnCitus)('comes with the key to a caller who asks alone', async () => {
  const { principal, store, row } = await lookUpKey({ secret: tenant.key, store: orderOf(order.id) });
  expect([principal?.id, store?.id]).toEqual([tenant.keyId, tenant.storeId]);
  expect(row).toMatchObject({ id: order.id, customer_name: 'Łukasz Nowak' });
});

it.skipIf(isOnCitus)(
  'is read apart by those who ask at the same moment or right after, and where it is large',
  async () => {
    const { body: second } = await takeIn(service, tenant);
    const only = { secret: tenant.key, store: orderOf(order.id) };
    const together = [order.id, second.id, order.id].map((id) =>
      lookUpKey({ secret: tenant.key, store: orderOf(id) }),
    );
    expect((await Promise.all(together)).map(({ principal, row }) => [principal?.id, row])).toEqual(
      together.map(() => [tenant.keyId, undefined]),
    );
    const [next, after] = [await lookUpKey(only), await lookUpKey(only)];
    expect([next.row, after.row]).toEqual([undefined, expect.objectContaining({ id: order.id })]);
    const line = { external_id: 'latte', name: 'é'.repeat(9_000), quantity: 1, price: 390, tax: 39 };
    const { body: large } = await takeIn(service, tenant, orderRequest({ items: [line] }));
    expect(await lookUpKey({ secret: tenant.key, store: orderOf(large.id) })).not.toHaveProperty('row');
    for (const { id } of [order, second, large]) {
      const { status, body } = await ask<{ id: string }>(`${service.url}/v1/orders/${id}`, {
        key: tenant.key,
      });
      expect([status, body.id]).toEqual([200, id]);
    }
  },
);

it('comes to nobody else, and is not shown to a key of other stores of the merchant', async () => {
  const elsewhere = await createStore(service, tenant.merchantId);
  const limited = await createKey(service, {
    merchant_id: tenant.merchantId,
    permissions: ['read'],
    store_ids: [elsewhere],
  });
  for (const secret of [other.key, `${tenant.key.slice(0, -1)}x`])
    expect(await lookUpKey({ secret, store: orderOf(order.id) })).not.toHaveProperty('row');
  const shown = await Promise.all(
    [other.key, limited.key, tenant.key].map((key) => ask(`${service.url}/v1/orders/${order.id}`, { key })),
  );
  expect(shown.map(({ status }) => status)).toEqual([404, 404, 200]);
  expect(shown[1]?.body).toEqual({ detail: 'Order not found' });
});

it.skipIf(isOnCitus)(
  'is looked for only after the key was found, and in a store of its merchant',
  async () => {
    let text = '';
    const read: Database['read'] = (statement) => {
      ({ text } = statement);
      return service.db.read(statement);
    };
    await createApiKeyLookup({ ...service.db, read })({ secret: tenant.key, store: orderOf(order.id) });
    const looksForIt = (secret: string) =>
      service.db.withClient(async (client) => {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${text}`, [
          hashSecret(secret),
          storeKeyOfOrder(order.id),
          order.id,
        ]);
        const scan = rows.map((row) => row['QUERY PLAN']).find((line) => line.includes(' on orders '));
        return scan === undefined ? undefined : !scan.includes('never executed');
      });
    expect(await Promise.all([tenant.key, other.key, 'nobody'].map(looksForIt))).toEqual([
      true,
      false,
      false,
    ]);
  },
);
