import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { raiseDueAttention } from '../../src/orders/attention/attention.js';
import { ask } from '../harness/client.js';
import { readFeed } from '../harness/events.js';
import { coffeeMenu, guestClient, openForGuests, type GuestOrderBody } from '../harness/guest.js';
import { useService } from '../harness/service.js';

const service = await useService();
const guest = guestClient(service);

const managed = (key: string, storeId: string) =>
  ask<{ orders: Record<string, unknown>[] }>(`${service.url}/manage/v1/stores/${storeId}/orders`, { key });

describe('a place', () => {
  it('tells a guest what to know before ordering', async () => {
    const welcome = { translations: { es: 'Hola' } };
    const { place } = await openForGuests(service, { phone: 'optional', welcome });
    const { status, body } = await guest.get(`/places/${place.code}`);
    expect([status, body]).toEqual([
      200,
      {
        store: { name: { translations: { es: 'Centro', en: 'Center' } }, timezone: 'UTC', currency: 'EUR' },
        place: { label: 'Table 7', kind: 'table' },
        intake: {
          state: 'open',
          ready_in_minutes: expect.any(Number) as unknown,
          ready_by: expect.any(String) as unknown,
        },
        languages: ['es', 'en'],
        wants: { name: 'optional', phone: 'optional' },
        welcome,
      },
    ]);
  });
});

describe('an order of a guest', () => {
  it('says which of its choices were free, so that its lines add up to its price, also in the sales', async () => {
    const { place, menu, manage } = await openForGuests(service);
    const { modifier_groups: groups, modifier_items: modifiers, ...rest } = coffeeMenu();
    await menu.post({
      ...rest,
      modifier_groups: groups.map((group) => ({ ...group, charge_after: 1, group_max: 5 })),
      modifier_items: modifiers.map((modifier) => ({ ...modifier, price_change: 40, max_quantity: 5 })),
    });
    const oat = { group_external_id: 'milk', external_id: 'oat', quantity: 3 };
    const items = [{ external_id: 'coffee', quantity: 1, modifiers: [oat] }];
    const { status, body } = await guest.order(place.code, {
      items,
      expected_total: { price: 180, tax: 12 },
    });
    expect([status, body.price]).toEqual([201, 180]);
    expect(body.items).toMatchObject([{ modifiers: [{ quantity: 3, free_quantity: 1, price_change: 40 }] }]);
    const { body: sales } = await manage<{ rows: object[] }>('GET', '/sales?by=item');
    expect(sales.rows).toMatchObject([{ external_id: 'coffee', price: 180, tax: 12 }]);
  });

  it('is checked, priced, and shown to store and guest, each in their own words', async () => {
    const { place, key, storeId } = await openForGuests(service);
    const made = await guest.order(place.code);
    expect(made.status).toBe(201);
    const items = [
      {
        external_id: 'coffee',
        name: 'Café',
        quantity: 2,
        price: 100,
        tax: 10,
        modifiers: [
          {
            group_external_id: 'milk',
            external_id: 'oat',
            name: 'Avena',
            quantity: 1,
            price_change: 5,
            tax_change: 1,
          },
        ],
        comments: 'Very hot',
      },
    ];
    expect(made.body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      number: 1,
      service: 'dine_in',
      due: 232,
      status: 'PENDING',
      ready_by: expect.any(String) as unknown,
      price: 210,
      tax: 22,
      items,
    });
    expect((await guest.get(`/orders/${made.body.token}`)).body).toEqual(made.body);

    const { body } = await managed(key, storeId);
    const place_ = { id: place.id, label: 'Table 7', kind: 'table' };
    expect(body.orders).toEqual([
      expect.objectContaining({
        customer: { name: 'Ana', phone: '' },
        number: 1,
        service: 'dine_in',
        due: 232,
        items,
        price: 210,
        tax: 22,
        place: place_,
      }),
    ]);
    const v1 = await ask<{ order_result_list: object[] }>(`${service.url}/v1/stores/${storeId}/orders/`, {
      key,
    });
    expect(v1.body.order_result_list).toEqual([
      expect.objectContaining({ customer: { name: 'Ana, Table 7', phone: '' } }),
    ]);
    expect(v1.body.order_result_list[0]).not.toHaveProperty('place');
    const events = await ask<{ events: { type: string; data: object }[] }>(
      `${service.url}/manage/v1/stores/${storeId}/events?types=order.created`,
      { key },
    );
    expect(events.body.events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ place: place_, key_id: 'guest' }),
    ]);
  });

  it('tells where the guest sits also when it needs attention, by the name of now', async () => {
    const { place, key, storeId, manage } = await openForGuests(service);
    await guest.order(place.code);
    await manage('PATCH', `/places/${place.id}`, { label: 'Terrace' });
    await raiseDueAttention(service.db, 0, new Date(Date.now() + 24 * 3_600_000));
    const { body } = await readFeed(service, { storeId, key }, { types: 'order.attention' });
    expect(body.events.map(({ data }) => data)).toMatchObject([
      { reason: 'late', place: { id: place.id, label: 'Terrace', kind: 'table' } },
    ]);
  });

  it('is one order for a double tap and for a lost answer, whatever has changed since', async () => {
    const { place, key, storeId, menu, manage } = await openForGuests(service);
    const clientKey = randomUUID();
    const taps = await Promise.all([1, 2, 3].map(() => guest.order(place.code, {}, clientKey)));
    expect(new Set(taps.map(({ status, body }) => `${status} ${body.token}`)).size).toBe(1);
    await menu.post({ items: [] });
    await manage('PATCH', `/places/${place.id}`, { label: 'Terrace' });
    await manage('PATCH', '/intake', { pause: {} });
    const again = await guest.order(place.code, {}, clientKey);
    expect([again.status, again.body]).toEqual([201, taps[0]?.body]);
    expect((await managed(key, storeId)).body.orders).toHaveLength(1);
    const other = await guest.order(place.code, { customer_comments: 'x' }, clientKey);
    expect([other.status, other.body.detail]).toEqual([
      409,
      'This Idempotency-Key was used with a different body',
    ]);
  });

  it('can be cancelled while it waits, and not after', async () => {
    const { place, key, storeId } = await openForGuests(service);
    const [first, second] = [await guest.order(place.code), await guest.order(place.code)];
    const cancelled = await guest.post<GuestOrderBody>(`/orders/${first.body.token}/cancel`);
    expect([cancelled.status, cancelled.body]).toEqual([
      200,
      { ...first.body, status: 'CUSTOMER_CANCELLED' },
    ]);
    expect((await guest.post(`/orders/${first.body.token}/cancel`)).status).toBe(200);
    const { body } = await managed(key, storeId);
    const pending = body.orders.find(({ status }) => status === 'PENDING');
    await ask(`${service.url}/manage/v1/orders/${String(pending?.['id'])}`, {
      method: 'PATCH',
      key,
      body: { status: 'ACCEPTED' },
    });
    const late = await guest.post<GuestOrderBody>(`/orders/${second.body.token}/cancel`);
    expect([late.status, late.body.detail]).toEqual([
      409,
      'An order that is ACCEPTED cannot become CUSTOMER_CANCELLED',
    ]);
  });
});
