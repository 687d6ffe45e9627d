import { describe, expect, it } from 'vitest';
import { compileConfigurationCheck } from '../../../src/menus/publish/check-configuration.js';
import { convertMenu, recogniseSource, type MenuSource } from '../../../src/menu-files/convert/convert.js';
import type { ConvertOptions } from '../../../src/menu-files/convert/conversion.js';
import { HUBRISE, SQUARE, UBER, uberItem, uberMenu, variation } from './foreign-menus.js';

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
      categories: [{ external_id: 'C1', name: en('Gelato'), item_external_ids: ['I1', 'V3'] }],
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
          external_id: 'V3',
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
      'objects[3].item_data.image_ids: a photo, to be uploaded by itself: P1',
      'objects[5].item_data.variations[0].item_variation_data: left out: it has no fixed price',
      'objects[5]: "Gift card" is left out: nothing in it has a fixed price',
      'objects[6]: DISCOUNT has no place in a menu',
    ]);
  });

  const sold = (more: object, options: Partial<ConvertOptions> = {}) => {
    const catalogue = [
      { type: 'CATEGORY', id: 'C1', category_data: { name: 'Gelato' } },
      { type: 'ITEM', id: 'I1', item_data: { name: 'Cone', category_id: 'C1', ...more } },
    ];
    const { menu, losses } = convert(catalogue, 'square', options);
    return { items: menu.items.map(({ external_id: id, name, price }) => [id, name, price]), losses };
  };
  const at = '.item_data.variations[1]';

  it.each([
    ['deleted', { is_deleted: true }, {}, `objects[1]${at}: left out: it is deleted`],
    ['not sellable', {}, { sellable: false }, `objects[1]${at}: left out: it is not sold`],
    [
      'absent somewhere',
      { present_at_all_locations: true, absent_at_location_ids: ['L2'] },
      {},
      `objects[1]${at}: left out: not sold at every location; say which with --location`,
    ],
    [
      'present nowhere',
      { present_at_all_locations: false },
      {},
      `objects[1]${at}: left out: not sold at every location; say which with --location`,
    ],
  ])('does not sell a variation that is %s, and names it', (_why, around, inside, line) => {
    const other = { ...variation('V2', 'Large', 450), ...around };
    other.item_variation_data = { ...other.item_variation_data, ...inside };
    expect(sold({ variations: [variation('V1', 'Small', 300), other] })).toEqual({
      items: [['V1', en('Cone (Small)'), 300]],
      losses: [line],
    });
  });

  it('sells at a location what is sold there', () => {
    const here = { present_at_all_locations: false, present_at_location_ids: ['L1'] };
    const variations = [variation('V1', 'Regular', 300), { ...variation('V2', 'Large', 450), ...here }];
    expect(sold({ variations }, { location: 'L2' })).toEqual({
      items: [['V1', en('Cone'), 300]],
      losses: [`objects[1]${at}: left out: not sold at the location L2`],
    });
    expect(sold({ variations }, { location: 'L1' })).toEqual({
      items: [['I1', en('Cone'), 300]],
      losses: [],
    });
    const archived = sold({ variations, is_archived: true });
    expect(archived).toEqual({ items: [], losses: ['objects[1]: "Cone" is left out: it is archived'] });
  });

  it('refuses prices in several currencies', () => {
    const yen = variation('V2', 'Large', 450);
    const variations = [
      variation('V1', 'Small', 300),
      {
        ...yen,
        item_variation_data: { ...yen.item_variation_data, price_money: { amount: 450, currency: 'JPY' } },
      },
    ];
    expect(() => sold({ variations })).toThrow('Prices are in several currencies: USD, JPY.');
  });

  it('reads camelCase and amounts as text, as the libraries of Square write them', () => {
    const camel = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(camel);
      if (typeof value !== 'object' || value === null) return value;
      const rename = (key: string) => key.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [rename(key), key === 'amount' ? String(one) : camel(one)]),
      );
    };
    expect(recogniseSource(camel(SQUARE))).toBe('square');
    const [plain, renamed] = [convert(SQUARE, 'square'), convert(camel(SQUARE), 'square')];
    expect(renamed.menu).toEqual(plain.menu);
    expect(renamed.losses).toContain('objects[3].itemData.imageIds: a photo, to be uploaded by itself: P1');
  });

  it('says where photos are', () => {
    const image = { type: 'IMAGE', id: 'P1', image_data: { url: 'https://images.example/p1.jpg' } };
    const { losses } = convert([...SQUARE, image], 'square');
    expect(losses[0]).toBe(
      'objects[3].item_data.image_ids: a photo, to be uploaded by itself: https://images.example/p1.jpg',
    );
  });

  it('finds what nobody has thought of', () => {
    const odd = { ...variation('V1', 'Regular', 300), measurement_unit: { id: 'kg' } };
    expect(sold({ variations: [odd], food_and_beverage_details: { calorie_count: 250 } }).losses).toEqual([
      'objects[1].item_data.variations[0].measurement_unit: no field for it',
      'objects[1].item_data.food_and_beverage_details: no field for it',
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
      'data.categories[1]: no longer within the category PIZ: categories have no levels',
      'data.products[0].tags: no field for it',
      'data.products[0].skus[1].price_overrides: no field for it',
      'data.deals: no field for it',
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
      'items[0].price_info.overrides[0]: no price of its own for ITEM',
      'items[2].suspension_info.suspension.suspend_until: no end: it is sold out until you mark it in stock',
      'items[3]: left out: in no category and no modifier group',
      'items: 1 of 3 items state no tax: theirs is 0',
      'items[0].image_url: no field for it',
      'items[2].suspension_info.suspension.reason: no field for it',
      'modifier_groups[0].quantity_info.quantity.refund_under: no field for it',
      'display_options: no field for it',
    ]);
  });

  it('keeps ingredients, allergens, labels and alcohol of an item; an option has no field for them', () => {
    const facts = {
      dish_info: {
        classifications: {
          ingredients: ['rum', 'lime'],
          dietary_label_info: { labels: ['VEGAN', 'HALAL'] },
          additives: ['E150d'],
        },
      },
      nutritional_info: { allergens: ['sulphites'], calories: { lower_range: 160 } },
      beverage_info: { alcohol_by_volume: 1275, caffeine_amount: 0 },
    };
    const { menu, losses } = convert(
      uberMenu(
        [
          uberItem('mojito', 900, { ...facts, modifier_group_ids: { ids: ['shot'] } }),
          uberItem('rum', 200, facts),
        ],
        [{ id: 'shot', of: ['rum'] }],
      ),
      'uber',
    );
    expect(menu.items).toEqual([
      {
        external_id: 'mojito',
        name: en('mojito'),
        price: 900,
        tax: 90,
        sell_separately: true,
        ingredients: 'rum, lime',
        allergens: 'sulphites',
        dietary_labels: ['VEGAN'],
        alcohol_by_volume: 12.75,
        modifier_external_ids: ['shot'],
      },
    ]);
    expect(losses).toEqual([
      'items[0].dish_info.classifications.dietary_label_info.labels: no label HALAL',
      'items[0].dish_info.classifications.additives: no field for it',
      'items[0].nutritional_info.calories: no field for it',
      'items[0].beverage_info.caffeine_amount: no field for it',
      'items[1].dish_info.classifications.ingredients: no field for it',
      'items[1].dish_info.classifications.dietary_label_info: no field for it',
      'items[1].dish_info.classifications.additives: no field for it',
      'items[1].nutritional_info.allergens: no field for it',
      'items[1].nutritional_info.calories: no field for it',
      'items[1].beverage_info.alcohol_by_volume: no field for it',
      'items[1].beverage_info.caffeine_amount: no field for it',
    ]);
  });

  it('says once what is lost of an option that is in two groups', () => {
    const dip = uberItem('dip', 50, {
      image_url: 'https://images.example/dip.jpg',
      quantity_info: {
        quantity: { max_permitted: 3, charge_above: 0, refund_under: 0 },
        overrides: [
          {
            context_type: 'MODIFIER_GROUP',
            context_value: 'first',
            quantity: { min_permitted: 1, max_permitted: 4, charge_above: 2 },
          },
          {
            context_type: 'MODIFIER_GROUP',
            context_value: 'second',
            quantity: { min_permitted: 2, max_permitted: 2, is_min_permitted_optional: true },
          },
          { context_type: 'ITEM', context_value: 'wings', quantity: { max_permitted: 9 } },
        ],
      },
    });
    const wings = uberItem('wings', 800, { modifier_group_ids: { ids: ['first', 'second'] } });
    const { menu, losses } = convert(
      uberMenu(
        [wings, dip],
        [
          { id: 'first', of: ['dip'] },
          { id: 'second', of: ['dip'] },
        ],
      ),
      'uber',
    );
    expect(menu.modifier_items).toEqual([
      { ...modifier('first:dip', 'dip', 50, 5), min_quantity: 1, max_quantity: 4 },
      { ...modifier('second:dip', 'dip', 50, 5), min_quantity: 2, max_quantity: 2 },
    ]);
    expect(losses).toEqual([
      'items[1].quantity_info.overrides[2]: no quantity of its own for ITEM',
      'items[1].quantity_info.overrides[0].quantity.min_permitted: no longer required: the minimum counts only if it is chosen',
      'items[1].image_url: no field for it',
      'items[1].quantity_info.overrides[0].quantity.charge_above: no field for it',
    ]);
  });

  it('leaves out what nothing refers to, what refers to nothing, and what is there already', () => {
    const menu = uberMenu(
      [
        uberItem('tea', 200, { modifier_group_ids: { ids: ['milk', 'sugar'] } }),
        uberItem('oat', 50),
        uberItem('tea', 300),
        { ...uberItem('nameless', 100), id: '' },
        {
          id: 'free',
          title: { translations: { en_us: 'Water', default: 'Wasser' } },
          tax_info: { tax_rate: 0 },
        },
      ],
      [{ id: 'milk', of: ['oat', 'oat', 'soy'] }],
    );
    const unused = uberItem('old', 100, { modifier_group_ids: { ids: ['milk'] } });
    const { menu: made, losses } = convert(
      {
        ...menu,
        items: [...menu.items, unused],
        menus: [{ ...menu.menus[0], category_ids: ['food', 'drinks'], service_availability: [] }],
      },
      'uber',
      { language: 'de' },
    );
    expect(made.items.map(({ external_id: id, price, name }) => [id, price, name])).toEqual([
      ['tea', 200, en('tea')],
      ['free', 0, { translations: { 'en-US': 'Water', de: 'Wasser' } }],
    ]);
    expect(made.modifier_items?.map(({ external_id: id }) => id)).toEqual(['milk:oat']);
    expect(losses).toEqual([
      'items[2]: left out: tea is there already',
      'items[3]: left out: it has no id',
      'menus[0].service_availability: no hours: the menu is always open',
      'menus[0].category_ids[1]: a category that the file lacks',
      'categories[0].entities[1]: listed twice',
      'categories[0].entities[2]: an item that the file lacks',
      'items[0].modifier_group_ids.ids[1]: a modifier group that the file lacks',
      'items[4].price_info.price: no price: it is 0',
      'modifier_groups[0].modifier_options[1]: listed twice',
      'modifier_groups[0].modifier_options[2]: an item that the file lacks',
      'items[5]: left out: in no category and no modifier group',
    ]);
  });

  it.each([
    [{ min_permitted_unique: 1, max_permitted: 5 }, 5, [1, 5], []],
    [{ min_permitted_unique: 2, max_permitted_unique: 3 }, 1, [2, 3], []],
    [{ max_permitted_unique: 2, max_permitted: 1 }, 5, [0, 1], []],
    [
      { min_permitted_unique: 2, max_permitted_unique: 2, max_permitted: 6 },
      5,
      [2, 6],
      ['min_permitted_unique', 'max_permitted_unique'],
    ],
  ])('keeps of %j what can be kept where an option can be had %i times', (quantity, most, limits, lost) => {
    const choices = ['a', 'b', 'c'].map((id) =>
      uberItem(id, 0, { quantity_info: { quantity: { max_permitted: most } } }),
    );
    const dish = uberItem('dish', 100, { modifier_group_ids: { ids: ['mix'] } });
    const { menu, losses } = convert(
      uberMenu([dish, ...choices], [{ id: 'mix', of: ['a', 'b', 'c'], quantity }]),
      'uber',
    );
    expect(menu.modifier_groups?.map(({ group_min, group_max }) => [group_min, group_max])).toEqual([limits]);
    expect(losses).toEqual(
      lost.map((key) => `modifier_groups[0].quantity_info.quantity.${key}: no field for it`),
    );
  });

  it('leaves out empty descriptions and a suspension that has ended', () => {
    const soup = uberItem('soup', 400, {
      description: { translations: { en: '' } },
      suspension_info: { suspension: { suspend_until: 1262304000, reason: 'out' }, overrides: [] },
    });
    const { menu, losses } = convert(uberMenu([soup]), 'uber');
    expect(menu.items).toEqual([
      {
        external_id: 'soup',
        name: en('soup'),
        price: 400,
        tax: 40,
        sell_separately: true,
        modifier_external_ids: [],
      },
    ]);
    expect(losses).toEqual([]);
  });

  it.each([
    [undefined, 120_000, 12_000],
    ['EUR', 120_000, 12_000],
    ['JPY', 1200, 120],
    ['KWD', 1_200_000, 120_000],
  ])('reads prices as hundredths of %s', (currency, price, tax) => {
    const { menu } = convert(uberMenu([uberItem('ramen', 120_000)]), 'uber', { currency });
    expect(menu.items).toMatchObject([{ price, tax }]);
  });

  it('says that a file states no taxes', () => {
    const menu = uberMenu([uberItem('soup', 440, { tax_info: { tax_rate: null } })]);
    expect(convert(menu, 'uber').losses).toEqual(['items: the file states no taxes: every tax is 0']);
    const taxed = convert(menu, 'uber', { taxRate: 100_000 });
    expect([taxed.losses, taxed.menu.items[0]?.tax]).toEqual([[], 40]);
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
