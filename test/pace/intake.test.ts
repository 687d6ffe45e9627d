import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { menuClient } from '../harness/menu.js';
import { importLines } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();
const replica = await service.replica();

type Json = Record<string, unknown>;
interface Problem {
  readonly detail: { loc: unknown[]; type: string; ctx?: { next_at?: string } }[];
}
const MINUTE = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();
const inMinutes = (minutes: number) => iso(Math.ceil((Date.now() + minutes * MINUTE) / MINUTE) * MINUTE);

const day = (day_of_week: string, periods: number) => ({
  day_of_week,
  time_periods: Array.from({ length: periods }, () => ({ start_time: '10:00', end_time: '11:00' })),
});

/** A store with one dish that takes 20 minutes, and a key that may do everything in it. */
async function setUp(settings?: object): Promise<Tenant & { intake: Caller; order: Taker }> {
  const tenant = await createTenant(service);
  const { key } = await createKey(service, {
    merchant_id: tenant.merchantId,
    permissions: ['read', 'menu:write', 'orders:write', 'store:write'],
  });
  const stew = { external_id: 'stew', price: 900, tax: 90, sell_separately: true, prep_time: 20 };
  const soup = { external_id: 'soup', price: 500, tax: 50, sell_separately: true };
  const items = [stew, soup].map((item) => ({ name: { translations: { en: 'Dish' } }, ...item }));
  await menuClient(service, { ...tenant, key }).post({ items });
  const intake: Caller = (method, path = '', body) =>
    ask<Json>(`${service.url}/manage/v1/stores/${tenant.storeId}/intake${path}`, { method, key, body });
  if (settings !== undefined) expect((await intake('PATCH', '/settings', settings)).status).toBe(200);
  const order: Taker = (more = {}, where = service) =>
    ask<Json & Problem>(`${where.url}/manage/v1/stores/${tenant.storeId}/orders?check=menu`, {
      method: 'POST',
      key,
      body: {
        customer: { name: 'Ana', phone: '1' },
        items: [{ external_id: 'soup', quantity: 1 }],
        price: 500,
        tax: 50,
        ...more,
      },
    });
  return { ...tenant, key, intake, order };
}
type Caller = (method: string, path?: string, body?: unknown) => ReturnType<typeof ask<Json>>;
type Taker = (more?: object, where?: typeof service) => ReturnType<typeof ask<Json & Problem>>;

