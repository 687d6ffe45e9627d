/** Small menus in the formats of other systems, with what is usual in them and what gets lost. */

const money = (amount: number) => ({ amount, currency: 'USD' });

export const variation = (id: string, name: string, price?: number) => ({
  type: 'ITEM_VARIATION',
  id,
  version: 1,
  item_variation_data: {
    name,
    ordinal: 0,
    ...(price === undefined
      ? { pricing_type: 'VARIABLE_PRICING' }
      : { pricing_type: 'FIXED_PRICING', price_money: money(price) }),
  },
});

export const SQUARE = [
  { type: 'CATEGORY', id: 'C1', version: 1, category_data: { name: 'Gelato' } },
  {
    type: 'TAX',
    id: 'T1',
    tax_data: { name: 'City', percentage: '8.6', inclusion_type: 'ADDITIVE', enabled: true },
  },
  {
    type: 'MODIFIER_LIST',
    id: 'L1',
    modifier_list_data: {
      name: 'Toppings',
      selection_type: 'MULTIPLE',
      modifiers: [
        { type: 'MODIFIER', id: 'M1', modifier_data: { name: 'Cream', price_money: money(100) } },
        { type: 'MODIFIER', id: 'M2', modifier_data: { name: 'Crumble', on_by_default: true } },
      ],
    },
  },
  {
    type: 'ITEM',
    id: 'I1',
    item_data: {
      name: 'Pistachio',
      description: 'From Bronte',
      available_online: true,
      category_id: 'C1',
      tax_ids: ['T1'],
      image_ids: ['P1'],
      modifier_list_info: [{ modifier_list_id: 'L1', min_selected_modifiers: 1, max_selected_modifiers: 2 }],
      variations: [variation('V1', 'Large', 450), variation('V2', 'Small', 300)],
    },
  },
  {
    type: 'ITEM',
    id: 'I2',
    item_data: {
      name: 'Affogato',
      categories: [{ id: 'C1' }],
      tax_ids: ['T1'],
      modifier_list_info: [
        { modifier_list_id: 'L1', min_selected_modifiers: -1, max_selected_modifiers: -1 },
      ],
      variations: [variation('V3', 'Regular', 500)],
    },
  },
  { type: 'ITEM', id: 'I3', item_data: { name: 'Gift card', variations: [variation('V4', 'Any')] } },
  { type: 'DISCOUNT', id: 'D1', discount_data: { name: 'Staff' } },
  {
    type: 'ITEM',
    id: 'I4',
    is_deleted: true,
    item_data: { name: 'Old', variations: [variation('V5', 'Old', 1)] },
  },
];

export const HUBRISE = {
  id: 'x1',
  name: 'Web',
  data: {
    categories: [
      { ref: 'PIZ', name: 'Pizzas' },
      { ref: 'SOFT', name: 'Drinks', parent_ref: 'PIZ' },
    ],
    products: [
      {
        ref: 'REG',
        category_ref: 'PIZ',
        name: 'Regina',
        tags: ['best'],
        skus: [
          { ref: 'REG-SM', name: 'Small', price: '9.80 EUR', option_list_refs: ['SAUCE'] },
          {
            ref: 'REG-LG',
            name: 'Large',
            price: '16.80 EUR',
            price_overrides: [{ service_type: 'delivery', price: '18.00 EUR' }],
            option_list_refs: ['SAUCE'],
          },
        ],
      },
      {
        ref: 'COKE',
        category_ref: 'SOFT',
        name: 'Coke',
        description: 'Cold',
        skus: [{ ref: 'COKE33', name: null, price: '2.50 EUR' }],
      },
    ],
    option_lists: [
      {
        ref: 'SAUCE',
        name: 'Sauce',
        min_selections: 0,
        max_selections: 2,
        options: [
          { ref: 'BBQ', name: 'Barbecue', price: '1.00 EUR' },
          { ref: 'NONE', name: 'None', price: '0.00 EUR', default: true },
        ],
      },
    ],
    deals: [{ ref: 'D', name: 'Two for one', lines: [] }],
    discounts: [],
  },
};

const named = (en: string) => ({ translations: { en } });

/** An item as Uber Eats has it, with what a test adds. */
export const uberItem = (id: string, price: number, more: object = {}) => ({
  id,
  title: named(id),
  price_info: { price, overrides: [] },
  tax_info: { tax_rate: 10 },
  ...more,
});

/** A menu as Uber Eats has it, with everything in one category but what is only in groups. */
export const uberMenu = (
  items: readonly { readonly id: string; readonly [more: string]: unknown }[],
  groups: readonly { readonly id: string; readonly of: readonly string[]; readonly quantity?: object }[] = [],
  more: object = {},
) => ({
  menus: [
    {
      id: 'all',
      title: named('All'),
      service_availability: [
        { day_of_week: 'friday', time_periods: [{ start_time: '10:00', end_time: '22:00' }] },
      ],
      category_ids: ['food'],
    },
  ],
  categories: [
    {
      id: 'food',
      title: named('Food'),
      entities: items
        .filter(({ id }) => !groups.some(({ of }) => of.includes(id)))
        .map(({ id }) => ({ id, type: 'ITEM' })),
    },
  ],
  items,
  modifier_groups: groups.map(({ id, of, quantity = { max_permitted: 1 } }) => ({
    id,
    title: named(id),
    quantity_info: { quantity, overrides: [] },
    modifier_options: of.map((option) => ({ id: option, type: 'ITEM' })),
  })),
  ...more,
});

export const UBER = {
  menus: [
    {
      id: 'lunch',
      title: { translations: { en: 'Lunch', fr: 'Midi' } },
      service_availability: [
        { day_of_week: 'monday', time_periods: [{ start_time: '11:00', end_time: '15:00' }] },
      ],
      category_ids: ['burgers'],
    },
  ],
  categories: [
    {
      id: 'burgers',
      title: named('Burgers'),
      entities: [
        { id: 'burger', type: 'ITEM' },
        { id: 'salad', type: 'ITEM' },
        { id: 'ghost', type: 'ITEM' },
      ],
    },
  ],
  items: [
    {
      id: 'burger',
      title: named('Burger'),
      description: named('Beef'),
      image_url: 'https://images.example/burger.jpg',
      price_info: { price: 1000, overrides: [{ context_type: 'ITEM', context_value: 'combo', price: 900 }] },
      quantity_info: {},
      modifier_group_ids: { ids: ['sides'], overrides: [] },
      tax_info: { tax_rate: 10 },
    },
    {
      id: 'fries',
      title: named('Fries'),
      price_info: { price: 300, overrides: [] },
      quantity_info: { quantity: { max_permitted: 3 } },
    },
    {
      id: 'salad',
      title: named('Salad'),
      price_info: {
        price: 550,
        overrides: [{ context_type: 'MODIFIER_GROUP', context_value: 'sides', price: 200 }],
      },
      suspension_info: { suspension: { suspend_until: 4102444800, reason: 'out' } },
      tax_info: { vat_rate_percentage: 10 },
      dish_info: { classifications: { dietary_label_info: { labels: ['VEGAN'] } } },
    },
    { id: 'unused', title: named('Unused'), price_info: { price: 1 } },
  ],
  modifier_groups: [
    {
      id: 'sides',
      title: named('Sides'),
      quantity_info: { quantity: { min_permitted: 1, max_permitted: 2, charge_above: 1, refund_under: 1 } },
      modifier_options: [
        { id: 'fries', type: 'ITEM' },
        { id: 'salad', type: 'ITEM' },
      ],
    },
  ],
  display_options: { disable_item_instructions: true },
};
