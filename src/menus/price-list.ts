import { weekHours, type WeekHours } from '../calendar/hours.js';
import { offsetsByKind, positionsByKind } from './kinds.js';
import type { MenuConfiguration } from './shapes.js';
import { findSoldOutItem } from './stock/combos.js';

/** A published menu as orders are priced by it. The same object is the same entity, wherever it is referenced. */
export interface PricedMenu {
  readonly items: ReadonlyMap<string, PricedItem>;
  readonly groups: ReadonlyMap<string, PricedGroup>;
  readonly modifiers: ReadonlyMap<string, PricedModifier>;
  readonly hours: readonly WeekHours[];
}

/** With its stock as it is now: by id, whether an entity is marked as in stock. */
export interface PriceList extends PricedMenu {
  readonly marks: ReadonlyMap<number, boolean>;
  /** How many are left of what is counted, by id. */
  readonly counts: ReadonlyMap<number, number>;
}

/** What can be marked sold out. */
interface Stocked {
  /** The id under which it is marked. */
  readonly id: number;
  /** Whether the menu says so. */
  readonly inStock: boolean;
}

export interface PricedItem extends Stocked {
  /** JSON text. */
  readonly name: string;
  readonly price: number;
  readonly tax: number;
  readonly isSoldSeparately: boolean;
  /** Minutes. */
  readonly prepTime: number;
  /** The menus that show it, by their position. An item on no menu can be ordered at any time. */
  readonly menus: readonly number[];
  readonly groups: readonly PricedGroup[];
  readonly allergens?: string | undefined;
  /** The first category that lists it. */
  readonly category?: PricedCategory | undefined;
}

interface PricedCategory {
  readonly externalId: string;
  /** JSON text. */
  readonly name: string;
}

export interface PricedGroup {
  readonly externalId: string;
  readonly min: number;
  /** 0 is no limit. */
  readonly max: number;
  /** How many of the units selected are free. */
  readonly chargeAfter: number;
  readonly modifiers: readonly PricedModifier[];
}

export interface PricedModifier extends Stocked {
  readonly externalId: string;
  /** JSON text. */
  readonly name: string;
  readonly priceChange: number;
  readonly taxChange: number;
  readonly min: number;
  readonly max: number;
  /** The external_id of the item that it stands for. */
  readonly menuItem?: string | undefined;
}

/** Alone, whatever it stands for: a mark outweighs what the menu says, and of what is counted there must be some left. */
export function isInStock({ marks, counts }: PriceList, { id, inStock }: Stocked): boolean {
  return counts.get(id) !== 0 && (marks.get(id) ?? inStock);
}

export function itemBehind({ items }: PriceList, { menuItem }: PricedModifier): PricedItem | undefined {
  return menuItem === undefined ? undefined : items.get(menuItem);
}

/** Where the item is sold out that the modifier item stands for, so is the modifier item. */
export function soldOutBehind(list: PriceList, { menuItem }: PricedModifier): string | undefined {
  return findSoldOutItem(menuItem, (externalId) => {
    const item = list.items.get(externalId);
    return item === undefined || isInStock(list, item);
  });
}

/**
 * A priced menu as rows of JSON, which one thread writes and another loads piece by piece. A row refers to rows before
 * it, by their position among those of their kind.
 */
export type PriceRow =
  | readonly ['hours', WeekHours]
  | readonly ['menus', readonly number[]]
  | readonly ['modifier', PricedModifier]
  | readonly ['group', Omit<PricedGroup, 'modifiers'>, readonly number[]]
  | readonly ['category', PricedCategory]
  | readonly [
      'item',
      string,
      Omit<PricedItem, 'menus' | 'groups' | 'category'>,
      readonly number[],
      number,
      number | null,
    ];

