import { describe, expect, it } from 'vitest';
import { raiseDueAttention } from '../../src/orders/attention/attention.js';
import { ask } from '../harness/client.js';
import { readFeed, type EventBody } from '../harness/events.js';
import { importLines, orderRequest, patch, takeIn, type OrderBody } from '../harness/orders.js';
import { useService, type Service } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';

const service = await useService();
const MINUTE = 60_000;
const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

/** A store with these settings, and what happens to its orders. */
async function open(settings: object = {}) {
  const tenant = await createTenant(service);
  const storeId = await createStore(service, tenant.merchantId, settings);
  const reader = { storeId, key: tenant.key };
  const events = async () => (await readFeed(service, reader, { limit: '1000' })).body.events;
  return {
    ...tenant,
    storeId,
    order: async (more: object = {}) =>
      (await takeIn(service, reader, { ready_by: later(60), ...more })).body,
    change: (id: string, body: object) => patch(service, tenant.key, id, body),
    get: async <T = OrderBody>(path: string) => (await ask<T>(`${service.url}${path}`, reader)).body,
    set: (body: object) =>
      ask(`${service.url}/manage/v1/stores/${storeId}`, { method: 'PATCH', key: service.operatorKey, body }),
    events,
    raised: async () => {
      const all = await events();
      expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1));
      return all.filter(isAttention).map(({ data }) => [data['order_id'], data['reason']]);
    },
  };
}

const isAttention = ({ type }: EventBody) => type === 'order.attention';

/** What the clock does in this many minutes. */
const lookIn = (minutes: number, { db }: Pick<Service, 'db'> = service) =>
  raiseDueAttention(db, 0, new Date(Date.now() + minutes * MINUTE));

describe('accept.auto', () => {
  it('accepts what arrives as PENDING, and leaves every other status alone', async () => {
    const store = await open({ accept: { auto: true } });
    const arrived = [await store.order(), await store.order({ status: 'PENDING' })];
    expect(arrived.map(({ status }) => status)).toEqual(['ACCEPTED', 'ACCEPTED']);
    expect((await store.order({ status: 'READY' })).status).toBe('READY');
    const line = JSON.stringify({ ...orderRequest({ external_id: 'old' }), store_id: store.storeId });
    await importLines(service, store.key, line);
    const list = `/manage/v1/stores/${store.storeId}/orders?external_id=old`;
    expect((await store.get<{ orders: OrderBody[] }>(list)).orders).toMatchObject([{ status: 'PENDING' }]);
    expect((await store.events()).slice(0, 2)).toMatchObject([
      { type: 'order.created', data: { status: 'ACCEPTED', revision: 1 } },
      { type: 'order.created', data: { status: 'ACCEPTED', revision: 1 } },
    ]);
    const counted = await store.get<{ count: number }>(`/v1/stores/${store.storeId}/orders/?status=ACCEPTED`);
    expect(counted.count).toBe(2);
  });

  it('gives a repeated order back as it is', async () => {
    const store = await open({ accept: { auto: true } });
    const ready = later(60);
    const first = await store.order({ external_id: 'till-1', ready_by: ready });
    await store.change(first.id, { status: 'READY' });
    const again = await store.order({ external_id: 'till-1', ready_by: ready });
    expect([again.id, again.status]).toEqual([first.id, 'READY']);
  });
});

