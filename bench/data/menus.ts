/** Items, modifiers, groups of modifiers, categories, groups per item, and modifiers per group. */
type MenuPlan = readonly [number, number, number, number, number, number];

/** 250 items are 0.26 MB posted and 1.5 MB as a tree; 1,000 items with 3,000 modifiers 1.4 MB and 8.4 MB. */
export const MENUS = {
  50: [50, 100, 20, 8, 3, 5],
  250: [250, 450, 90, 20, 4, 5],
  1000: [1_000, 3_000, 500, 60, 4, 7],
  10000: [10_000, 10_000, 2_000, 400, 4, 5],
} as const satisfies Record<number, MenuPlan>;

const NOUNS = ['Pierogi', 'Ramen', 'Curry', 'Risotto', 'Burger', 'Salad', 'Taco', 'Soup', 'Toast', 'Noodles'];
const MANNERS = ['smoked', 'crispy', 'roasted', 'spicy', 'sweet', 'pickled', 'grilled', 'creamy', 'fresh'];
const LABELS = ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const OPEN = [{ start_time: '10:00', end_time: '22:00' }];

/**
 * The JSON of a made-up menu, shaped like a real one: names in three languages, groups of modifiers shared by many
 * items. Two editions of the same plan differ in one price, so each is a version of its own.
 */
export function menuJson(plan: MenuPlan, edition = 0): string {
  const [itemCount, modifierCount, groupCount, categoryCount, groupsPerItem, modifiersPerGroup] = plan;
  const random = createRandom(itemCount);
  const [items, modifiers] = [ids('item', itemCount), ids('modifier', modifierCount)];
  const [groups, categories] = [ids('group', groupCount), ids('category', categoryCount)];
  const perCategory = Math.ceil(itemCount / categoryCount);
  const dish = () => `${random.pick(MANNERS)} ${random.pick(NOUNS)} ${random.below(1_000)}`;
  const text = (english: string) => {
    const number = random.below(10_000);
    const [en, pl, ja] = [`${english} ${number}`, `${english} nr ${number}`, `${english} ${number}番`];
    return { translations: { en, pl, ja } };
  };
  const availability = DAYS.map((day_of_week) => ({ day_of_week, time_periods: OPEN }));
  return JSON.stringify({
    menus: [{ external_id: 'menu-0', name: text('Menu'), availability, category_external_ids: categories }],
    categories: categories.map((external_id, i) => ({
      external_id,
      name: text('Category'),
      description: text('What we like to cook and you to eat'),
      item_external_ids: items.slice(i * perCategory, (i + 1) * perCategory),
    })),
    items: items.map((external_id, i) => ({
      external_id,
      name: text(dish()),
      description: text(`${dish()} with bread`),
      price: i === 0 ? 1_000 + edition : 500 + random.below(3_000),
      tax: random.below(300),
      sell_separately: true,
      ingredients: `${dish()}, salt`,
      ...(random.below(3) === 0 ? { dietary_labels: [random.pick(LABELS)] } : {}),
      prep_time: 5 + random.below(25),
      modifier_external_ids: window(groups, random.below(groupCount), groupsPerItem),
    })),
    modifier_groups: groups.map((external_id, i) => ({
      external_id,
      type: 'CHOICE',
      name: text('Choose'),
      group_min: 0,
      group_max: 3,
      charge_after: 0,
      modifier_item_external_ids: window(modifiers, i * modifiersPerGroup, modifiersPerGroup),
    })),
    modifier_items: modifiers.map((external_id) => ({
      external_id,
      name: text(random.pick(NOUNS)),
      price_change: random.below(200),
      tax_change: random.below(20),
      min_quantity: 0,
      max_quantity: 2,
      default_quantity: 0,
    })),
  });
}

function ids(kind: string, length: number): string[] {
  return Array.from({ length }, (_, i) => `${kind}-${i}`);
}

function window(list: readonly string[], from: number, length: number): string[] {
  return Array.from({ length }, (_, i) => list[(from + i) % list.length] ?? '');
}

/** xorshift32: the same seed gives the same data on every machine. */
export function createRandom(seed: number) {
  let state = seed === 0 ? 1 : seed >>> 0;
  /** A whole number from 0 up to, but not including, the bound. */
  const below = (bound: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
  return { below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T };
}
