import { afterEach, describe, expect, it, vi } from 'vitest';
import { businessDay } from '../../src/calendar/wall-clock.js';
import { ask } from '../harness/client.js';
import { importLines, orderRequest, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createMerchant, createStore, createTenant } from '../harness/tenant.js';

const service = await useService();
const services = [service, await service.replica(), await service.replica(), await service.replica()];

afterEach(() => {
  vi.useRealTimers();
});

/** 06:00 on the clock of Madrid, in the nights in which it is set back and forth. */
const CHANGES = [
  ['2026-10-25', '2026-10-25T05:00:00.000Z'],
  ['2027-03-28', '2027-03-28T04:00:00.000Z'],
] as const;

describe('the number of an order', () => {
  it.each(CHANGES)('is given once a day, over several processes, on %s', async (_, morning) => {
    const merchantId = await createMerchant(service);
    const storeId = await createStore(service, merchantId, { timezone: 'Europe/Madrid' });
    const { key } = await createKey(service, {
      merchant_id: merchantId,
      permissions: ['read', 'orders:write'],
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.parse(morning) - 1);
    const send = (i: number) => takeIn(services[i % services.length] ?? service, { storeId, key });
    const evening = Array.from({ length: 200 }, (_none, i) => send(i));
    await Promise.race(evening);
    vi.setSystemTime(Date.parse(morning));
    const made = await Promise.all([...evening, ...Array.from({ length: 200 }, (_none, i) => send(i))]);
    expect(made.every(({ status }) => status === 201)).toBe(true);
    const numbersOf = (isWanted: (at: string) => boolean) =>
      made.flatMap(({ body }) => (isWanted(body.created_at) ? [body['number'] as number] : []));
    for (const numbers of [numbersOf((at) => at < morning), numbersOf((at) => at >= morning)])
      expect(numbers.sort((one, other) => one - other)).toEqual(numbers.map((_none, i) => i + 1));
  });

  it('is not spent on an order that is there already, and begins again after 999', async () => {
    const tenant = await createTenant(service);
    const first = await takeIn(service, tenant, { external_id: 'a' });
    expect((await takeIn(service, tenant, { external_id: 'a' })).body).toEqual(first.body);
    expect((await takeIn(service, tenant)).body['number']).toBe(2);
    await service.db.query({
      name: 'test-late',
      text: `UPDATE order_numbers SET last = 998 WHERE store_key = (SELECT store_key FROM stores WHERE id = $1)`,
      values: [tenant.storeId],
    });
    const numbers = [await takeIn(service, tenant), await takeIn(service, tenant)].map(
      ({ body }) => body['number'],
    );
    expect(numbers).toEqual([999, 1]);
    const { body } = await ask(`${service.url}/manage/v1/stores/${tenant.storeId}/orders`, {
      method: 'POST',
      key: tenant.key,
      body: { number: 5 },
    });
    expect(body).toHaveProperty('detail');
  });
});

describe('numbers of imported orders', () => {
  it('are kept, and the next order of the day counts on from them', async () => {
    const tenant = await createTenant(service);
    const imported = (number: number, hoursAgo: number) =>
      JSON.stringify({
        ...orderRequest(),
        store_id: tenant.storeId,
        external_id: `till-${number}`,
        number,
        created_at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
      });
    await importLines(service, tenant.key, [imported(41, 0), imported(40, 0), imported(700, 90)].join('\n'));
    expect((await takeIn(service, tenant)).body['number']).toBe(42);
    await importLines(service, tenant.key, imported(12, 0));
    expect((await takeIn(service, tenant)).body['number']).toBe(43);
  });
});

describe('the day of a kitchen', () => {
  it.each(CHANGES)('begins at 06:00, also on %s', (date, morning) => {
    const day = Date.parse(date) / 86_400_000;
    expect(businessDay(Date.parse(morning), 'Europe/Madrid')).toBe(day);
    expect(businessDay(Date.parse(morning) - 1, 'Europe/Madrid')).toBe(day - 1);
  });
});
