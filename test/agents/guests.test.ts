import { expect, it } from 'vitest';
import { connectAssistant } from '../harness/assistant.js';
import { openForGuests, TWO_COFFEES } from '../harness/guest.js';
import { startService, useService } from '../harness/service.js';

const service = await useService();
const { items } = TWO_COFFEES;
const IN_TOKYO = expect.stringMatching(/\+09:00$/) as string;

async function sitDown() {
  const store = await openForGuests(service);
  const assistant = await connectAssistant(`${service.url}/guest/mcp/${store.place.code}`);
  return { ...store, ...assistant };
}

it('offers seven tools without a key, with true hints', async () => {
  const { tools } = await sitDown();
  const listed = await tools();
  expect(listed.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['get_place', true],
    ['search_menu', true],
    ['get_item', true],
    ['quote', true],
    ['place_order', false],
    ['get_order', true],
    ['cancel_order', false],
  ]);
  const { inputSchema } = listed.find(({ name }) => name === 'place_order') ?? {};
  expect(inputSchema?.required).toEqual(['items', 'expected_total', 'idempotency_key']);
});

it('orders once for the total that the guest agreed to, shows the order and cancels it', async () => {
  const { call, manage } = await sitDown();
  expect((await call('get_place')).body).toMatchObject({
    store: { name: 'Centro', currency: 'EUR' },
    place: { label: 'Table 7', kind: 'table' },
    intake: { state: 'open' },
  });
  expect((await call('search_menu', { text: 'coffee' })).body).toMatchObject({
    count: 1,
    results: [{ external_id: 'coffee', name: 'Café', category: 'Todo' }],
  });
  expect((await call('get_item', { external_id: 'coffee' })).body).toMatchObject({
    modifiers: [{ group_external_id: 'milk', external_id: 'oat' }],
  });
  const { price, tax } = (await call('quote', { items })).body;
  const wanted = { items, expected_total: { price, tax }, customer: { name: 'Ana' }, idempotency_key: 'one' };
  const first = await call('place_order', wanted);
  expect(first.body).toEqual({
    ...{
      currency: 'EUR',
      token: expect.any(String) as string,
      number: 1,
      status: 'PENDING',
      service: 'dine_in',
    },
    ...{
      ready_by: expect.any(String) as string,
      price: 210,
      price_text: '2.10 EUR',
      tax: 22,
      tax_text: '0.22 EUR',
    },
    ...{ due: 232, due_text: '2.32 EUR' },
    items: [
      expect.objectContaining({ external_id: 'coffee', name: 'Café', quantity: 2, comments: 'Very hot' }),
    ],
  });
  // The answer was lost: the same call again.
  expect((await call('place_order', wanted)).body).toEqual(first.body);
  const { body } = await manage<{ orders: { customer: unknown }[] }>('GET', '/orders');
  expect(body.orders.map(({ customer }) => customer)).toEqual([{ name: 'Ana', phone: '' }]);
  const { token } = first.body;
  expect((await call('get_order', { token })).body).toEqual(first.body);
  expect((await call('cancel_order', { token })).body).toMatchObject({ status: 'CUSTOMER_CANCELLED' });
});

it('orders nothing without a key for the order, without a total, or for another total', async () => {
  const { call, manage } = await sitDown();
  await manage('PATCH', '', { timezone: 'Asia/Tokyo' });
  const total = TWO_COFFEES.expected_total;
  const missing = (loc: string[]) => [expect.objectContaining({ loc, type: 'missing' }) as object];
  expect((await call('place_order', { items, expected_total: total })).body).toEqual({
    detail: missing(['arguments', 'idempotency_key']),
  });
  expect((await call('place_order', { items, idempotency_key: 'a' })).body).toEqual({
    detail: missing(['body', 'expected_total']),
  });
  const moved = await call('place_order', {
    items,
    expected_total: { price: 1, tax: 1 },
    idempotency_key: 'b',
  });
  expect(moved).toMatchObject({
    isError: true,
    body: {
      detail: 'The total of the order differs from the expected one',
      quote: { price: 210, price_text: '2.10 EUR', tax: 22, items: [{ name: 'Café' }], ready_by: IN_TOKYO },
    },
  });
  expect((await manage<{ orders: unknown[] }>('GET', '/orders')).body.orders).toEqual([]);
});

it('shows nothing at a place that is unknown or closed to guests, and no order of another token or store', async () => {
  const { call, manage, place } = await sitDown();
  expect((await call('get_order', { token: 'AZgMblwAcACAAAAAAAAAAQ7hK2mXcQ9vT4sJrLw8Zfk' })).body).toEqual({
    detail: 'Order not found',
  });
  const other = await sitDown();
  const { body } = await other.call('place_order', { ...TWO_COFFEES, idempotency_key: 'one' });
  expect((await call('get_order', { token: body['token'] })).body).toEqual({ detail: 'Order not found' });
  expect((await call('cancel_order', { token: body['token'] })).body).toEqual({ detail: 'Order not found' });
  expect((await other.call('get_order', { token: body['token'] })).body['status']).toBe('PENDING');
  const unknown = connectAssistant(`${service.url}/guest/mcp/4mzxk2pfq7hdtc3ybw5n6rjage`);
  await expect(unknown).rejects.toThrow('Place not found');
  await manage('PATCH', '', { guest: { enabled: false } });
  await expect(connectAssistant(`${service.url}/guest/mcp/${place.code}`)).rejects.toThrow('Place not found');
});

it('keeps to the limits of guests', async () => {
  const limited = await startService({ requestsPerSecond: 1_000, requestBurst: 1_000 });
  try {
    const { place } = await openForGuests(limited);
    const { call } = await connectAssistant(`${limited.url}/guest/mcp/${place.code}`);
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('get_place')));
    const refused = answers.filter(({ isError }) => isError);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body['detail']).toMatch(/Too many requests/i);
  } finally {
    await limited.stop();
  }
});
