import { createRandom, type Random } from './random.js';

/** Made-up menus, shaped like a real one: names in three languages, groups of modifiers shared by many items. */
export interface MenuPlan {
  readonly items: number;
  readonly modifierItems: number;
  readonly modifierGroups: number;
  readonly categories: number;
  /** Groups attached to each item; each group lists `modifiersPerGroup` modifier items. */
  readonly groupsPerItem: number;
  readonly modifiersPerGroup: number;
}

/** 250 items are 0.26 MB posted and 1.5 MB as a tree; 1,000 items with 3,000 modifiers 1.4 MB and 8.4 MB. */
export const MENUS = {
  50: plan(50, 100, 20, 8, 3, 5),
  250: plan(250, 450, 90, 20, 4, 5),
  1000: plan(1_000, 3_000, 500, 60, 4, 7),
  10000: plan(10_000, 10_000, 2_000, 400, 4, 5),
} as const satisfies Record<number, MenuPlan>;

function plan(
  items: number,
  modifierItems: number,
  modifierGroups: number,
  categories: number,
  groupsPerItem: number,
  modifiersPerGroup: number,
): MenuPlan {
  return { items, modifierItems, modifierGroups, categories, groupsPerItem, modifiersPerGroup };
}

const NOUNS = ['Pierogi', 'Ramen', 'Curry', 'Risotto', 'Burger', 'Salad', 'Taco', 'Soup', 'Toast', 'Noodles'];
const MANNERS = ['smoked', 'crispy', 'roasted', 'spicy', 'sweet', 'pickled', 'grilled', 'creamy', 'fresh'];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const LABELS = ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'];

/** The JSON of a menu. Two editions of the same plan differ in one price, so each is worth a version of its own. */
export function menuJson(menuPlan: MenuPlan, edition = 0): string {
  const random = createRandom(menuPlan.items);
  const ids = (kind: string, count: number) => Array.from({ length: count }, (_, at) => `${kind}-${at}`);
  const items = ids('item', menuPlan.items);
  const groups = ids('group', menuPlan.modifierGroups);
  const modifiers = ids('modifier', menuPlan.modifierItems);
  const perCategory = Math.ceil(items.length / menuPlan.categories);
  const categories = ids('category', menuPlan.categories);
  return JSON.stringify({
    menus: [{ external_id: 'menu-0', name: text('Menu', random), availability: hours(), category_external_ids: categories }],
    categories: categories.map((external_id, at) => ({
      external_id,
      name: text('Category', random),
      description: text('What we like to cook and you to eat', random),
      item_external_ids: items.slice(at * perCategory, (at + 1) * perCategory),
    })),
    items: items.map((external_id, at) => ({
      external_id,
      name: text(dish(random), random),
      description: text(`${dish(random)} with bread`, random),
      price: at === 0 ? 1_000 + edition : 500 + random.below(3_000),
      tax: random.below(300),
      sell_separately: true,
      ingredients: `${dish(random)}, salt`,
      ...(random.below(3) === 0 ? { dietary_labels: [random.pick(LABELS)] } : {}),
      prep_time: 5 + random.below(25),
      modifier_external_ids: some(groups, menuPlan.groupsPerItem, random),
    })),
    modifier_groups: groups.map((external_id, at) => ({
      external_id,
      type: 'CHOICE',
      name: text('Choose', random),
      group_min: 0,
      group_max: 3,
      charge_after: 0,
      modifier_item_external_ids: window(modifiers, at * menuPlan.modifiersPerGroup, menuPlan.modifiersPerGroup),
    })),
    modifier_items: modifiers.map((external_id) => ({
      external_id,
      name: text(random.pick(NOUNS), random),
      price_change: random.below(200),
      tax_change: random.below(20),
      min_quantity: 0,
      max_quantity: 2,
      default_quantity: 0,
    })),
  });
}

function dish(random: Random): string {
  return `${random.pick(MANNERS)} ${random.pick(NOUNS)} ${random.below(1_000)}`;
}

function text(english: string, random: Random): { translations: Record<string, string> } {
  const number = random.below(10_000);
  return { translations: { en: `${english} ${number}`, pl: `${english} nr ${number}`, ja: `${english} ${number}番` } };
}

function hours(): object[] {
  return DAYS.map((day_of_week) => ({ day_of_week, time_periods: [{ start_time: '10:00', end_time: '22:00' }] }));
}

function some(list: readonly string[], count: number, random: Random): string[] {
  return window(list, random.below(list.length), count);
}

function window(list: readonly string[], from: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => list[(from + at) % list.length] ?? '');
}
