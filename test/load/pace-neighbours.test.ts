import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { guestClient, openForGuests } from '../harness/guest.js';
import { importLines } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService();
const SLOT_MS = 5 * 60_000;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Twenty periods of each day, with breaks of a minute. */
const hours = DAYS.map((day_of_week) => ({
  day_of_week,
  time_periods: Array.from({ length: 20 }, (_, i) => ({
    start_time: clock(i * 72),
    end_time: clock(i * 72 + 71),
  })),
}));

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** How long all but the slowest hundredth take at most, in milliseconds. */
async function readsOf(read: () => Promise<{ readonly status: number }>, count: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const begun = performance.now();
    expect((await read()).status).toBe(200);
    times.push(performance.now() - begun);
  }
  return times.sort((one, other) => one - other)[Math.floor(count * 0.99)] ?? NaN;
}

it('a store whose slots are all taken is looked at by a hundred guests at once while a neighbour reads on', async () => {
  const { place, storeId, key, manage } = await openForGuests(service);
  const settings = { hours, capacity: { slot_minutes: 5, orders: 1 }, prep_minutes: 0 };
  expect((await manage('PATCH', '/intake/settings', settings)).status).toBe(200);
  const first = Math.floor(Date.now() / SLOT_MS) * SLOT_MS;
  const lines = Array.from({ length: 15 * 288 }, (_, i) =>
    JSON.stringify({
      store_id: storeId,
      customer: { name: 'Ana', phone: '1' },
      items: [],
      price: 0,
      tax: 0,
      ready_by: new Date(first + i * SLOT_MS).toISOString(),
    }),
  );
  expect((await importLines(service, key, lines.join('\n'))).body.created).toBe(lines.length);
  const { body } = await ask<{ reason?: string }>(`${service.url}/manage/v1/stores/${storeId}/intake`, {
    key,
  });
  expect(body.reason).toBe('full');

  const neighbour = await createTenant(service);
  const read = () => ask(`${service.url}/v1/stores/${neighbour.storeId}/orders/`, { key: neighbour.key });
  await readsOf(read, 100);
  const quiet = await readsOf(read, 100);
  const guest = guestClient(service);
  const looks = Array.from({ length: 100 }, () => guest.get(`/places/${place.code}`));
  const busy = await readsOf(read, 100);
  expect(new Set((await Promise.all(looks)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(busy).toBeLessThan(5 * Math.max(quiet, 10));
}, 120_000);
