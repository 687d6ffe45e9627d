import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/demo/orders.js';
import { offsetsByKind } from '../../src/menus/kinds.js';
import { packPrices, unpackPrices, type PackedMenu, type PriceList } from '../../src/menus/price-list.js';
import { quoteOrder, quoteText } from '../../src/quotes/quote-order.js';
import { judge, type Order, type Shop, type Verdict } from './model.js';
import { randomOrder, randomShop } from './random-shop.js';

/** The price list of a shop, its stock given by marks. */
function listOf({ menu, soldOutItems, soldOutModifiers }: Shop): PriceList {
  const offsets = offsetsByKind(menu);
  const ids = Array.from({ length: 100 }, (_, i) => 1000 + i);
  const marks = new Map<number, boolean>();
  const mark = (
    offset: number,
    list: readonly { external_id: string; in_stock?: boolean }[],
    out: ReadonlySet<string>,
  ) =>
    list.forEach(({ external_id, in_stock = true }, i) => {
      const isIn = !out.has(external_id);
      if (isIn !== in_stock || i % 2 === 0) marks.set(1000 + offset + i, isIn);
    });
  mark(offsets.item, menu.items, soldOutItems);
  mark(offsets.modifier_item, menu.modifier_items ?? [], soldOutModifiers);
  const packed = JSON.parse(JSON.stringify(packPrices(menu, ids))) as PackedMenu;
  return { ...unpackPrices(packed), marks, counts: new Map() };
}

function quote(shop: Shop, list: PriceList, order: unknown): Verdict {
  const { priced, errors } = quoteOrder(order, list, {
    at: shop.at.getTime(),
    timezone: shop.timezone,
  });
  if (errors.total > 0)
    return {
      errors: errors.toArray().map(({ type, loc, ctx }) => {
        const group = ctx?.['group_external_id'];
        return [type, [...loc], ...(typeof group === 'string' ? ([group] as const) : ([] as const))];
      }),
    };
  if (priced === undefined) throw new Error('neither priced nor refused');
  const { items, price, tax } = JSON.parse(
    quoteText(priced, {
      version: 1,
      stockRevision: 1,
      currency: undefined,
      readyBy: undefined,
      prepMinutes: 0,
    }),
  ) as Order;
  return { quote: { items, price, tax } };
}

const sorted = (verdict: Verdict) =>
  'errors' in verdict ? { errors: verdict.errors.map((error) => JSON.stringify(error)).sort() } : verdict;

const name = (en: string) => ({ translations: { en } });
const shop: Shop = {
  menu: {
    menus: [
      {
        external_id: 'lunch',
        availability: [
          { day_of_week: 'Monday', time_periods: [{ start_time: '12:00', end_time: '16:00' }] },
          { day_of_week: 'Tuesday', time_periods: [{ start_time: '12:00', end_time: '16:00' }] },
        ],
        category_external_ids: ['mains'],
      },
      {
        external_id: 'off',
        availability: [{ day_of_week: 'Monday', time_periods: [] }],
        category_external_ids: ['old'],
      },
    ],
    categories: [
      { external_id: 'mains', name: name('Mains'), item_external_ids: ['burger'] },
      { external_id: 'old', name: name('Old'), item_external_ids: ['relic'] },
    ],
    items: [
      { ...item('coffee', 250, 25), modifier_external_ids: ['milk', 'sauces'] },
      item('burger', 1000, 100),
      item('relic', 1, 0),
      { ...item('side', 300, 30), sell_separately: false },
      item('gone', 100, 10),
      item('gold', Number.MAX_SAFE_INTEGER, 0),
      { ...item('half', 2 ** 52, 0), modifier_external_ids: ['extra'] },
    ],
    modifier_groups: [
      { ...group('milk', 1, 1, 0), modifier_item_external_ids: ['oat', 'soy', 'whole'] },
      { ...group('sauces', 0, 4, 2), modifier_item_external_ids: ['aioli', 'none'] },
      { ...group('extra', 0, 0, 0), modifier_item_external_ids: ['more', 'less'] },
    ],
    modifier_items: [
      modifier('oat', 40, 4, 0, 1),
      modifier('soy', 30, 3, 0, 1),
      modifier('whole', -300, 0, 0, 1),
      modifier('aioli', 60, 6, 1, 3),
      modifier('none', -10, 2, 0, 9),
      modifier('more', 2 ** 52, 0, 0, 10),
      modifier('less', -(2 ** 52), 0, 0, 10),
    ],
  },
  soldOutItems: new Set(['gone']),
  soldOutModifiers: new Set(['soy']),
  at: new Date('2026-11-16T09:00:00Z'),
  timezone: 'Europe/Madrid',
};

