import { describe, expect, it } from 'vitest';
import { demoMenu, readDemo } from '../../src/demo/content.js';
import { demoOrders } from '../../src/demo/orders.js';
import { exampleIds } from '../../src/support/example-ids.js';
import { isResourceId } from '../../src/support/uuid.js';
import { ORDER_STATUSES } from '../../src/orders/status.js';

const demo = await readDemo();
const { stores: demoStores } = demo;
const NOW = Date.parse('2026-03-10T18:30:20Z');

interface Line {
  readonly external_id: string;
  readonly quantity: number;
  readonly price: number;
  readonly modifiers: readonly Chosen[];
}

interface Chosen {
  readonly external_id: string;
  readonly group_external_id: string;
  readonly price_change: number;
  readonly modifiers?: readonly Chosen[];
}

/** Each once, with all that was chosen for it. */
const flatten = (chosen: readonly Chosen[]): Chosen[] =>
  chosen.flatMap((one) => [one, ...flatten(one.modifiers ?? [])]);

describe('the stores of the demo', () => {
  it('differ in country, timezone and currency', () => {
    for (const field of ['country', 'timezone', 'currency'] as const)
      expect(new Set(demoStores.map(({ store }) => store[field])).size).toBe(3);
  });
});

describe.each(demoStores.map((store) => [store.code, store] as const))('the menu of %s', (_code, store) => {
  const menu = demoMenu(demo, store);
  const {
    menus = [],
    categories = [],
    items,
    modifier_groups: groups = [],
    modifier_items: choices = [],
  } = menu;
  const names = [...menus, ...categories, ...items, ...groups, ...choices].map(
    ({ name }) => name?.translations,
  );

  it('names everything in three languages, one of them from right to left', () => {
    for (const texts of names) {
      expect(Object.keys(texts ?? {}).sort()).toEqual([...store.languages].sort());
      expect(texts?.['ar']).toMatch(/[\u0600-\u06ff]/);
    }
  });

  it('shares modifier groups between items', () => {
    const uses = menu.items.flatMap((item) => item.modifier_external_ids ?? []);
    expect(uses.filter((id) => id === 'sauces').length).toBeGreaterThan(2);
  });

  it('goes from breakfast to past midnight', () => {
    const late = menu.menus?.find(({ external_id }) => external_id === 'late-night');
    expect(late?.availability[0]?.time_periods).toEqual([{ start_time: '22:30', end_time: '03:00' }]);
  });

  it('states allergens and dietary labels, and prices in whole minor units', () => {
    expect(menu.items.filter(({ allergens }) => allergens !== undefined).length).toBeGreaterThan(8);
    expect(
      menu.items.filter(({ dietary_labels }) => dietary_labels?.includes('VEGAN')).length,
    ).toBeGreaterThan(3);
    for (const { price, tax } of menu.items) expect([price, tax].every(Number.isSafeInteger)).toBe(true);
  });
});

it('offers no alcohol in Dubai', () => {
  const dubai = demoStores.filter(({ code }) => code === 'dubai').map((store) => demoMenu(demo, store));
  expect(dubai.map(({ items }) => items.filter((item) => item.alcohol_by_volume !== undefined))).toEqual([
    [],
  ]);
  expect(dubai.map(({ categories }) => categories?.map((each) => each.external_id))).toEqual([
    ['breakfast', 'to-share', 'mains', 'sweet', 'late-night', 'coffee', 'cold-drinks'],
  ]);
});

describe('the orders of the demo', () => {
  const orders = demoStores.flatMap((store) =>
    demoOrders(demo, store, NOW).map((order) => ({ store, ...order })),
  );

  it('are the same for the same moment, and several hundred', () => {
    expect(demoStores.map((store) => demoOrders(demo, store, NOW))).toEqual(
      demoStores.map((store) => demoOrders(demo, store, NOW)),
    );
    expect(orders.length).toBeGreaterThan(300);
    expect(orders.length).toBeLessThan(1_500);
  });

  it('are in every status, in every store', () => {
    for (const { id } of demoStores) {
      const statuses = orders.filter(({ store }) => store.id === id).map(({ request }) => request.status);
      expect(new Set(statuses)).toEqual(new Set(ORDER_STATUSES));
    }
  });

  it('have numbers as the kitchen calls them out, each once among those under way', () => {
    for (const { id } of demoStores) {
      const open = orders.filter(
        ({ store, request }) => store.id === id && request.completed_at === undefined,
      );
      const numbers = open.map(({ request }) => request.number ?? 0);
      expect(new Set(numbers).size).toBe(open.length);
      expect(Math.min(...numbers)).toBeGreaterThan(0);
    }
  });

  it('have ids and external_ids of their own', () => {
    expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
    expect(orders.every(({ id }) => isResourceId(id))).toBe(true);
    expect(orders.every(({ id, store }) => parseInt(id.slice(-8), 16) === store.storeKey)).toBe(true);
    expect(new Set(orders.map(({ request }) => request.external_id)).size).toBe(orders.length);
  });

  it('lie in the last four weeks, none in the future', () => {
    const times = orders.map(({ request }) => Date.parse(request.created_at ?? ''));
    expect(Math.max(...times)).toBeLessThan(NOW);
    expect(Math.min(...times)).toBeGreaterThan(NOW - 30 * 86_400_000);
  });

  it('come to what their lines add up to, and order only what is on the menu', () => {
    for (const { request, store } of orders) {
      const { items, modifier_items: modifiers } = demoMenu(demo, store);
      const lines = request.items as unknown as Line[];
      const sum = lines.reduce(
        (total, line) =>
          total +
          line.quantity *
            flatten(line.modifiers).reduce((price, each) => price + each.price_change, line.price),
        0,
      );
      expect(request.price).toBe(sum);
      for (const line of lines) {
        expect(items.map(({ external_id }) => external_id)).toContain(line.external_id);
        for (const { external_id } of flatten(line.modifiers))
          expect(modifiers?.map((modifier) => modifier.external_id)).toContain(external_id);
      }
    }
  });

  it('include combos with choices within choices', () => {
    const lines = orders.flatMap(({ request }) => request.items as unknown as Line[]);
    const mains = lines
      .filter(({ external_id }) => external_id === 'combo')
      .flatMap((line) => line.modifiers);
    const burger = mains.find(({ external_id }) => external_id === 'combo-burger');
    expect(burger?.modifiers?.map((each) => each.group_external_id)).toEqual(
      expect.arrayContaining(['doneness', 'side']),
    );
  });

  it('include the one that the API documents show', () => {
    const [first] = demoStores.flatMap((store) => demoOrders(demo, store, NOW));
    expect(first?.id).toBe(exampleIds.order);
    expect(first?.request).toMatchObject({
      customer: { name: 'Łukasz Nowak', phone: '+48 22 555 01 23' },
      status: 'FULFILLED',
      created_at: '2026-03-09T12:05:00.000Z',
    });
  });
});