describe('the intake of a store', () => {
  it('is open with a promise of 15 minutes where nothing was ever set', async () => {
    const { intake } = await setUp();
    const { status, body } = await intake('GET');
    expect([status, body]).toMatchObject([
      200,
      { state: 'open', revision: 0, settings: { hours: [], special_days: [], prep_minutes: 15 } },
    ]);
    expect([15, 16]).toContain(body['ready_in_minutes']);
  });

  it('is paused until a moment, by default the next 06:00, and resumed', async () => {
    const { intake, order } = await setUp();
    const until = inMinutes(30);
    const paused = await intake('PATCH', '', { pause: { until, note: 'Oven broke' } });
    expect([paused.status, paused.body]).toMatchObject([
      200,
      { state: 'paused', reason: 'pause', until, note: 'Oven broke', revision: 1 },
    ]);
    const refused = await order();
    expect([refused.status, refused.body.detail[0]]).toMatchObject([
      422,
      { loc: ['body'], type: 'store_paused' },
    ]);
    const next = refused.body.detail[0]?.ctx?.next_at ?? '';
    expect(Date.parse(next)).toBe(Date.parse(until) + 15 * MINUTE);
    expect((await order({ ready_by: next }, replica)).status).toBe(201);
    const night = await intake('PATCH', '', { pause: {} });
    expect(String(night.body['until'])).toMatch(/T06:00:00.000Z$/);
    expect((await intake('PATCH', '', { pause: null })).body['state']).toBe('open');
    expect((await order()).status).toBe(201);
  });

  it('says what changed in an event, and nothing where nothing does', async () => {
    const { intake, storeId, key } = await setUp();
    const busy = { extra_minutes: 20, until: inMinutes(60) };
    await intake('PATCH', '', { busy });
    await intake('PATCH', '', {});
    await intake('PATCH', '', { busy });
    await intake('PATCH', '/settings', { prep_minutes: 15 });
    const time_periods = [{ start_time: '00:00', end_time: '24:00' }];
    const settings = {
      hours: ['Monday', 'Tuesday'].map((day_of_week) => ({ day_of_week, time_periods })),
      special_days: [{ date: '2036-12-24', time_periods, note: 'Christmas Eve' }],
      capacity: { slot_minutes: 15, orders: 50, items: 200 },
    };
    await intake('PATCH', '/settings', settings);
    await intake('PATCH', '/settings', settings);
    const { body } = await ask<{ events: { type: string; data: Json }[] }>(
      `${service.url}/manage/v1/stores/${storeId}/events?types=store.intake_changed`,
      { key },
    );
    expect(body.events.map(({ data }) => [data['changed'], data['state']])).toEqual([
      [['busy'], 'busy'],
      [['hours', 'special_days', 'capacity'], expect.any(String)],
    ]);
  });

  it('has a setting reset to its default by null', async () => {
    const { body: never } = await (await setUp()).intake('GET');
    const { intake } = await setUp({
      hours: [day('Monday', 1)],
      special_days: [{ date: '2036-12-25', closed: true }],
      prep_minutes: 20,
      capacity: { slot_minutes: 15, orders: 1 },
      ahead_days: 7,
    });
    const some = await intake('PATCH', '/settings', { hours: null, prep_minutes: null });
    expect([some.status, some.body['settings']]).toMatchObject([
      200,
      { hours: [], special_days: [{ date: '2036-12-25' }], prep_minutes: 15, ahead_days: 7 },
    ]);
    const all = { hours: null, special_days: null, prep_minutes: null, capacity: null, ahead_days: null };
    const { body } = await intake('PATCH', '/settings', all);
    expect([body['settings'], body['revision']]).toEqual([never['settings'], 3]);
    expect((await intake('PATCH', '/settings', all)).body['revision']).toBe(3);
  });

  it('is kept by nobody, and not modified for who has it', async () => {
    const { intake, storeId, key } = await setUp({ hours: [{ day_of_week: 'Monday', time_periods: [] }] });
    const { headers } = await intake('GET');
    expect(headers.get('cache-control')).toBe('no-store');
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\//);
    const again = await ask(`${service.url}/manage/v1/stores/${storeId}/intake`, {
      key,
      headers: { 'if-none-match': tag },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    ['', { pause: { until: '2020-01-01T00:00:00Z' } }, ['body', 'pause', 'until'], 'value_error'],
    ['', { pause: { until: iso(Date.now() + 367 * 86_400_000) } }, ['body', 'pause', 'until'], 'value_error'],
    ['', { busy: { extra_minutes: 0 } }, ['body', 'busy', 'extra_minutes'], 'greater_than_equal'],
    ['/settings', { prep_minutes: 1441 }, ['body', 'prep_minutes'], 'less_than_equal'],
    ['/settings', { capacity: { slot_minutes: 15 } }, ['body', 'capacity'], 'value_error'],
    ['/settings', { capacity: { slot_minutes: 7, orders: 1 } }, ['body', 'capacity', 'slot_minutes'], 'enum'],
    [
      '/settings',
      { special_days: [{ date: '2026-02-30', closed: true }] },
      ['body', 'special_days', 0, 'date'],
      'value_error',
    ],
    ['/settings', { special_days: [{ date: '2026-12-25' }] }, ['body', 'special_days', 0], 'value_error'],
    [
      '/settings',
      { special_days: [{ date: '2026-12-25', closed: true, as: 'Sunday' }] },
      ['body', 'special_days', 0],
      'value_error',
    ],
    [
      '/settings',
      { special_days: [1, 2].map(() => ({ date: '2026-12-25', closed: true })) },
      ['body', 'special_days', 1, 'date'],
      'duplicate_date',
    ],
    ['/settings', { hours: 1 }, ['body', 'hours'], 'list_type'],
    [
      '/settings',
      { hours: [day('Monday', 15), day('Tuesday', 20), day('monday', 6)] },
      ['body', 'hours', 2, 'time_periods'],
      'value_error',
    ],
    [
      '/settings',
      { special_days: [{ date: '2026-12-25', time_periods: day('Monday', 21).time_periods }] },
      ['body', 'special_days', 0, 'time_periods'],
      'too_long',
    ],
  ])('refuses %s %j', async (path, body, loc, type) => {
    const { intake } = await setUp();
    const answer = await intake('PATCH', path, body);
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ loc, type }] }]);
  });

  it('is changed with orders:write, its settings with store:write', async () => {
    const tenant = await createTenant(service);
    const url = `${service.url}/manage/v1/stores/${tenant.storeId}/intake`;
    const keyWith = async (...permissions: string[]) =>
      (await createKey(service, { merchant_id: tenant.merchantId, permissions })).key;
    const [kitchen, owner] = [await keyWith('read', 'orders:write'), await keyWith('read', 'store:write')];
    const patch = async (key: string, path: string) =>
      (await ask(url + path, { method: 'PATCH', key, body: {} })).status;
    expect([await patch(kitchen, ''), await patch(kitchen, '/settings')]).toEqual([200, 403]);
    expect([await patch(owner, ''), await patch(owner, '/settings')]).toEqual([403, 200]);
  });
});