/** `ids` has one id per entity, in the order of the lists and of the kinds. */
export function* priceRows(configuration: MenuConfiguration, ids: readonly number[]): Generator<PriceRow> {
  const { items, menus = [], modifier_groups: groups = [], modifier_items: modifiers = [] } = configuration;
  const positions = positionsByKind(configuration);
  const offsets = offsetsByKind(configuration);
  for (const { availability } of menus) {
    yield ['hours', weekHours(availability)];
  }
  for (const [i, modifier] of modifiers.entries())
    yield [
      'modifier',
      {
        id: ids[offsets.modifier_item + i] ?? 0,
        externalId: modifier.external_id,
        name: JSON.stringify(modifier.name),
        priceChange: modifier.price_change,
        taxChange: modifier.tax_change,
        min: modifier.min_quantity,
        max: modifier.max_quantity,
        inStock: modifier.in_stock ?? true,
        menuItem: modifier.menu_item_external_id,
      },
    ];
  for (const group of groups) {
    const { external_id: externalId, group_min: min, group_max: max, charge_after: chargeAfter } = group;
    const offered = positionsOf(group.modifier_item_external_ids, positions.modifier_item);
    yield ['group', { externalId, min, max, chargeAfter }, offered];
  }
  const { categories = [] } = configuration;
  for (const { external_id: externalId, name } of categories)
    yield ['category', { externalId, name: JSON.stringify(name) }];
  const listedIn = categoriesOfItems(configuration);
  const shownOn = menusOfItems(configuration);
  const combinations = new Map<bigint, number>();
  for (const [i, item] of items.entries()) {
    const shown = shownOn.get(item.external_id) ?? 0n;
    const combination = combinations.get(shown) ?? combinations.size;
    if (combination === combinations.size) {
      combinations.set(shown, combination);
      yield ['menus', menus.flatMap((_, menu) => ((shown >> BigInt(menu)) & 1n ? [menu] : []))];
    }
    const {
      price,
      tax,
      sell_separately: isSoldSeparately,
      in_stock: inStock = true,
      prep_time: prepTime = 0,
      allergens,
    } = item;
    const id = ids[offsets.item + i] ?? 0;
    const name = JSON.stringify(item.name);
    const own = positionsOf(item.modifier_external_ids, positions.modifier_group);
    yield [
      'item',
      item.external_id,
      { id, name, price, tax, isSoldSeparately, prepTime, inStock, allergens },
      own,
      combination,
      listedIn.get(item.external_id) ?? null,
    ];
  }
}

function positionsOf(externalIds: readonly string[] = [], known: ReadonlyMap<string, number>): number[] {
  return [...new Set(externalIds)].flatMap((externalId) => known.get(externalId) ?? []);
}

/** The position of the first category that lists an item. */
function categoriesOfItems({ categories = [] }: MenuConfiguration): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  categories.forEach(({ item_external_ids: ids = [] }, i) => {
    for (const id of ids) if (!first.has(id)) first.set(id, i);
  });
  return first;
}

/** A bit for each menu. Joined category by category, so that the work follows the number of references. */
function menusOfItems({ menus = [], categories = [] }: MenuConfiguration): ReadonlyMap<string, bigint> {
  const ofCategories = new Map<string, bigint>();
  menus.forEach(({ category_external_ids = [] }, menu) => {
    const bit = 1n << BigInt(menu);
    for (const id of category_external_ids) ofCategories.set(id, (ofCategories.get(id) ?? 0n) | bit);
  });
  const ofItems = new Map<string, bigint>();
  for (const { external_id, item_external_ids = [] } of categories) {
    const bits = ofCategories.get(external_id);
    if (bits === undefined) continue;
    for (const id of item_external_ids) ofItems.set(id, (ofItems.get(id) ?? 0n) | bits);
  }
  return ofItems;
}

export function createPriceLoader(): { readonly menu: PricedMenu; add(row: PriceRow): void } {
  const hours: WeekHours[] = [];
  const combinations: (readonly number[])[] = [];
  const categories: PricedCategory[] = [];
  const allModifiers: PricedModifier[] = [];
  const allGroups: PricedGroup[] = [];
  const modifiers = new Map<string, PricedModifier>();
  const groups = new Map<string, PricedGroup>();
  const items = new Map<string, PricedItem>();
  return {
    menu: { items, groups, modifiers, hours },
    add(row) {
      switch (row[0]) {
        case 'hours':
          hours.push(row[1]);
          break;
        case 'menus':
          combinations.push(row[1]);
          break;
        case 'modifier':
          allModifiers.push(row[1]);
          modifiers.set(row[1].externalId, row[1]);
          break;
        case 'group': {
          const group = { ...row[1], modifiers: row[2].flatMap((i) => allModifiers[i] ?? []) };
          allGroups.push(group);
          groups.set(group.externalId, group);
          break;
        }
        case 'category':
          categories.push(row[1]);
          break;
        case 'item': {
          const [, externalId, item, own, menus, category] = row;
          items.set(externalId, {
            ...item,
            category: category === null ? undefined : categories[category],
            menus: combinations[menus] ?? [],
            groups: own.flatMap((i) => allGroups[i] ?? []),
          });
        }
      }
    },
  };
}
