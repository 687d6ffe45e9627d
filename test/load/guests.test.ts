import { expect, it } from 'vitest';
import { guestClient, openForGuests, type PlaceBody } from '../harness/guest.js';
import { takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { ask } from '../harness/client.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService();
const GUESTS = 500;

it('takes the orders of 500 guests who tap at once, each its own, while another merchant sells on', async () => {
  const store = await openForGuests(service);
  const codes: string[] = [];
  for (let table = 1; table <= GUESTS; table += 1) {
    const label = `Seat ${table}`;
    codes.push((await store.manage<PlaceBody>('POST', '/places', { label, kind: 'table' })).body.code);
  }
  const neighbour = await createTenant(service);
  let isOver = false;
  const sellOn = async () => {
    const statuses: number[] = [];
    while (!isOver) statuses.push((await takeIn(service, neighbour)).status);
    return statuses;
  };
  const sold = sellOn();
  const guest = guestClient(service);
  const answers = await Promise.all(
    codes.map((code, i) => guest.order(code, { customer: { name: `Guest ${i + 1}` } })),
  );
  isOver = true;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => body.token)).size).toBe(GUESTS);
  const statuses = await sold;
  expect([statuses.length > 5, new Set(statuses)]).toEqual([true, new Set([201])]);

  const { body } = await ask<{ orders: { customer: { name: string }; place: { label: string } }[] }>(
    `${service.url}/manage/v1/stores/${store.storeId}/orders?limit=1000`,
    { key: store.key },
  );
  const seats = body.orders.map(({ customer, place }) => `${customer.name} at ${place.label}`);
  expect(seats.sort()).toEqual(codes.map((_, i) => `Guest ${i + 1}, Seat ${i + 1} at Seat ${i + 1}`).sort());
}, 120_000);
