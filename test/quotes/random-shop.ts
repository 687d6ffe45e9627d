import type { MenuConfiguration } from '../../src/menus/shapes.js';
import type { createRandom } from '../../src/demo/orders.js';
import type { Entry, Line, Order, Shop } from './model.js';

type Random = ReturnType<typeof createRandom>;

const HUGE = Number.MAX_SAFE_INTEGER;
const ALWAYS = [] as const;
const AT_NOON = [{ day_of_week: 'Monday', time_periods: [{ start_time: '12:00', end_time: '14:00' }] }];
const NEVER = [{ day_of_week: 'Friday', time_periods: [] }];

/** A shop of a few entities, so that an order of known and unknown ids meets every rule often. */
export function randomShop(random: Random): Shop {
  const some = (prefix: string, most: number) =>
    Array.from({ length: 1 + random.below(most) }, (_, i) => `${prefix}${i}`);
  const menuIds = some('menu', 3);
  const categoryIds = some('cat', 3);
  const itemIds = some('item', 4);
  const groupIds = some('group', 3);
  const modifierIds = some('mod', random.chance(0.05) ? 40 : 5);
  const picked = (ids: readonly string[], chance: number) =>
    ids.flatMap((id) => (random.chance(chance) ? (random.chance(0.1) ? [id, id] : [id]) : []));
  const amount = () => (random.chance(0.01) ? HUGE - random.below(3) : random.below(1000));
  const change = () => (random.chance(0.01) ? HUGE * (random.chance(0.5) ? 1 : -1) : random.below(120) - 20);
  const text = (id: string) => ({ translations: { en: `The ${id}`, ja: `${id}の品 "😀"` } });

  const menu: MenuConfiguration = {
    menus: menuIds.map((external_id) => ({
      external_id,
      availability: [...random.pick([ALWAYS, ALWAYS, ALWAYS, AT_NOON, NEVER])],
      category_external_ids: picked(categoryIds, 0.6),
    })),
    categories: categoryIds.map((external_id) => ({
      external_id,
      name: text(external_id),
      item_external_ids: picked(itemIds, 0.6),
    })),
    items: itemIds.map((external_id) => ({
      external_id,
      name: text(external_id),
      price: amount(),
      tax: amount(),
      sell_separately: random.chance(0.95),
      ...(random.chance(0.1) ? { in_stock: random.chance(0.5) } : {}),
      modifier_external_ids: picked(groupIds, 0.5),
    })),
    modifier_groups: groupIds.map((external_id) => {
      const group_min = random.chance(0.7) ? 0 : random.below(3);
      return {
        external_id,
        type: 't',
        name: text(external_id),
        group_min,
        group_max: random.chance(0.5) ? 0 : group_min + 1 + random.below(4),
        charge_after: random.below(4),
        modifier_item_external_ids: picked(modifierIds, 0.6),
      };
    }),
    modifier_items: modifierIds.map((external_id) => {
      const min_quantity = random.chance(0.8) ? 0 : random.below(3);
      const max_quantity = min_quantity + random.below(5);
      return {
        external_id,
        name: text(external_id),
        price_change: change(),
        tax_change: change(),
        min_quantity,
        max_quantity,
        default_quantity: random.below(max_quantity + 1),
        ...(random.chance(0.3) ? { menu_item_external_id: random.pick(itemIds) } : {}),
        ...(random.chance(0.1) ? { in_stock: random.chance(0.5) } : {}),
      };
    }),
  };
  return {
    menu,
    soldOutItems: soldOut(menu.items, random),
    soldOutModifiers: soldOut(menu.modifier_items ?? [], random),
    // A Monday: 09:00 to 13:40 in Madrid.
    at: new Date(Date.UTC(2026, 10, 16, 8, random.below(280))),
    timezone: 'Europe/Madrid',
  };
}

/** What is marked outweighs what is stated. */
function soldOut(
  entities: readonly { external_id: string; in_stock?: boolean }[],
  random: Random,
): Set<string> {
  return new Set(
    entities.flatMap(({ external_id, in_stock = true }) =>
      random.chance(0.05) || (!in_stock && random.chance(0.8)) ? [external_id] : [],
    ),
  );
}

/** Mostly what the shop sells, now and then something else. */
export function randomOrder({ menu }: Shop, random: Random): Order {
  const idFrom = (ids: readonly string[], prefix: string) =>
    ids.length === 0 || random.chance(0.03) ? `${prefix}${random.below(7)}` : random.pick(ids);
  const units = () => (random.chance(0.02) ? 1 + random.below(40) : 1 + random.below(2));
  const stated = (field: string, amount: number) =>
    random.chance(0.1) ? { [field]: random.chance(0.1) ? random.below(1000) : amount } : {};

  const toEntry = (groups: readonly string[], level: number): Entry => {
    const group_external_id = idFrom(groups, 'group');
    const group = menu.modifier_groups?.find(({ external_id }) => external_id === group_external_id);
    const external_id = idFrom(group?.modifier_item_external_ids ?? [], 'mod');
    const modifier = menu.modifier_items?.find((one) => one.external_id === external_id);
    const behind = menu.items.find((one) => one.external_id === modifier?.menu_item_external_id);
    const nested =
      level < 6 && (behind !== undefined || random.chance(0.02)) ? random.below(level < 3 ? 3 : 2) : 0;
    return {
      group_external_id,
      external_id,
      ...(random.chance(0.7) ? { quantity: units() } : {}),
      ...stated('price_change', modifier?.price_change ?? 0),
      ...stated('tax_change', modifier?.tax_change ?? 0),
      ...(nested === 0
        ? {}
        : {
            modifiers: Array.from({ length: nested }, () =>
              toEntry(behind?.modifier_external_ids ?? [], level + 1),
            ),
          }),
    };
  };
  const toLine = (): Line => {
    const external_id = idFrom(
      menu.items.map((item) => item.external_id),
      'item',
    );
    const item = menu.items.find((one) => one.external_id === external_id);
    const groups = item?.modifier_external_ids ?? [];
    const entries = groups.length === 0 && random.chance(0.95) ? 0 : random.below(5);
    return {
      external_id,
      quantity: random.chance(0.02) ? 10_000 : 1 + random.below(4),
      ...stated('price', item?.price ?? 0),
      ...stated('tax', item?.tax ?? 0),
      ...(entries === 0 && random.chance(0.5)
        ? {}
        : { modifiers: Array.from({ length: entries }, () => toEntry(groups, 1)) }),
    };
  };
  return {
    items: Array.from({ length: random.below(4) }, toLine),
    ...stated('price', 0),
    ...stated('tax', 0),
  };
}
