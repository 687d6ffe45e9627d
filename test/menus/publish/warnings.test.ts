import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MenuConfiguration } from '../../../src/menus/shapes.js';
import { findWarnings } from '../../../src/menus/publish/warnings.js';
import { chain, item, modifierGroup, modifierItem, text } from '../../harness/menu.js';
import { anyConfiguration } from '../arbitrary-menu.js';

const warningsOf = (
  configuration: unknown,
  modifiers: string[] = [],
  items: string[] = [],
  current: unknown = { items: [] },
) =>
  findWarnings({
    configuration: configuration as MenuConfiguration,
    current: current as MenuConfiguration,
    soldOut: { item: items, modifier_item: modifiers },
  });

describe('warnings', () => {
  it('are none for a menu that is as it should be', () => {
    expect(warningsOf(chain())).toEqual({ count: 0, shown: [] });
  });

  it('name prices that grow or fall by more than a factor of three, before all others', () => {
    const priced = (prices: number[], change: number) => ({
      ...chain(),
      items: prices.map((price, n) => item(`i${n}`, { price })),
      categories: [{ external_id: 'c', name: text('c'), item_external_ids: prices.map((_, n) => `i${n}`) }],
      modifier_items: [modifierItem('o', { price_change: change })],
    });
    const before = priced([100, 100, 100, 100, 0, 100], 50);
    const { count, shown } = warningsOf(priced([300, 301, 34, 33, 500, 0], -50), [], [], before);
    expect(count).toBe(4);
    expect(shown.slice(0, 3)).toEqual([
      {
        loc: ['body', 'items', 1, 'price'],
        msg: "The price of 'i1' goes from 100 to 301, which is more than a factor of 3",
        type: 'price_jump',
        ctx: { external_id: 'i1', before: 100, after: 301 },
      },
      {
        loc: ['body', 'items', 3, 'price'],
        msg: "The price of 'i3' goes from 100 to 33, which is more than a factor of 3",
        type: 'price_jump',
        ctx: { external_id: 'i3', before: 100, after: 33 },
      },
      {
        loc: ['body', 'modifier_items', 0, 'price_change'],
        msg: "The price_change of 'o' goes from 50 to -50, which is more than a factor of 3",
        type: 'price_jump',
        ctx: { external_id: 'o', before: 50, after: -50 },
      },
    ]);
    expect(shown.slice(3).map(({ type }) => type)).toEqual(['price_zero']);
  });

  it('name an item that costs ten times the median of its category, once', () => {
    const prices = [250, 300, 350, 0, 2_999, 3_000];
    const ids = prices.map((_, n) => `i${n}`);
    const configuration = {
      ...chain(),
      items: prices.map((price, n) => item(`i${n}`, { price, sell_separately: false })),
      categories: ['c', 'd'].map((id) => ({
        external_id: id,
        name: text(id),
        item_external_ids: [...ids, 'i0'],
      })),
    };
    const menus = [{ ...chain().menus[0], category_external_ids: ['c', 'd'] }];
    expect(warningsOf({ ...configuration, menus }).shown).toEqual([]);
    configuration.items[5] = item('i5', { price: 3_500, sell_separately: false });
    expect(warningsOf({ ...configuration, menus }).shown).toEqual([
      {
        loc: ['body', 'items', 5, 'price'],
        msg: "The item 'i5' costs 3500; the median of the category 'c' is 350",
        type: 'price_outlier',
        ctx: { external_id: 'i5', category_external_id: 'c', price: 3_500, median: 350 },
      },
    ]);
  });

  it('are none for items that are only sold with others', () => {
    const side = item('side', { sell_separately: false, price: 0 });
    expect(warningsOf({ ...chain(), items: [...chain().items, side] })).toEqual({ count: 0, shown: [] });
  });

  it('name items that no guest sees', () => {
    const { categories, ...rest } = chain();
    const configuration = {
      ...rest,
      items: [...rest.items, item('lost'), item('hidden')],
      categories: [...categories, { external_id: 'd', name: text('d'), item_external_ids: ['hidden'] }],
    };
    expect(warningsOf(configuration).shown).toEqual([
      {
        loc: ['body', 'items', 1],
        msg: "The item 'lost' is in no category",
        type: 'item_in_no_category',
        ctx: { external_id: 'lost' },
      },
      {
        loc: ['body', 'items', 2],
        msg: "The item 'hidden' is in no category that is on a menu",
        type: 'item_on_no_menu',
        ctx: { external_id: 'hidden' },
      },
    ]);
  });

  it('name menus that are never open', () => {
    const closed = [{ day_of_week: 'Monday', time_periods: [] }];
    const menus = [{ ...chain().menus[0], availability: closed }];
    expect(warningsOf({ ...chain(), menus }).shown).toEqual([
      {
        loc: ['body', 'menus', 0, 'availability'],
        msg: "The menu 'm' is never open: no day has a time period",
        type: 'menu_never_open',
        ctx: { external_id: 'm' },
      },
    ]);
  });

  it('name groups that ask for more than can be selected', () => {
    const group = (least: number) => [
      modifierGroup('g', { group_min: least, modifier_item_external_ids: ['o', 'o', 'p'] }),
    ];
    const menu = (least: number, more: object = {}) => ({
      ...chain(),
      modifier_groups: group(least),
      modifier_items: [modifierItem('o', { max_quantity: 2 }), modifierItem('p', more)],
    });
    const warning = (msg: string) => ({
      loc: ['body', 'modifier_groups', 0, 'group_min'],
      msg: `The modifier group 'g' needs ${msg}`,
      type: 'group_unsatisfiable',
      ctx: { external_id: 'g' },
    });
    const soldOut = warning('3 selected, but too many of its modifier items are sold out');
    expect(warningsOf(menu(3)).shown).toEqual([]);
    expect(warningsOf(menu(4)).shown).toEqual([
      warning('4 selected, but the max_quantity values of its modifier items add up to less'),
    ]);
    expect(warningsOf(menu(3, { in_stock: false })).shown).toEqual([soldOut]);
    expect(warningsOf(menu(3), ['p']).shown).toEqual([soldOut]);
    expect(warningsOf(menu(3, { in_stock: true }), ['p']).shown).toEqual([]);
    const standsForIt = { menu_item_external_id: 'i' };
    expect(warningsOf(menu(3, standsForIt)).shown).toEqual([]);
    expect(warningsOf(menu(3, standsForIt), [], ['i']).shown).toEqual([soldOut]);
  });

  it('name items that cost nothing, or could cost less', () => {
    const menu = {
      ...chain({ price: 0 }),
      modifier_items: [modifierItem('o', { price_change: -5 })],
    };
    expect(warningsOf(menu).shown).toEqual([
      {
        loc: ['body', 'items', 0, 'price'],
        msg: "The item 'i' costs nothing",
        type: 'price_zero',
        ctx: { external_id: 'i' },
      },
      {
        loc: ['body', 'items', 0],
        msg: "The price of 'i' can fall to -5: its modifiers can subtract more than it has",
        type: 'negative_line',
        ctx: { external_id: 'i', least_price: -5 },
      },
    ]);
  });

  it('know the least that a line can come to', () => {
    const count = fc.nat({ max: 3 });
    const modifiers = fc.array(
      fc.record({ price_change: fc.integer({ min: -4, max: 4 }), max_quantity: count }),
      { minLength: 1, maxLength: 3 },
    );
    const group = fc.record({ group_min: count, group_max: count, charge_after: count, modifiers });
    fc.assert(
      fc.property(group, fc.nat({ max: 12 }), ({ modifiers: offered, ...counts }, price) => {
        const least = leastByTrial(offered, counts);
        fc.pre(least !== undefined);
        const modifier_items = offered.map((one, i) => modifierItem(`o${i}`, { ...one, tax_change: 0 }));
        const ids = modifier_items.map(({ external_id }) => external_id);
        const modifier_groups = [modifierGroup('g', { ...counts, modifier_item_external_ids: ids })];
        const { shown } = warningsOf({ ...chain({ price }), modifier_groups, modifier_items });
        const found = shown.find(({ type }) => type === 'negative_line');
        expect(found?.ctx?.['least_price']).toBe(price + least < 0 ? price + least : undefined);
      }),
      { numRuns: 3000 },
    );
  });

  it('count the entities that lack a language, list by list', () => {
    const both = { translations: { en: 'x', es: 'x' } };
    const menu = {
      ...chain({ name: both }),
      items: [
        ...chain({ name: both, description: { translations: { es: 'x', en: ' ' } } }).items,
        item('j', { sell_separately: false }),
        item('k', { sell_separately: false }),
      ],
      modifier_items: [],
      modifier_groups: [],
    };
    expect(warningsOf(menu).shown).toEqual([
      {
        loc: ['body', 'categories'],
        msg: "1 category has no text in 'es', others do",
        type: 'language_missing',
        ctx: { language: 'es', count: 1, external_ids: ['c'] },
      },
      {
        loc: ['body', 'items'],
        msg: "1 item has no text in 'en', others do",
        type: 'language_missing',
        ctx: { language: 'en', count: 1, external_ids: ['i'] },
      },
      {
        loc: ['body', 'items'],
        msg: "2 items have no text in 'es', others do",
        type: 'language_missing',
        ctx: { language: 'es', count: 2, external_ids: ['j', 'k'] },
      },
    ]);
  });

  it('name different items of one category that have the same name', () => {
    const items = [item('i', { name: text('Soup') }), item('j', { name: text(' soup') }), item('k')];
    const categories = [{ external_id: 'c', name: text('c'), item_external_ids: ['i', 'i', 'k', 'j'] }];
    expect(warningsOf({ ...chain(), items, categories }).shown).toEqual([
      {
        loc: ['body', 'categories', 0, 'item_external_ids', 3],
        msg: "The items 'i' and 'j' of the category 'c' have the same name",
        type: 'duplicate_name',
        ctx: { external_id: 'j', other_external_id: 'i', name: 'soup' },
      },
    ]);
  });

  it('show so many of each type that none hides another', () => {
    const items = Array.from({ length: 500 }, (_, i) => item(`i${i}`, { price: i < 100 ? 0 : 1 }));
    const { count, shown } = warningsOf({ items });
    expect(count).toBe(600);
    expect(shown.map(({ type, msg }) => [type, msg])).toEqual([
      ...items
        .slice(0, 20)
        .map((one) => ['item_in_no_category', `The item '${one.external_id}' is in no category`]),
      ['item_in_no_category', '480 more of this type not shown'],
      ...items.slice(0, 20).map((one) => ['price_zero', `The item '${one.external_id}' costs nothing`]),
      ['price_zero', '80 more of this type not shown'],
    ]);
  });

  it('come for any configuration, and soon for one that is made to take long', () => {
    fc.assert(fc.property(anyConfiguration, (configuration) => warningsOf(configuration).count >= 0));
    const name = {
      translations: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`l${i}`, 'x'])),
    };
    const items = Array.from({ length: 500 }, (_, i) => item(`i${i}`, { name }));
    const all = items.map(({ external_id }) => external_id);
    const categories = Array.from({ length: 2000 }, (_, i) => ({
      external_id: `c${i}`,
      name,
      item_external_ids: all,
    }));
    warningsOf({ items, categories });
  });
});

/** Tries every selection that the group allows. */
function leastByTrial(
  offered: readonly { readonly price_change: number; readonly max_quantity: number }[],
  { group_min, group_max, charge_after }: { group_min: number; group_max: number; charge_after: number },
): number | undefined {
  const selections = offered.reduce<number[][]>(
    (before, { max_quantity }) =>
      before.flatMap((units) => Array.from({ length: max_quantity + 1 }, (_, more) => [...units, more])),
    [[]],
  );
  const sums = selections.flatMap((units) => {
    const each = offered.flatMap(({ price_change }, i) =>
      Array.from({ length: units[i] ?? 0 }, () => price_change),
    );
    if (each.length < group_min || (group_max !== 0 && each.length > group_max)) return [];
    const dearestFirst = each.sort((one, other) => other - one);
    return [
      dearestFirst.reduce((sum, change, i) => sum + (i < charge_after ? Math.min(change, 0) : change), 0),
    ];
  });
  return sums.length === 0 ? undefined : Math.min(...sums);
}
