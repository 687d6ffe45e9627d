import { describe, expect, it } from 'vitest';
import { findOrderable } from '../../src/menus/orderable.js';
import type { MenuConfiguration } from '../../src/menus/shapes.js';
import { viewStock } from '../../src/menus/stock/combos.js';

const name = { translations: {} };
const item = (external_id: string, more: object = {}) => ({
  external_id,
  name,
  price: 1,
  tax: 0,
  sell_separately: true,
  ...more,
});
const quantities = { min_quantity: 0, max_quantity: 2, default_quantity: 0 };
const modifier = (external_id: string) => ({
  external_id,
  name,
  price_change: 0,
  tax_change: 0,
  ...quantities,
});
const group = (external_id: string, group_min: number) => ({
  external_id,
  type: 't',
  name,
  group_max: 0,
  group_min,
  charge_after: 0,
  modifier_item_external_ids: ['x', 'y', 'y'],
});

const configuration: MenuConfiguration = {
  menus: [
    { external_id: 'always', availability: [], category_external_ids: ['day'] },
    {
      external_id: 'sundays',
      availability: [{ day_of_week: 'Sunday', time_periods: [{ start_time: '09:00', end_time: '12:00' }] }],
      category_external_ids: ['day', 'brunch'],
    },
  ],
  categories: [
    { external_id: 'day', name, item_external_ids: ['plain', 'gone', 'side', 'two', 'three'] },
    { external_id: 'brunch', name, item_external_ids: ['plain', 'eggs'] },
  ],
  items: [
    item('plain'),
    item('gone'),
    item('side', { sell_separately: false }),
    item('two', { modifier_external_ids: ['needs2'] }),
    item('three', { modifier_external_ids: ['needs2', 'needs3'] }),
    item('eggs'),
    item('on no menu'),
  ],
  modifier_groups: [group('needs2', 2), group('needs3', 3)],
  modifier_items: [modifier('x'), modifier('y')],
};
const stock = viewStock(configuration, (kind, at) => at !== (kind === 'item' ? 1 : 0));

const at = (moment: string) => ({ at: Date.parse(moment), timezone: 'UTC' });

describe('what can be ordered', () => {
  it('leaves out what is closed, sold out, not sold alone or cannot be completed, each with its reason', () => {
    const monday = findOrderable(configuration, stock, at('2026-11-16T10:00:00Z'));
    expect(monday.leftOut).toEqual([
      { kind: 'menu', external_id: 'sundays', reason: 'outside_hours' },
      { kind: 'item', external_id: 'gone', reason: 'out_of_stock' },
      { kind: 'item', external_id: 'side', reason: 'not_sold_separately' },
      { kind: 'item', external_id: 'three', reason: 'modifiers_unavailable' },
      { kind: 'item', external_id: 'eggs', reason: 'outside_hours' },
    ]);
    expect([...monday.modifierItems]).toEqual([1]);
  });

  it('shows on an open menu what is closed elsewhere', () => {
    const sunday = findOrderable(configuration, stock, at('2026-11-15T10:00:00Z'));
    expect(sunday.leftOut.map(({ external_id }) => external_id)).toEqual(['gone', 'side', 'three']);
    expect([...sunday.menus]).toEqual([0, 1]);
  });

  it('leaves out a combo whose required choice stands for an item that is sold out or incomplete', () => {
    const combo = (external_id: string, choice: string) => [
      item(external_id, { modifier_external_ids: [`of ${external_id}`] }),
      { ...group(`of ${external_id}`, 1), modifier_item_external_ids: [choice] },
    ];
    const standIn = (external_id: string, menu_item_external_id: string) => ({
      ...modifier(external_id),
      menu_item_external_id,
    });
    const [meal, ofMeal] = combo('meal', 'as fries');
    const [big, ofBig] = combo('big', 'as burger');
    const [burger, ofBurger] = combo('burger', 'rare');
    const [huge, ofHuge] = combo('huge', 'as big');
    const menu = {
      items: [item('fries'), meal, big, burger, huge],
      modifier_groups: [ofMeal, ofBig, ofBurger, ofHuge],
      modifier_items: [
        standIn('as fries', 'fries'),
        standIn('as burger', 'burger'),
        modifier('rare'),
        standIn('as big', 'big'),
      ],
    } as MenuConfiguration;
    const leftOut = (soldOut: string) =>
      findOrderable(
        menu,
        viewStock(menu, (kind, i) => {
          const entity = kind === 'item' ? menu.items[i] : menu.modifier_items?.[i];
          return entity?.external_id !== soldOut;
        }),
        at('2026-11-16T00:00:00Z'),
      ).leftOut;
    const unavailable = { kind: 'item', reason: 'modifiers_unavailable' };
    expect(leftOut('fries')).toEqual([
      { kind: 'item', external_id: 'fries', reason: 'out_of_stock' },
      { ...unavailable, external_id: 'meal', ctx: { menu_item_external_id: 'fries' } },
    ]);
    expect(leftOut('rare')).toEqual(
      ['big', 'burger', 'huge'].map((external_id) => ({ ...unavailable, external_id })),
    );
  });
});
