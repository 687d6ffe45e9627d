import { describe, expect, it } from 'vitest';
import { compileConfigurationCheck } from '../../../src/menus/check-configuration.js';
import { convertMenu, recogniseSource, type MenuSource } from '../../../src/menus/convert/convert.js';
import type { ConvertOptions } from '../../../src/menus/convert/conversion.js';
import { HUBRISE, SQUARE, UBER } from './foreign-menus.js';

const MANY = { menus: 9, categories: 9, items: 9, modifier_groups: 9, modifier_items: 99 };
const check = compileConfigurationCheck(MANY);
const en = (text: string) => ({ translations: { en: text } });

/** Converts, holds the result against the service's own check, and gives losses as lines. */
function convert(value: unknown, source: MenuSource, options: Partial<ConvertOptions> = {}) {
  const { configuration, losses, currency } = convertMenu(value, source, { language: 'en', ...options });
  const lines = losses.map(({ place, message }) => `${place}: ${message}`);
  return { menu: check(configuration), losses: lines, currency };
}

describe('recognising a menu', () => {
  it('tells the systems apart', () => {
    expect([UBER, SQUARE, HUBRISE, { objects: SQUARE }, HUBRISE.data].map(recogniseSource)).toEqual([
      'uber',
      'square',
      'hubrise',
      'square',
      'hubrise',
    ]);
  });

  it.each([
    [
      {
        items: [{ external_id: 'a', price: 1, tax: 0, name: en('A'), sell_separately: true }],
        categories: [],
      },
    ],
    [{ items: [] }],
    [[1, 2]],
    [null],
    ['text'],
  ])('leaves %j alone', (value) => {
    expect(recogniseSource(value)).toBeUndefined();
  });

  it.each(['uber', 'square', 'hubrise'] as const)('gives an empty menu for nonsense from %s', (source) => {
    for (const nonsense of [null, 3, [], {}, { items: 3, menus: [null], data: 'x', objects: [[]] }])
      expect(convert(nonsense, source).menu.items).toEqual([]);
  });
});

describe('a Square catalogue', () => {
  it('becomes a menu, with variations as a group of which one is chosen', () => {
    const { menu, currency } = convert(SQUARE, 'square');
    expect(currency).toBe('USD');
    expect(menu).toEqual({
      menus: [{ external_id: 'menu', availability: [], category_external_ids: ['C1'] }],
      categories: [{ external_id: 'C1', name: en('Gelato'), item_external_ids: ['I1', 'I2'] }],
      items: [
        {
          external_id: 'I1',
          name: en('Pistachio'),
          description: en('From Bronte'),
          price: 300,
          tax: 26,
          sell_separately: true,
          modifier_external_ids: ['I1:variants', 'L1:1-2'],
        },
        {
          external_id: 'I2',
          name: en('Affogato'),
          price: 500,
          tax: 43,
          sell_separately: true,
          modifier_external_ids: ['L1'],
        },
      ],
      modifier_groups: [
        {
          external_id: 'L1',
          type: 'multiple',
          name: en('Toppings'),
          group_min: 0,
          group_max: 0,
          charge_after: 0,
          modifier_item_external_ids: ['M1', 'M2'],
        },
        {
          external_id: 'I1:variants',
          type: 'variants',
          name: en('Pistachio'),
          group_min: 1,
          group_max: 1,
          charge_after: 0,
          modifier_item_external_ids: ['V1', 'V2'],
        },
        {
          external_id: 'L1:1-2',
          type: 'multiple',
          name: en('Toppings'),
          group_min: 1,
          group_max: 2,
          charge_after: 0,
          modifier_item_external_ids: ['M1', 'M2'],
        },
      ],
      modifier_items: [
        modifier('M1', 'Cream', 100, 9),
        modifier('M2', 'Crumble', 0, 0, 1),
        modifier('V1', 'Large', 150, 13),
        modifier('V2', 'Small', 0, 0),
      ],
    });
  });

  it('loses what a menu has no place for, and says so', () => {
    expect(convert(SQUARE, 'square').losses).toEqual([
      'objects[3].item_data.image_ids: no field for it',
      'objects[5].item_data.variations[0].item_variation_data: left out: it has no fixed price',
      'objects[5]: "Gift card" is left out: nothing in it has a fixed price',
      'objects[6]: DISCOUNT has no place in a menu',
    ]);
  });
});