describe('an order that needs attention', () => {
  it('is told of once per reason, by whichever process looks', async () => {
    const store = await open({ accept: { within_minutes: 5 }, in_pos_within_minutes: 10 });
    const replica = await service.replica();
    const { id } = await store.order({ ready_by: later(20), external_id: 'till-7' });
    await lookIn(4);
    expect(await store.raised()).toEqual([]);
    for (const minutes of [5.1, 10.1, 20.1, 30])
      await Promise.all([
        lookIn(minutes),
        lookIn(minutes, replica),
        lookIn(minutes),
        lookIn(minutes, replica),
      ]);
    expect(await store.raised()).toEqual([
      [id, 'not_accepted'],
      [id, 'not_in_pos'],
      [id, 'late'],
    ]);
    const [event] = (await store.events()).filter(isAttention);
    expect(event?.data).toEqual({
      order_id: id,
      number: 1,
      external_id: 'till-7',
      revision: 1,
      status: 'PENDING',
      price: 390,
      tax: 39,
      ready_by: expect.any(String) as unknown,
      reason: 'not_accepted',
      key_id: null,
    });
    expect(await store.get(`/manage/v1/orders/${id}`)).toMatchObject({ status: 'PENDING', revision: 1 });
    await replica.stop();
  });

  it('is rejected where the store says so, with its reason, and gives its place in the counts back', async () => {
    const store = await open({ accept: { within_minutes: 5, then: 'reject' } });
    const [left, taken] = [await store.order(), await store.order()];
    await store.change(taken.id, { status: 'ACCEPTED' });
    await Promise.all([lookIn(5.1), lookIn(5.1), lookIn(6)]);
    expect(await store.raised()).toEqual([[left.id, 'not_accepted']]);
    expect(await store.get(`/manage/v1/orders/${left.id}`)).toMatchObject({
      status: 'REJECTED',
      reason: 'not_accepted',
      revision: 2,
      completed_at: expect.any(String) as unknown,
    });
    expect((await store.events()).slice(-2)).toMatchObject([
      { type: 'order.attention', data: { status: 'PENDING' } },
      {
        type: 'order.status_changed',
        data: { status: 'REJECTED', previous_status: 'PENDING', reason: 'not_accepted', key_id: null },
      },
    ]);
    const history = await store.get<{ field: string; key_id?: string }[]>(
      `/manage/v1/orders/${left.id}/history`,
    );
    expect(history.map(({ field, key_id }) => [field, key_id])).toEqual([
      ['reason', undefined],
      ['status', undefined],
    ]);
    const count = async (status: string) =>
      (await store.get<{ count: number }>(`/v1/stores/${store.storeId}/orders/?status=${status}`)).count;
    expect(await Promise.all(['PENDING', 'ACCEPTED', 'REJECTED'].map(count))).toEqual([0, 1, 1]);
  });

  it('is left alone once it has moved on in time', async () => {
    const store = await open({ accept: { within_minutes: 5 }, in_pos_within_minutes: 10 });
    const { id } = await store.order({ ready_by: later(20) });
    await store.change(id, { status: 'ACCEPTED' });
    await store.change(id, { in_pos: true });
    await store.change(id, { ready_by: later(40) });
    await lookIn(30);
    expect(await store.raised()).toEqual([]);
    await store.change(id, { status: 'READY' });
    await lookIn(50);
    expect(await store.raised()).toEqual([]);
  });

  it('follows a ready_by that moves earlier, and is not late a second time', async () => {
    const store = await open();
    const { id } = await store.order({ ready_by: later(60) });
    await store.change(id, { ready_by: later(10) });
    await lookIn(11);
    await store.change(id, { ready_by: later(30) });
    await lookIn(31);
    expect(await store.raised()).toEqual([[id, 'late']]);
  });

  it('follows the settings of the store', async () => {
    const store = await open({ accept: { within_minutes: 5, then: 'reject' } });
    const { id } = await store.order();
    await store.set({ accept: { within_minutes: 30, then: 'nothing' } });
    await lookIn(6);
    expect(await store.raised()).toEqual([]);
    await lookIn(31);
    expect(await store.raised()).toEqual([[id, 'not_accepted']]);
    expect(await store.get(`/manage/v1/orders/${id}`)).toMatchObject({ status: 'PENDING' });
  });

  it('is late at once where it arrives late, and never where it should have been ready days ago', async () => {
    const store = await open();
    const { id } = await store.order({ ready_by: later(-5) });
    const old = await store.order({ ready_by: later(-3 * 24 * 60) });
    await store.change(old.id, { is_read: true });
    await lookIn(0);
    expect(await store.raised()).toEqual([[id, 'late']]);
  });

  it('is not one of an import’s past, but one of those that it brings to be made', async () => {
    const store = await open({ accept: { within_minutes: 5, then: 'reject' } });
    const line = (external_id: string, more: object) =>
      JSON.stringify({ ...orderRequest({ external_id, ...more }), store_id: store.storeId });
    const lines = [
      line('old', { ready_by: later(-3 * 24 * 60) }),
      line('done', { ready_by: later(-5), status: 'FULFILLED' }),
      line('open', { ready_by: later(10), status: 'ACCEPTED' }),
    ];
    expect((await importLines(service, store.key, lines.join('\n'))).body.created).toBe(3);
    const { orders } = await store.get<{ orders: (OrderBody & { external_id: string })[] }>(
      `/manage/v1/stores/${store.storeId}/orders`,
    );
    const idOf = (wanted: string) => orders.find(({ external_id }) => external_id === wanted)?.id ?? '';
    await lookIn(0);
    await store.change(idOf('old'), { is_read: true });
    await lookIn(9);
    expect(await store.raised()).toEqual([]);
    await lookIn(11);
    expect(await store.raised()).toEqual([[idOf('open'), 'late']]);
  });

  it('of one store does not hide behind many of another', async () => {
    const busy = await open();
    const lines = Array.from({ length: 1_200 }, (_, i) =>
      JSON.stringify({
        ...orderRequest({ external_id: `o${i}`, ready_by: later(1) }),
        store_id: busy.storeId,
      }),
    );
    await importLines(service, busy.key, lines.join('\n'));
    const store = await open();
    const { id } = await store.order({ ready_by: later(2) });
    await lookIn(3);
    // The clock's first look at an imported order only finds out when to look again.
    await lookIn(3);
    expect(await store.raised()).toEqual([[id, 'late']]);
    const told = (await busy.raised()).map(([order]) => order);
    expect([told.length > 900, new Set(told).size]).toEqual([true, told.length]);
  });
});
