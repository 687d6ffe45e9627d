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
  /** Those of the names of its items. */
  readonly languages: readonly string[];
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

/** A priced menu as one thread writes it and another loads it: groups, menus and categories stand for their positions. */
export interface PackedMenu extends Pick<PricedMenu, 'hours' | 'languages'> {
  readonly modifiers: readonly PricedModifier[];
  readonly groups: readonly (Omit<PricedGroup, 'modifiers'> & { readonly modifiers: readonly number[] })[];
  readonly categories: readonly PricedCategory[];
  /** Each combination of menus that shows some item. */
  readonly shownOn: readonly (readonly number[])[];
  readonly items: readonly (Omit<PricedItem, 'groups' | 'menus' | 'category'> & {
    readonly externalId: string;
    readonly groups: readonly number[];
    readonly menus: number;
    readonly category: number | undefined;
  })[];
}

/** `ids` has one id per entity, in the order of the lists and of the kinds. */
export function packPrices(configuration: MenuConfiguration, ids: readonly number[]): PackedMenu {
  const { items, menus = [], categories = [] } = configuration;
  const { modifier_groups: groups = [], modifier_items: modifiers = [] } = configuration;
  const positions = positionsByKind(configuration);
  const offsets = offsetsByKind(configuration);
  const categoryOf = categoriesOfItems(configuration);
  const menusOf = menusOfItems(configuration);
  const combinations = [...new Set(items.map((item) => menusOf.get(item.external_id) ?? 0n))];
  const combinationAt = new Map(combinations.map((combination, i) => [combination, i]));
  return {
    hours: menus.map(({ availability }) => weekHours(availability)),
    languages: [...new Set(items.flatMap(({ name }) => Object.keys(name.translations)))],
    modifiers: modifiers.map((modifier, i) => ({
      id: ids[offsets.modifier_item + i] ?? 0,
      externalId: modifier.external_id,
      name: JSON.stringify(modifier.name),
      priceChange: modifier.price_change,
      taxChange: modifier.tax_change,
      min: modifier.min_quantity,
      max: modifier.max_quantity,
      inStock: modifier.in_stock ?? true,
      menuItem: modifier.menu_item_external_id,
    })),
    groups: groups.map((group) => ({
      externalId: group.external_id,
      min: group.group_min,
      max: group.group_max,
      chargeAfter: group.charge_after,
      modifiers: positionsOf(group.modifier_item_external_ids, positions.modifier_item),
    })),
    categories: categories.map(({ external_id: externalId, name }) => ({
      externalId,
      name: JSON.stringify(name),
    })),
    shownOn: combinations.map((combination) =>
      menus.flatMap((_, menu) => ((combination >> BigInt(menu)) & 1n ? [menu] : [])),
    ),
    items: items.map((item, i) => ({
      id: ids[offsets.item + i] ?? 0,
      externalId: item.external_id,
      name: JSON.stringify(item.name),
      price: item.price,
      tax: item.tax,
      isSoldSeparately: item.sell_separately,
      prepTime: item.prep_time ?? 0,
      inStock: item.in_stock ?? true,
      allergens: item.allergens,
      groups: positionsOf(item.modifier_external_ids, positions.modifier_group),
      menus: combinationAt.get(menusOf.get(item.external_id) ?? 0n) ?? 0,
      category: categoryOf.get(item.external_id),
    })),
  };
}

export function unpackPrices(packed: PackedMenu): PricedMenu {
  const { hours, languages, modifiers, categories, shownOn } = packed;
  const groups = packed.groups.map((group) => ({
    ...group,
    modifiers: group.modifiers.flatMap((i) => modifiers[i] ?? []),
  }));
  const items = packed.items.map((item) => ({
    ...item,
    groups: item.groups.flatMap((i) => groups[i] ?? []),
    menus: shownOn[item.menus] ?? [],
    category: item.category === undefined ? undefined : categories[item.category],
  }));
  return { items: byName(items), groups: byName(groups), modifiers: byName(modifiers), hours, languages };
}

function byName<T extends { readonly externalId: string }>(entities: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entities.map((entity) => [entity.externalId, entity]));
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

/** The menus that show each item, a bit for each. Joined category by category, so that the work follows the number of references. */
export function menusOfItems({
  menus = [],
  categories = [],
}: MenuConfiguration): ReadonlyMap<string, bigint> {
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
