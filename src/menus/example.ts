import type { MenuConfiguration } from './shapes.js';

const text = (en: string) => ({ translations: { en } });

/** A small configuration for the API documents, with every kind of reference. */
export const menuExample: MenuConfiguration = {
  items: [
    {
      external_id: 'flat-white',
      name: text('Flat white'),
      price: 350,
      tax: 35,
      sell_separately: true,
      modifier_external_ids: ['milk'],
    },
  ],
  menus: [
    {
      external_id: 'all-day',
      name: text('All day'),
      availability: [],
      category_external_ids: ['coffee'],
    },
    {
      external_id: 'monday-morning',
      name: text('Monday morning'),
      availability: [{ day_of_week: 'Monday', time_periods: [{ start_time: '08:00', end_time: '11:30' }] }],
      category_external_ids: ['coffee'],
    },
  ],
  categories: [{ external_id: 'coffee', name: text('Coffee'), item_external_ids: ['flat-white'] }],
  modifier_groups: [
    {
      external_id: 'milk',
      type: 'single',
      name: text('Milk'),
      group_max: 1,
      group_min: 0,
      charge_after: 0,
      modifier_item_external_ids: ['oat'],
    },
  ],
  modifier_items: [
    {
      external_id: 'oat',
      name: text('Oat milk'),
      price_change: 40,
      tax_change: 4,
      min_quantity: 0,
      max_quantity: 1,
      default_quantity: 0,
    },
  ],
};
