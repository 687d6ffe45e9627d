import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { createDatabaseProxy } from '../harness/database-proxy.js';
import { guestClient, openForGuests } from '../harness/guest.js';
import { orderRequest } from '../harness/orders.js';
import { startOn, useService } from '../harness/service.js';

const service = await useService();

it('writes orders of guests and tills that arrive together in one statement', async () => {
  const { place, key, storeId } = await openForGuests(service, { most_open: 50 });
  const guest = guestClient(service);
  const till = () =>
    ask(`${service.url}/manage/v1/stores/${storeId}/orders`, { method: 'POST', key, body: orderRequest() });
  // Several rounds each: the first orders of the guests wait together for their menu.
  const tills = async () => [await till(), await till(), await till(), await till(), await till()];
  const guests = async () => [
    await guest.order(place.code),
    await guest.order(place.code),
    await guest.order(place.code),
  ];
  const [ofGuests, ofTills] = await Promise.all([
    Promise.all(Array.from({ length: 15 }, guests)),
    Promise.all(Array.from({ length: 20 }, tills)),
  ]);
  const statuses = [...ofGuests.flat(), ...ofTills.flat()].map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 201));
  const transactions = await service.db.query<{ guests: number; tills: number }>({
    name: 'test-transactions',
    text: `SELECT count(o.place_id)::integer AS guests, count(*)::integer - count(o.place_id)::integer AS tills
           FROM orders o JOIN stores s ON s.store_key = o.store_key WHERE s.id = $1 GROUP BY o.xmin::text`,
    values: [storeId],
  });
  expect(transactions.some(({ guests, tills }) => guests > 0 && tills > 0)).toBe(true);
});

it('reads the order of a guest once per request, and not at all to answer the one that makes it', async () => {
  const proxy = await createDatabaseProxy(service.connection);
  const { connection } = service;
  const behind = await startOn({ ...connection, host: '127.0.0.1', port: proxy.port }, {}, () =>
    proxy.close(),
  );
  try {
    const { place } = await openForGuests(behind);
    const guest = guestClient(behind);
    const readsOf = async (work: () => Promise<unknown>) => {
      const before = proxy.countRuns('guest-order-one');
      await work();
      return proxy.countRuns('guest-order-one') - before;
    };
    const made = await guest.order(place.code);
    expect(proxy.countRuns('orders-take-in')).toBe(1);
    expect(proxy.countRuns('guest-order-one')).toBe(0);
    const { token } = made.body;
    expect(await readsOf(() => guest.get(`/orders/${token}`))).toBe(1);
    expect(await readsOf(() => guest.post(`/orders/${token}/cancel`))).toBe(1);
    const { body } = await guest.get(`/orders/${token}`);
    expect(body).toEqual({ ...made.body, status: 'CUSTOMER_CANCELLED' });
  } finally {
    await behind.stop();
  }
});
