import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { both, guestClient, manageClient, openForGuests, type PlaceBody } from '../harness/guest.js';
import { item } from '../harness/menu.js';
import { useService } from '../harness/service.js';

const service = await useService();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const iso = (ms: number) => new Date(ms).toISOString();

interface Answer {
  readonly detail?: { loc: unknown[]; type: string; ctx?: { next_at?: string; latest?: string } }[];
  readonly ready_by?: string;
  readonly price?: number;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const clock = (ms: number) => iso(ms).slice(11, 16);

/** Stew, served for an hour that begins in two hours, on every day. */
async function openLunch(settings?: object) {
  const store = await openForGuests(service);
  const from = Math.ceil(Date.now() / MINUTE) * MINUTE + 120 * MINUTE;
  const time_periods = [{ start_time: clock(from), end_time: clock(from + 60 * MINUTE) }];
  await store.menu.post({
    items: [item('stew', { name: both('Guiso', 'Stew'), price: 900, tax: 90 })],
    categories: [{ external_id: 'c', name: both('Todo', 'All'), item_external_ids: ['stew'] }],
    menus: [
      {
        external_id: 'lunch',
        availability: DAYS.map((day_of_week) => ({ day_of_week, time_periods })),
        category_external_ids: ['c'],
      },
    ],
  });
  const manage = manageClient(service, store);
  if (settings !== undefined) expect((await manage('PATCH', '/intake/settings', settings)).status).toBe(200);
  const { body: pickup } = await manage<PlaceBody>('POST', '/places', { label: 'Counter', kind: 'pickup' });
  const items = [{ external_id: 'stew', quantity: 1 }];
  const guest = guestClient(service);
  const ways = {
    quote: (ready_by?: string) => manage<Answer>('POST', '/quote', { items, ready_by }),
    order: (ready_by?: string) =>
      manage<Answer>('POST', '/orders?check=menu', {
        ...{ customer: { name: 'Ana', phone: '1' }, items, price: 900, tax: 90 },
        ready_by,
      }),
    'guest’s quote': (ready_by?: string) =>
      guest.post<Answer>(`/places/${pickup.code}/quote`, { items, ready_by }),
    'guest’s order': (ready_by?: string) =>
      ask<Answer>(`${service.url}/guest/v1/places/${pickup.code}/orders`, {
        method: 'POST',
        headers: { 'idempotency-key': randomUUID() },
        body: { items, ready_by, expected_total: { price: 900, tax: 90 } },
      }),
  };
  const menus = (at?: string) =>
    Promise.all([
      manage<{ menu_configuration: unknown[] }>(
        'GET',
        `/menu/available${at === undefined ? '' : `?at=${at}`}`,
      ),
      guest.get<{ menu_configuration: unknown[] }>(
        `/places/${pickup.code}/menu${at === undefined ? '' : `?at=${at}`}`,
      ),
    ]);
  return { from, ways, menus, manage };
}

describe('the hours of a menu', () => {
  it('are judged at ready_by, or at the promise, wherever an order is asked about', async () => {
    const { from, ways, menus } = await openLunch();
    for (const ask of Object.values(ways)) {
      const early = await ask();
      expect([early.status, early.body.detail]).toMatchObject([
        422,
        [{ loc: ['body', 'items', 0, 'external_id'], type: 'outside_hours', ctx: { next_at: iso(from) } }],
      ]);
      const inTime = await ask(iso(from + 30 * MINUTE));
      expect([inTime.status < 300, inTime.body.ready_by]).toEqual([true, iso(from + 30 * MINUTE)]);
      const late = await ask(iso(from + 60 * MINUTE));
      expect([late.status, late.body.detail]).toMatchObject([
        422,
        [{ type: 'outside_hours', ctx: { next_at: iso(from + DAY) } }],
      ]);
    }
    const shown = async (at?: string) => (await menus(at)).map(({ body }) => body.menu_configuration.length);
    expect(await shown()).toEqual([0, 0]);
    expect(await shown(iso(from + 30 * MINUTE))).toEqual([1, 1]);
    expect(await shown(iso(from + 60 * MINUTE))).toEqual([0, 0]);
  });

  it('end what slots an order may be given', async () => {
    // So far ahead that the promise falls into lunch.
    const { from, ways, manage } = await openLunch({
      prep_minutes: 150,
      capacity: { slot_minutes: 60, orders: 1 },
    });
    const first = await ways.order();
    expect([first.status, first.body.ready_by]).toEqual([201, expect.any(String)]);
    const others = await Promise.all([ways.order(), ways.order(), ways.order()]);
    const taken = [first, ...others].filter(({ status }) => status === 201);
    for (const { body } of taken) expect(Date.parse(body.ready_by ?? '')).toBeLessThan(from + 60 * MINUTE);
    const refused = others.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    for (const { status, body } of refused)
      expect([status, body.detail?.map(({ type }) => type)]).toEqual([422, ['outside_hours']]);
    expect((await manage<{ orders: unknown[] }>('GET', '/orders')).body.orders).toHaveLength(taken.length);
  });
});

describe('ahead_days', () => {
  /** The end of the day that it is, and of later ones: 06:00. */
  const morning = (days: number) => {
    const six = new Date(Date.now()).setUTCHours(6, 0, 0, 0);
    return (six > Date.now() ? six : six + DAY) + days * DAY;
  };

  it('0 says that it is too late when nothing can be ready before the day ends', async () => {
    const store = await openForGuests(service);
    await store.menu.post({ items: [item('tea')], menus: [] });
    const manage = manageClient(service, store);
    await manage('PATCH', '/intake/settings', { ahead_days: 0 });
    const { timezone = 'UTC' } = (await manage<{ timezone?: string }>('GET', '')).body;
    expect(timezone).toBe('UTC');
    const at = iso(morning(7) - 10 * MINUTE);
    const { status, body } = await manage<Answer>('POST', '/quote', {
      items: [{ external_id: 'tea', quantity: 1 }],
      at,
    });
    expect([status, body.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'ready_by'], type: 'too_late', ctx: { latest: iso(morning(7)) } }],
    ]);
  });

  it.each([
    [undefined, 14],
    [0, 0],
    [366, 366],
  ])('%s takes orders until the end of day %i', async (ahead_days, days) => {
    const { ways, manage } = await openLunch({ ahead_days });
    const { body } = await manage<{ settings: { ahead_days: number } }>('GET', '/intake');
    expect(body.settings.ahead_days).toBe(days);
    const latest = iso(morning(days));
    for (const [name, ask] of Object.entries(ways)) {
      const tooLate = await ask(iso(morning(days) + MINUTE));
      expect([name, tooLate.status, tooLate.body.detail?.find(({ type }) => type === 'too_late')]).toEqual([
        name,
        422,
        {
          loc: ['body', 'ready_by'],
          msg: 'Orders are not taken that far ahead',
          type: 'too_late',
          ctx: { latest },
        },
      ]);
      const inTime = await ask(latest);
      expect((inTime.body.detail ?? []).map(({ type }) => type)).not.toContain('too_late');
    }
  });

  it.each([-1, 367, 1.5])('cannot be %s', async (ahead_days) => {
    const { manage } = await openForGuests(service);
    const refused = await manage<Answer>('PATCH', '/intake/settings', { ahead_days });
    expect([refused.status, refused.body.detail?.[0]?.loc]).toEqual([422, ['body', 'ahead_days']]);
  });
});