describe('a checked order', () => {
  it('without ready_by gets the promise: the longest dish and how busy it is', async () => {
    const { intake, order } = await setUp();
    await intake('PATCH', '', { busy: { extra_minutes: 10, until: inMinutes(120) } });
    const before = Date.now();
    const { status, body } = await order({
      items: [{ external_id: 'stew', quantity: 2 }],
      price: 1800,
      tax: 180,
    });
    expect(status).toBe(201);
    const minutes = (Date.parse(String(body['ready_by'])) - before) / MINUTE;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThan(33);
    const early = await order({ ready_by: inMinutes(5) });
    expect([early.status, early.body.detail[0]]).toMatchObject([
      422,
      { loc: ['body', 'ready_by'], type: 'too_early' },
    ]);
  });

  it('needs ready_by where it is not checked', async () => {
    const { storeId, key } = await setUp();
    const answer = await ask<Problem>(`${service.url}/manage/v1/stores/${storeId}/orders`, {
      method: 'POST',
      key,
      body: { customer: { name: 'Ana', phone: '1' }, items: [], price: 0, tax: 0 },
    });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'ready_by'], type: 'missing' }] },
    ]);
  });

  it('is refused while the store is closed, with the time from which it is taken', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000);
    const today = new Date().toISOString().slice(0, 10);
    const { order, intake } = await setUp({
      special_days: [
        { date: today, closed: true, note: 'Holiday' },
        {
          date: tomorrow.toISOString().slice(0, 10),
          time_periods: [{ start_time: '10:00', end_time: '22:00' }],
        },
      ],
    });
    const { body: state } = await intake('GET');
    expect(state).toMatchObject({ state: 'closed', reason: 'special_day', note: 'Holiday' });
    const refused = await order();
    expect([refused.status, refused.body.detail[0]]).toMatchObject([422, { type: 'store_closed' }]);
    const opens = `${tomorrow.toISOString().slice(0, 10)}T10:00:00.000Z`;
    expect([state['next_at'], refused.body.detail[0]?.ctx?.next_at]).toEqual([opens, opens]);
    expect((await order({ ready_by: opens })).status).toBe(201);
  });

  it('finds its place: as many as a slot takes, on two processes, and every refusal names a time that works', async () => {
    const { order, intake, storeId, key } = await setUp({ capacity: { slot_minutes: 15, orders: 10 } });
    const slot = Math.ceil((Date.now() + 60 * MINUTE) / (15 * MINUTE)) * 15 * MINUTE;
    const ready_by = iso(slot + 5 * MINUTE);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => order({ ready_by }, i % 2 === 0 ? service : replica)),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(30);
    for (const { body } of refused)
      expect(body.detail).toMatchObject([
        { loc: ['body', 'ready_by'], type: 'slot_full', ctx: { next_at: iso(slot + 15 * MINUTE) } },
      ]);
    expect((await order({ ready_by: iso(slot + 15 * MINUTE) })).status).toBe(201);
    const slots = (await intake('GET')).body['slots'] as { start: string; orders: number; full: boolean }[];
    expect(slots.find(({ start }) => start === iso(slot))).toMatchObject({ orders: 10, full: true });

    const cancelled = answers.find(({ status }) => status === 201)?.body['id'];
    await ask(`${service.url}/manage/v1/orders/${String(cancelled)}`, {
      method: 'PATCH',
      key,
      body: { status: 'STORE_CANCELLED', reason: 'too_busy' },
    });
    expect((await order({ ready_by })).status).toBe(201);
    expect((await order({ ready_by })).status).toBe(422);

    const promised = await Promise.all(Array.from({ length: 12 }, () => order()));
    expect(new Set(promised.map(({ status }) => status))).toEqual(new Set([201]));
    const { body } = await ask<{ orders: { ready_by: string; status: string }[] }>(
      `${service.url}/manage/v1/stores/${storeId}/orders?limit=1000`,
      { key },
    );
    const perSlot = new Map<number, number>();
    for (const one of body.orders.filter(({ status }) => status === 'PENDING')) {
      const start = Math.floor(Date.parse(one.ready_by) / (15 * MINUTE));
      perSlot.set(start, (perSlot.get(start) ?? 0) + 1);
    }
    expect(Math.max(...perSlot.values())).toBe(10);
  });

  it('is refused for a slot that is full in three weeks, and offered the next one', async () => {
    const { order, key, storeId } = await setUp({
      capacity: { slot_minutes: 60, orders: 1 },
      ahead_days: 30,
    });
    const slot = Math.ceil(Date.now() / (60 * MINUTE)) * 60 * MINUTE + 21 * 24 * 60 * MINUTE;
    expect((await order({ ready_by: iso(slot) })).status).toBe(201);
    const errors = [
      { loc: ['body', 'ready_by'], type: 'slot_full', ctx: { next_at: iso(slot + 60 * MINUTE) } },
    ];
    const refused = await order({ ready_by: iso(slot + 5 * MINUTE) });
    expect([refused.status, refused.body.detail]).toMatchObject([422, errors]);
    const quote = await ask<Problem>(`${service.url}/manage/v1/stores/${storeId}/quote`, {
      method: 'POST',
      key,
      body: { items: [{ external_id: 'soup', quantity: 1 }], ready_by: iso(slot) },
    });
    expect([quote.status, quote.body.detail]).toMatchObject([422, errors]);
    expect((await order({ ready_by: iso(slot + 60 * MINUTE) })).status).toBe(201);
  });

  it.each(['sent', 'imported'])(
    'that is not checked, but %s, takes its minutes of the kitchen all the same',
    async (how) => {
      const { storeId, key, intake, order } = await setUp({
        capacity: { slot_minutes: 60, prep_minutes: 110 },
      });
      const ready_by = iso(Math.ceil(Date.now() / (60 * MINUTE) + 1) * 60 * MINUTE);
      const body = { customer: { name: 'Ana', phone: '1' }, price: 0, tax: 0, ready_by };
      const lines = [{ external_id: 'stew', quantity: 5 }, { external_id: 'gone' }, { quantity: 'many' }];
      if (how === 'sent') {
        const url = `${service.url}/manage/v1/stores/${storeId}/orders`;
        const sent = await ask(url, { method: 'POST', key, body: { ...body, items: lines } });
        expect(sent.status).toBe(201);
      } else {
        const line = JSON.stringify({ store_id: storeId, ...body, items: lines });
        expect((await importLines(service, key, line)).body.created).toBe(1);
      }
      const slots = (await intake('GET')).body['slots'] as { start: string; prep_minutes: number }[];
      expect(slots.find(({ start }) => start === ready_by)?.prep_minutes).toBe(100);
      const items = [{ external_id: 'stew', quantity: 1 }];
      const refused = await order({ items, price: 900, tax: 90, ready_by });
      expect([refused.status, refused.body.detail]).toMatchObject([422, [{ type: 'slot_full' }]]);
      expect((await order({ ready_by })).status).toBe(201);
    },
  );

  it('whose total has moved is 409 with a time that can be promised', async () => {
    const { order } = await setUp({ capacity: { slot_minutes: 60, orders: 1 } });
    const ready_by = inMinutes(120);
    expect([(await order()).status, (await order({ ready_by })).status]).toEqual([201, 201]);
    for (const asked of [{ ready_by }, { ready_by: inMinutes(1) }, {}]) {
      const moved = await order({ ...asked, expected_total: { price: 1, tax: 1 } });
      const { ready_by: promised } = moved.body['quote'] as { ready_by?: string };
      const again = { ready_by: promised, expected_total: { price: 500, tax: 50 } };
      expect([moved.status, (await order(again)).status]).toEqual([409, 201]);
    }
  });
});

