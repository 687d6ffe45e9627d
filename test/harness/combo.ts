import { item, modifierGroup, modifierItem, text } from './menu.js';

/**
 * A combo of a burger and a side, each a modifier item that stands for an item. The burger has a required group of its
 * own, and one of its extras stands for an item with sauces.
 */
export function comboMenu() {
  const items = [
    item('combo', { price: 1000, tax: 100, modifier_external_ids: ['main', 'side'] }),
    item('burger', { price: 800, tax: 80, modifier_external_ids: ['doneness', 'extras'] }),
    item('fries', { price: 300, tax: 30, modifier_external_ids: ['sauces'] }),
    item('salad', { price: 350, tax: 35 }),
  ];
  return {
    items,
    menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'] }],
    categories: [
      { external_id: 'c', name: text('c'), item_external_ids: items.map(({ external_id }) => external_id) },
    ],
    modifier_groups: [
      group('main', 1, 2, 'main-burger'),
      group('side', 1, 1, 'side-fries'),
      group('doneness', 1, 1, 'rare', 'medium'),
      { ...group('extras', 0, 3, 'bacon', 'more-fries'), charge_after: 1 },
      group('sauces', 0, 0, 'aioli'),
    ],
    modifier_items: [
      modifierItem('main-burger', { ...FREE, max_quantity: 2, menu_item_external_id: 'burger' }),
      modifierItem('side-fries', { ...FREE, menu_item_external_id: 'fries' }),
      modifierItem('rare', FREE),
      modifierItem('medium', FREE),
      modifierItem('bacon', { price_change: 100, tax_change: 10, max_quantity: 3 }),
      modifierItem('more-fries', { price_change: 200, tax_change: 20, menu_item_external_id: 'fries' }),
      modifierItem('aioli', { price_change: 50, tax_change: 5, max_quantity: 5 }),
    ],
  };
}

const FREE = { price_change: 0, tax_change: 0 };

function group(external_id: string, group_min: number, group_max: number, ...offered: string[]) {
  return modifierGroup(external_id, { group_min, group_max, modifier_item_external_ids: offered });
}

/** An entry of a line; with what is selected for each unit of it. */
export function choice(group: string, external_id: string, more: object = {}) {
  return { group_external_id: group, external_id, ...more };
}

/** A combo with fries and a burger, done as asked for. */
export function comboLine(quantity = 1, doneness = [choice('doneness', 'rare')]) {
  return {
    external_id: 'combo',
    quantity,
    modifiers: [choice('main', 'main-burger', { modifiers: doneness }), choice('side', 'side-fries')],
  };
}