describe('a HubRise catalogue', () => {
  it('becomes a menu, with prices that contain the tax', () => {
    const { menu, currency, losses } = convert(HUBRISE, 'hubrise', { taxRate: 100_000 });
    expect(currency).toBe('EUR');
    expect(menu.items).toEqual([
      {
        external_id: 'REG',
        name: en('Regina'),
        price: 891,
        tax: 89,
        sell_separately: true,
        modifier_external_ids: ['REG:variants', 'SAUCE'],
      },
      {
        external_id: 'COKE33',
        name: en('Coke'),
        description: en('Cold'),
        price: 227,
        tax: 23,
        sell_separately: true,
        modifier_external_ids: [],
      },
    ]);
    expect(menu.categories?.map(({ external_id: id, item_external_ids: ids }) => [id, ids])).toEqual([
      ['PIZ', ['REG']],
      ['SOFT', ['COKE33']],
    ]);
    expect(
      menu.modifier_groups?.map(({ external_id: id, group_min, group_max }) => [id, group_min, group_max]),
    ).toEqual([
      ['SAUCE', 0, 2],
      ['REG:variants', 1, 1],
    ]);
    expect(menu.modifier_items).toEqual([
      modifier('SAUCE:BBQ', 'Barbecue', 91, 9),
      modifier('SAUCE:NONE', 'None', 0, 0, 1),
      modifier('REG-SM', 'Small', 0, 0),
      modifier('REG-LG', 'Large', 636, 64),
    ]);
    expect(losses).toEqual([
      'data.products[0].skus[1].price_overrides: no field for it',
      'data.products[0].tags: no field for it',
      'data.categories[1]: no longer within the category PIZ: categories have no levels',
      'data.deals[0]: no field for it',
    ]);
  });

  it('says that it has no taxes', () => {
    const { menu, losses } = convert(HUBRISE, 'hubrise');
    expect(menu.items.map(({ price, tax }) => [price, tax])).toEqual([
      [980, 0],
      [250, 0],
    ]);
    expect(losses).toContain('data.products: the file states no taxes: every tax is 0');
  });
});

describe('an Uber Eats menu', () => {
  it('becomes a menu, with options that are items as modifier items that stand for them', () => {
    const { menu } = convert(UBER, 'uber');
    expect(menu.menus).toEqual([
      {
        external_id: 'lunch',
        availability: [{ day_of_week: 'Monday', time_periods: [{ start_time: '11:00', end_time: '15:00' }] }],
        name: { translations: { en: 'Lunch', fr: 'Midi' } },
        category_external_ids: ['burgers'],
      },
    ]);
    expect(menu.items).toEqual([
      {
        external_id: 'burger',
        name: en('Burger'),
        description: en('Beef'),
        price: 1000,
        tax: 100,
        sell_separately: true,
        modifier_external_ids: ['sides'],
      },
      {
        external_id: 'salad',
        name: en('Salad'),
        price: 500,
        tax: 50,
        sell_separately: true,
        in_stock: false,
        dietary_labels: ['VEGAN'],
        modifier_external_ids: [],
      },
    ]);
    expect(menu.modifier_groups?.[0]).toMatchObject({ group_min: 1, group_max: 2, charge_after: 1 });
    expect(menu.modifier_items).toEqual([
      { ...modifier('sides:fries', 'Fries', 300, 0), max_quantity: 3 },
      { ...modifier('sides:salad', 'Salad', 182, 18), menu_item_external_id: 'salad', in_stock: false },
    ]);
  });

  it('loses what a menu has no place for, and says so', () => {
    expect(convert(UBER, 'uber').losses).toEqual([
      'categories[0].entities[2]: an item that the file lacks',
      'items[0].image_url: no field for it',
      'items[0].price_info.overrides[0]: no price of its own for ITEM',
      'modifier_groups[0].quantity_info.quantity.refund_under: no field for it',
      'items[3]: in no category and no modifier group',
    ]);
  });
});

function modifier(external_id: string, name: string, price_change: number, tax_change: number, usual = 0) {
  return {
    external_id,
    name: en(name),
    price_change,
    tax_change,
    min_quantity: 0,
    max_quantity: 1,
    default_quantity: usual,
  };
}