describe('a quote', () => {
  it('tells when the order will be ready, and counts its preparation', async () => {
    const { storeId, key } = await setUp();
    const quote = (body: object) =>
      ask<Json & Problem>(`${service.url}/manage/v1/stores/${storeId}/quote`, { method: 'POST', key, body });
    const items = [{ external_id: 'stew', quantity: 2 }];
    const { body } = await quote({ items, at: '2026-06-01T12:00:30Z' });
    expect(body).toMatchObject({ ready_by: '2026-06-01T12:21:00.000Z', prep_minutes: 40 });
    const early = await quote({ items, at: '2026-06-01T12:00:00Z', ready_by: '2026-06-01T12:10:00Z' });
    expect(early.body.detail[0]).toMatchObject({
      type: 'too_early',
      ctx: { next_at: '2026-06-01T12:20:00.000Z' },
    });
  });

  it('takes the menus of another weekday on a special day', async () => {
    const { storeId, key } = await setUp({ special_days: [{ date: '2026-06-03', as: 'Sunday' }] });
    const periods = [{ start_time: '10:00', end_time: '12:00' }];
    await menuClient(service, { storeId, key }).post({
      items: [
        {
          external_id: 'roast',
          name: { translations: { en: 'Roast' } },
          price: 1,
          tax: 0,
          sell_separately: true,
        },
      ],
      categories: [{ external_id: 'c', name: { translations: { en: 'C' } }, item_external_ids: ['roast'] }],
      menus: [
        {
          external_id: 'm',
          name: { translations: { en: 'M' } },
          category_external_ids: ['c'],
          availability: [{ day_of_week: 'Sunday', time_periods: periods }],
        },
      ],
    });
    const at = async (moment: string) =>
      (
        await ask<Json & Problem>(`${service.url}/manage/v1/stores/${storeId}/quote`, {
          method: 'POST',
          key,
          body: { items: [{ external_id: 'roast', quantity: 1 }], at: moment },
        })
      ).body;
    // 2026-06-03 is a Wednesday.
    expect(await at('2026-06-03T11:00:00Z')).toMatchObject({ price: 1 });
    expect(await at('2026-06-02T11:00:00Z')).toMatchObject({
      detail: [{ type: 'outside_hours', ctx: { next_at: '2026-06-03T10:00:00.000Z' } }],
    });
    const shown = await ask<{ menu_configuration: unknown[] }>(
      `${service.url}/manage/v1/stores/${storeId}/menu/available?at=2026-06-03T11:00:00Z`,
      { key },
    );
    expect(shown.body.menu_configuration).toHaveLength(1);
  });
});