function item(external_id: string, price: number, tax: number) {
  return { external_id, name: name(external_id), price, tax, sell_separately: true };
}
function group(external_id: string, group_min: number, group_max: number, charge_after: number) {
  return { external_id, type: 't', name: name(external_id), group_min, group_max, charge_after };
}
function modifier(
  external_id: string,
  price_change: number,
  tax_change: number,
  min_quantity: number,
  max_quantity: number,
) {
  const quantities = { min_quantity, max_quantity, default_quantity: min_quantity };
  return { external_id, name: name(external_id), price_change, tax_change, ...quantities };
}

const ask = (body: unknown) =>
  quoteOrder(body, listOf(shop), { at: shop.at.getTime(), timezone: shop.timezone });
const errorsOf = (body: unknown) => ask(body).errors.toArray();
const oat = { group_external_id: 'milk', external_id: 'oat' };

describe('a quote', () => {
  it('is what a plain model of the rules says, for any menu and any order', () => {
    const seen = new Map<string, number>();
    for (let seed = 0; seed < 4000; seed += 1) {
      const random = createRandom(Math.imul(seed + 1, 2_654_435_761));
      const shop = randomShop(random);
      const list = listOf(shop);
      for (let nth = 0; nth < 5; nth += 1) {
        const order = randomOrder(shop, random);
        const expected = judge(shop, order);
        const found = quote(shop, list, order);
        if (JSON.stringify(sorted(found)) !== JSON.stringify(sorted(expected)))
          expect(sorted(found), `seed ${seed}, order ${nth}`).toEqual(sorted(expected));
        const types = 'errors' in expected ? expected.errors.map(([type]) => type) : ['priced'];
        for (const type of new Set(types)) seen.set(type, (seen.get(type) ?? 0) + 1);
      }
    }
    // Every rule has been met, many times, and so has an order without any error.
    for (const type of RULES) expect([type, (seen.get(type) ?? 0) >= 20]).toEqual([type, true]);
    expect(seen.get('priced')).toBeGreaterThan(4000);
  });

  it('charges the units after the free ones, in the order of the request', () => {
    const sauces = [
      { group_external_id: 'sauces', external_id: 'none' },
      { group_external_id: 'sauces', external_id: 'aioli', quantity: 3 },
    ];
    const { priced } = ask({ items: [{ external_id: 'coffee', quantity: 2, modifiers: [oat, ...sauces] }] });
    // (250 + 40 - 10 + 2 x 60) x 2, and (25 + 4 + 0 + 2 x 6) x 2: free waives what none adds to the tax.
    expect(priced).toMatchObject({ price: 800, tax: 82 });
    expect(priced?.lines[0]?.modifiers.map(({ freeQuantity }) => freeQuantity)).toEqual([0, 1, 1]);
  });

  it('tells everything that is wrong at once, shape and rules, each at its place', () => {
    const coffee = { external_id: 'coffee', quantity: 1 };
    const sauce = { group_external_id: 'sauces', external_id: 'aioli' };
    const body = {
      items: [
        { external_id: 'cofee', quantity: 1 },
        { external_id: 'side', quantity: 0 },
        { external_id: 'side', quantity: 1 },
        { external_id: 'gone', quantity: 1, price: 99 },
        { external_id: 'burger', quantity: 1 },
        { external_id: 'relic', quantity: 1 },
        {
          ...coffee,
          modifiers: [
            { ...oat, group_external_id: 'mlik' },
            { ...oat, external_id: 'otter' },
          ],
        },
        { ...coffee, modifiers: [{ ...oat, external_id: 'soy', tax_change: 4 }] },
        { ...coffee, modifiers: [oat, { ...sauce, quantity: 2 }, { ...sauce, quantity: 3 }] },
        { ...coffee, modifiers: [{ ...oat, external_id: 'whole' }] },
        'coffee',
      ],
      price: 1,
    };
    const at = (line: number, ...rest: (string | number)[]) => ['body', 'items', line, ...rest];
    const counts = { group_min: 1, group_max: 1 };
    expect(errorsOf(body)).toEqual([
      {
        loc: at(10),
        msg: 'Input should be a valid dictionary or object to extract fields from',
        type: 'model_attributes_type',
        input: 'coffee',
        ctx: { hint: 'an object' },
      },
      {
        loc: at(0, 'external_id'),
        msg: "No item has the external_id 'cofee'; did you mean 'coffee'?",
        type: 'unknown_item',
        input: 'cofee',
      },
      {
        loc: at(1, 'quantity'),
        msg: 'Input should be greater than or equal to 1',
        type: 'greater_than_equal',
        input: 0,
        ctx: { ge: 1 },
      },
      {
        loc: at(1, 'external_id'),
        msg: "The item 'side' is not sold separately",
        type: 'not_sold_separately',
      },
      {
        loc: at(2, 'external_id'),
        msg: "The item 'side' is not sold separately",
        type: 'not_sold_separately',
      },
      { loc: at(3, 'external_id'), msg: "The item 'gone' is sold out", type: 'sold_out' },
      {
        loc: at(3, 'price'),
        msg: 'The price is 100, not 99',
        type: 'price_mismatch',
        input: 99,
        ctx: { expected: 100 },
      },
      {
        loc: at(4, 'external_id'),
        msg: "The item 'burger' is not available until 2026-11-16T11:00:00.000Z",
        type: 'outside_hours',
        ctx: { next_at: '2026-11-16T11:00:00.000Z' },
      },
      {
        loc: at(5, 'external_id'),
        msg: "The item 'relic' is on no menu that is ever open",
        type: 'outside_hours',
      },
      {
        loc: at(6, 'modifiers', 0, 'group_external_id'),
        msg: "No modifier group of this item has the external_id 'mlik'; did you mean 'milk'?",
        type: 'unknown_group',
        input: 'mlik',
      },
      {
        loc: at(6, 'modifiers', 1, 'external_id'),
        msg: "No modifier item of the group 'milk' has the external_id 'otter'",
        type: 'unknown_modifier',
        input: 'otter',
      },
      {
        loc: at(6, 'modifiers'),
        msg: "The modifier group 'milk' requires at least 1 selected per item, not 0",
        type: 'group_min',
        ctx: { group_external_id: 'milk', ...counts, selected: 0 },
      },
      {
        loc: at(7, 'modifiers', 0, 'tax_change'),
        msg: 'The tax is 3, not 4',
        type: 'tax_mismatch',
        input: 4,
        ctx: { expected: 3 },
      },
      {
        loc: at(7, 'modifiers', 0, 'external_id'),
        msg: "The modifier item 'soy' is sold out",
        type: 'sold_out',
      },
      {
        loc: at(7, 'modifiers'),
        msg: "The modifier group 'milk' requires at least 1 selected per item, not 0",
        type: 'group_min',
        ctx: { group_external_id: 'milk', ...counts, selected: 0 },
      },
      {
        loc: at(8, 'modifiers', 2, 'quantity'),
        msg: "The modifier item 'aioli' allows at most 3 per item, not 5",
        type: 'modifier_quantity',
        ctx: { external_id: 'aioli', min_quantity: 1, max_quantity: 3, selected: 5 },
      },
      {
        loc: at(8, 'modifiers'),
        msg: "The modifier group 'sauces' requires at most 4 selected per item, not 5",
        type: 'group_max',
        ctx: { group_external_id: 'sauces', group_min: 0, group_max: 4, selected: 5 },
      },
      { loc: at(9), msg: 'The price of the line is below zero', type: 'negative_line' },
    ]);
  });

  it('is checked against stated sums, and priced all the same', () => {
    const { priced, errors } = ask({
      items: [{ external_id: 'coffee', quantity: 1, modifiers: [oat] }],
      price: 1,
      tax: 29,
    });
    expect(priced).toMatchObject({ price: 290, tax: 29 });
    expect(errors.toArray()).toEqual([
      {
        loc: ['body', 'price'],
        msg: 'The price is 290, not 1',
        type: 'price_mismatch',
        input: 1,
        ctx: { lines: 290, charges: 0, discounts: 0, expected: 290 },
      },
    ]);
  });

  it('tells that an item cannot be had whatever else is wrong in its line', () => {
    expect(
      errorsOf({
        items: [
          { external_id: 'cofee', quantity: 0 },
          { external_id: 'gone', quantity: 1, modifiers: 'milk' },
          { external_id: 7, quantity: 0 },
        ],
      }),
    ).toMatchObject([
      { loc: ['body', 'items', 0, 'quantity'], type: 'greater_than_equal' },
      { loc: ['body', 'items', 0, 'external_id'], type: 'unknown_item' },
      { loc: ['body', 'items', 1, 'modifiers'], type: 'list_type' },
      { loc: ['body', 'items', 1, 'external_id'], type: 'sold_out' },
      { loc: ['body', 'items', 2, 'external_id'], type: 'string_type' },
      { loc: ['body', 'items', 2, 'quantity'], type: 'greater_than_equal' },
    ]);
  });

  it('is for the moment that it names', () => {
    const order = { items: [{ external_id: 'burger', quantity: 1 }] };
    expect(ask({ ...order, at: '2026-11-16T12:30:00+01:00' }).priced).toMatchObject({
      at: Date.parse('2026-11-16T11:30:00Z'),
      price: 1000,
    });
    // What is closed now says nothing of the moment that was meant.
    expect(errorsOf(order)).toMatchObject([{ type: 'outside_hours' }]);
    expect(errorsOf({ ...order, at: null })).toMatchObject([{ type: 'outside_hours' }]);
    for (const [at, type] of [
      ['noon', 'datetime_from_date_parsing'],
      [12, 'datetime_type'],
    ])
      expect(errorsOf({ ...order, at })).toMatchObject([{ loc: ['body', 'at'], type }]);
  });

  it('never answers a sum that is not exact', () => {
    const gold = (quantity: number) => ({ external_id: 'gold', quantity });
    const change = (external_id: string, quantity: number) => ({
      group_external_id: 'extra',
      external_id,
      quantity,
    });
    const half = (...modifiers: object[]) => ({ external_id: 'half', quantity: 1, modifiers });
    expect(ask({ items: [gold(1)] }).priced).toMatchObject({ price: Number.MAX_SAFE_INTEGER });
    expect(errorsOf({ items: [gold(2)] })).toEqual([
      {
        loc: ['body', 'items', 0],
        msg: 'The price of the line is more than 9007199254740991',
        type: 'total_too_large',
        ctx: { limit: Number.MAX_SAFE_INTEGER },
      },
    ]);
    expect(errorsOf({ items: [gold(1), { ...gold(1) }] })).toMatchObject([
      {
        loc: ['body', 'items'],
        msg: 'The price of the order is more than 9007199254740991',
        type: 'total_too_large',
      },
    ]);
    // On the way past what a number holds, and back.
    expect(ask({ items: [half(change('more', 5), change('less', 6))] }).priced).toMatchObject({ price: 0 });
    expect(ask({ items: [half(change('more', 10), change('less', 10))] }).priced).toMatchObject({
      price: 2 ** 52,
    });
    expect(errorsOf({ items: [half(change('less', 2))] })).toMatchObject([{ type: 'negative_line' }]);
  });

  it('refuses hostile orders with a few words', () => {
    const line = { external_id: 'coffee', quantity: 1, modifiers: [oat] };
    expect(errorsOf({ items: Array.from({ length: 10_000 }, () => line) })).toEqual([
      {
        loc: ['body', 'items'],
        msg: 'List should have at most 1000 items after validation, not 10000',
        type: 'too_long',
        ctx: { field_type: 'List', max_length: 1000, actual_length: 10_000 },
      },
    ]);
    const many = {
      ...line,
      quantity: Number.MAX_SAFE_INTEGER,
      modifiers: [{ ...oat, quantity: Number.MAX_SAFE_INTEGER }],
    };
    expect(errorsOf({ items: [many] })).toMatchObject([
      { loc: ['body', 'items', 0, 'quantity'], type: 'less_than_equal', ctx: { le: 10_000 } },
      { loc: ['body', 'items', 0, 'modifiers', 0, 'quantity'], type: 'less_than_equal', ctx: { le: 10_000 } },
    ]);
    const unknown = Array.from({ length: 1000 }, () => ({
      ...line,
      modifiers: Array.from({ length: 100 }, () => ({ ...oat, external_id: 'x'.repeat(255) })),
    }));
    const errors = errorsOf({ items: unknown });
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toMatchObject({
      type: 'too_many_errors',
      msg: expect.stringMatching(/^at least /) as string,
    });
    for (const body of [null, [], 'x', 7, {}, { items: null }, { items: {} }])
      expect(errorsOf(body)).toHaveLength(1);
  });

  it('prices the longest order that is allowed', () => {
    const line = { external_id: 'coffee', quantity: 10_000, modifiers: [oat] };
    const { priced } = ask({ items: Array.from({ length: 1000 }, () => line) });
    expect(priced).toMatchObject({ price: 2_900_000_000, tax: 290_000_000 });
    expect(ask({ items: [] }).priced).toMatchObject({ price: 0, tax: 0, lines: [] });
  });
});

const RULES = [
  'unknown_item',
  'unknown_group',
  'unknown_modifier',
  'not_sold_separately',
  'sold_out',
  'outside_hours',
  'group_min',
  'group_max',
  'modifier_quantity',
  'price_mismatch',
  'tax_mismatch',
  'negative_line',
  'total_too_large',
];
