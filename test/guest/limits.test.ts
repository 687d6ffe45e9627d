import { describe, expect, it } from 'vitest';
import { guestClient, openForGuests, type PlaceBody } from '../harness/guest.js';
import { useService } from '../harness/service.js';
import { ask } from '../harness/client.js';

/** Rates are on, and so high that only those of guests are met. */
const service = await useService({ requestsPerSecond: 10_000, requestBurst: 10_000 });
const guest = guestClient(service);

const orders = async ({ storeId, key }: { storeId: string; key: string }) =>
  (
    await ask<{ orders: { id: string; status: string }[] }>(
      `${service.url}/manage/v1/stores/${storeId}/orders?limit=1000`,
      { key },
    )
  ).body.orders;

describe('a place', () => {
  it('has a limit of requests, and its neighbour one of its own', async () => {
    const { place, manage } = await openForGuests(service);
    const { body: next } = await manage<PlaceBody>('POST', '/places', { label: 'Table 8', kind: 'table' });
    // A busy machine may take seconds for them, in which others are allowed.
    const answers = await Promise.all(Array.from({ length: 100 }, () => guest.get(`/places/${place.code}`)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect((await guest.get(`/places/${next.code}`)).status).toBe(200);
  });

  it('has at most most_open orders that wait, exactly, on every replica', async () => {
    const replica = await service.replica();
    const store = await openForGuests(service, { most_open: 3 });
    const other = guestClient(replica);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? guest : other).order(store.place.code)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect([refused?.body.detail, refused?.headers.get('retry-after')]).toEqual([
      'This place has 3 orders that the store has not accepted yet. Try again in a while.',
      '60',
    ]);
    const [first] = await orders(store);
    await ask(`${service.url}/manage/v1/orders/${first?.id ?? ''}`, {
      method: 'PATCH',
      key: store.key,
      body: { status: 'ACCEPTED' },
    });
    expect((await guest.order(store.place.code)).status).toBe(201);
  });

  it('makes at most six orders in ten minutes', async () => {
    const store = await openForGuests(service, { most_open: 50 });
    const seen: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      const answer = await guest.order(store.place.code);
      // The rate of requests is another matter.
      if (answer.body.detail === 'Too Many Requests') i -= 1;
      else seen.push(answer.status);
      if (seen.length === 7) {
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500);
        expect(answer.body.detail).toMatch(/^This place has ordered several times/);
      }
    }
    expect(seen).toEqual([201, 201, 201, 201, 201, 201, 429]);
    expect(await orders(store)).toHaveLength(6);
  });
});

describe('an address', () => {
  it('makes at most sixty orders in an hour, and is known behind a proxy', async () => {
    const store = await openForGuests(service, { most_open: 50 });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    let made = 0;
    for (let table = 0; made < 60; table += 1) {
      const label = `Table ${table}`;
      const { body } = await store.manage<PlaceBody>('POST', '/places', { label, kind: 'table' });
      for (let i = 0; i < 6; i += 1) {
        const key = `${table} ${i}`;
        const answer = await guest.order(body.code, {}, key, from('203.0.113.9'));
        expect(answer.status).toBe(201);
        made += 1;
      }
    }
    const late = await guest.order(store.place.code, {}, 'late', from('203.0.113.9'));
    expect([late.status, late.body.detail]).toEqual([
      429,
      'Too many orders came from this network within an hour. Order at the counter, or try again later.',
    ]);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect((await guest.order(store.place.code, {}, 'late', from('203.0.113.10'))).status).toBe(201);
  });
});

it('makes who tries many codes wait longer and longer', async () => {
  const begun = performance.now();
  const tries = await Promise.all(Array.from({ length: 40 }, (_, i) => guest.get(`/places/code-${i}`)));
  expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([404]));
  expect(performance.now() - begun).toBeGreaterThan(1_500);
});
