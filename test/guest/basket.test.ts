import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { choice, comboMenu } from '../harness/combo.js';
import {
  coffeeMenu,
  guestClient,
  openForGuests,
  TWO_COFFEES,
  type GuestOrderBody,
} from '../harness/guest.js';
import { useService } from '../harness/service.js';

const service = await useService();
const guest = guestClient(service);

interface ErrorDetail {
  readonly type: string;
  readonly loc: unknown[];
  readonly ctx?: { readonly next_at?: string };
}

const errorsOf = ({ body }: { body: GuestOrderBody }) => body.detail as ErrorDetail[];
const { items } = TWO_COFFEES;
const quote = (code: string, body: object = { items }) =>
  guest.post<GuestOrderBody & { ready_by: string }>(`/places/${code}/quote`, body);

it('prices a basket as the store would', async () => {
  const { place } = await openForGuests(service);
  const { status, body } = await quote(place.code);
  expect([status, body.price, body.tax]).toEqual([200, 210, 22]);
  expect(Date.parse(body.ready_by)).toBeGreaterThan(Date.now());
});

it('answers 409 with a new quote where the price has moved, and takes the order at that', async () => {
  const { place, menu } = await openForGuests(service);
  await menu.post(coffeeMenu({ price: 120 }));
  const refused = await guest.order(place.code);
  expect([refused.status, refused.body.detail, refused.body.quote?.price]).toEqual([
    409,
    'The total of the order differs from the expected one',
    250,
  ]);
  const taken = await guest.order(place.code, { expected_total: { price: 250, tax: 22 } });
  expect([taken.status, taken.body.price]).toEqual([201, 250]);
});

it('says what has sold out, and marks it on the menu', async () => {
  const { place, manage } = await openForGuests(service);
  await manage('PATCH', '/menu/items/coffee', { in_stock: false });
  const refused = await guest.order(place.code);
  expect([refused.status, errorsOf(refused).map(({ type, loc }) => [type, loc])]).toEqual([
    422,
    [['sold_out', ['body', 'items', 0, 'external_id']]],
  ]);
  expect((await quote(place.code)).status).toBe(422);
});

it('sells the last one once', async () => {
  const { place, manage } = await openForGuests(service, { most_open: 50 });
  await manage('PATCH', '/menu/items/coffee', { left: 3 });
  const one = { items: [{ external_id: 'coffee', quantity: 1 }], expected_total: { price: 100, tax: 10 } };
  const answers = await Promise.all(Array.from({ length: 6 }, () => guest.order(place.code, one)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422]);
});

it('says until when the store is paused, and takes orders again', async () => {
  const { place, manage } = await openForGuests(service);
  await manage('PATCH', '/intake', { pause: { note: 'Oven broke' } });
  const refused = await guest.order(place.code);
  const [error] = errorsOf(refused);
  expect([refused.status, error?.type, typeof error?.ctx?.next_at]).toEqual([422, 'store_paused', 'string']);
  const { body } = await guest.get<{ intake: object }>(`/places/${place.code}`);
  expect(body.intake).toMatchObject({ state: 'paused', note: 'Oven broke' });
  await manage('PATCH', '/intake', { pause: null });
  expect((await guest.order(place.code)).status).toBe(201);
});

it('never fills a slot twice, and names one with room', async () => {
  const { place, manage } = await openForGuests(service, { most_open: 50 });
  await manage('PATCH', '/intake/settings', { capacity: { slot_minutes: 60, orders: 2 } });
  const { body } = await quote(place.code);
  const wanted = { ready_by: new Date(Date.parse(body.ready_by) + 3_600_000).toISOString() };
  const answers = await Promise.all(Array.from({ length: 5 }, () => guest.order(place.code, wanted)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422]);
  const [error] = answers.filter(({ status }) => status === 422).flatMap(errorsOf);
  expect([error?.type, error?.loc]).toEqual(['slot_full', ['body', 'ready_by']]);
  expect((await guest.order(place.code, { ready_by: error?.ctx?.next_at })).status).toBe(201);
});

it('takes a combo with choices of its own, and shows what there is to choose', async () => {
  const { place, menu, storeId, key } = await openForGuests(service);
  await menu.post(comboMenu());
  const { body: shown } = await guest.get<{ components: { external_id: string }[] }>(
    `/places/${place.code}/menu`,
  );
  expect(shown.components.map(({ external_id }) => external_id)).toEqual(['burger', 'fries']);
  const items = [
    {
      external_id: 'combo',
      quantity: 1,
      modifiers: [
        choice('main', 'main-burger', { modifiers: [choice('doneness', 'rare')] }),
        choice('side', 'side-fries'),
      ],
    },
  ];
  const made = await guest.order(place.code, { items, expected_total: { price: 1000, tax: 100 } });
  expect(made.status).toBe(201);
  const list = await ask<{ orders: { items: { modifiers: { modifiers?: object[] }[] }[] }[] }>(
    `${service.url}/manage/v1/stores/${storeId}/orders`,
    { key },
  );
  expect(list.body.orders[0]?.items[0]?.modifiers[0]?.modifiers).toEqual([
    { ...choice('doneness', 'rare'), name: 'rare', quantity: 1, price_change: 0, tax_change: 0 },
  ]);
  const missing = await guest.order(place.code, {
    items: [{ ...items[0], modifiers: [choice('main', 'main-burger'), choice('side', 'side-fries')] }],
    expected_total: { price: 1000, tax: 100 },
  });
  expect([missing.status, errorsOf(missing)[0]?.type]).toEqual([422, 'group_min']);
});
