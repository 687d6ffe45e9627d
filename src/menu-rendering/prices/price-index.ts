import { weekHours } from '../../domain/menu/hours.js';
import { offsetsByKind, positionsByKind } from '../../domain/menu/kinds.js';
import type { MenuConfiguration } from '../../domain/menu/shapes.js';
import { packLists, type PackedLists } from './packed-lists.js';
import { nameEntities, type NamedEntities } from './named-entities.js';

/** What quotes need of a version of a menu. Entities are known by their positions in their lists. */
export interface PriceIndex {
  readonly items: NamedEntities;
  readonly groups: NamedEntities;
  readonly modifiers: NamedEntities;
  /** price and tax of each item. */
  readonly itemAmounts: Float64Array<ArrayBuffer>;
  /** Of each item and modifier item: SOLD_SEPARATELY, STATED_OUT. */
  readonly itemFlags: Uint8Array<ArrayBuffer>;
  readonly modifierFlags: Uint8Array<ArrayBuffer>;
  /** group_min, group_max and charge_after of each group. */
  readonly groupCounts: Float64Array<ArrayBuffer>;
  /** price_change, tax_change, min_quantity and max_quantity of each modifier item. */
  readonly modifierAmounts: Float64Array<ArrayBuffer>;
  /** The groups of each item; those of them with a group_min; the modifier items of each group. */
  readonly itemGroups: PackedLists;
  readonly requiredGroups: PackedLists;
  readonly groupModifiers: PackedLists;
  /** The menus that show each item, a bit for each: `menuWords` words for an item. */
  readonly itemMenus: Uint32Array<ArrayBuffer>;
  readonly menuWords: number;
  /** The open seconds of each menu's week; null for one that is always open. */
  readonly menuHours: readonly (Uint32Array<ArrayBuffer> | null)[];
  /** The ids under which items and modifier items are marked. */
  readonly itemIds: Float64Array<ArrayBuffer>;
  readonly modifierIds: Float64Array<ArrayBuffer>;
}

export const SOLD_SEPARATELY = 1;
export const STATED_OUT = 2;

/** `ids` has one id per entity, in the order of the lists and of the kinds. */
export function buildPriceIndex(configuration: MenuConfiguration, ids: readonly number[]): PriceIndex {
  const { items, menus = [], modifier_groups: groups = [], modifier_items: modifiers = [] } = configuration;
  const positions = positionsByKind(configuration);
  const offsets = offsetsByKind(configuration);
  const groupsOf = (groupIds: readonly string[] = []) => places(groupIds, positions.modifier_group);
  const menuWords = Math.ceil(menus.length / 32);
  return {
    items: nameEntities(items),
    groups: nameEntities(groups),
    modifiers: nameEntities(modifiers),
    itemAmounts: Float64Array.from(items.flatMap(({ price, tax }) => [price, tax])),
    itemFlags: Uint8Array.from(
      items,
      ({ sell_separately, in_stock }) => (sell_separately ? SOLD_SEPARATELY : 0) + statedOut(in_stock),
    ),
    modifierFlags: Uint8Array.from(modifiers, ({ in_stock }) => statedOut(in_stock)),
    groupCounts: Float64Array.from(
      groups.flatMap(({ group_min, group_max, charge_after }) => [group_min, group_max, charge_after]),
    ),
    modifierAmounts: Float64Array.from(
      modifiers.flatMap((one) => [one.price_change, one.tax_change, one.min_quantity, one.max_quantity]),
    ),
    itemGroups: packLists(items.map((item) => groupsOf(item.modifier_external_ids))),
    requiredGroups: packLists(
      items.map((item) =>
        groupsOf(item.modifier_external_ids).filter((at) => (groups[at]?.group_min ?? 0) > 0),
      ),
    ),
    groupModifiers: packLists(
      groups.map((group) => places(group.modifier_item_external_ids ?? [], positions.modifier_item)),
    ),
    itemMenus: showingMenus(configuration, positions, menuWords),
    menuWords,
    menuHours: menus.map(({ availability }) => {
      const hours = weekHours(availability);
      return hours === 'always' ? null : hours;
    }),
    itemIds: Float64Array.from(items, (_, at) => ids[offsets.item + at] ?? 0),
    modifierIds: Float64Array.from(modifiers, (_, at) => ids[offsets.modifier_item + at] ?? 0),
  };
}

function places(externalIds: readonly string[], known: ReadonlyMap<string, number>): number[] {
  return externalIds.flatMap((externalId) => known.get(externalId) ?? []);
}

function statedOut(inStock: boolean | undefined): number {
  return inStock === false ? STATED_OUT : 0;
}

/** Bits are joined category by category, so the work follows the number of references, whatever is listed how often. */
function showingMenus(
  { items, menus = [], categories = [] }: MenuConfiguration,
  positions: ReturnType<typeof positionsByKind>,
  words: number,
): Uint32Array<ArrayBuffer> {
  const byCategory = new Uint32Array(categories.length * words);
  menus.forEach(({ category_external_ids = [] }, menu) => {
    for (const category of places(category_external_ids, positions.category)) {
      const word = category * words + (menu >>> 5);
      byCategory[word] = (byCategory[word] ?? 0) | (1 << (menu & 31));
    }
  });
  const byItem = new Uint32Array(items.length * words);
  categories.forEach(({ item_external_ids = [] }, category) => {
    for (const item of places(item_external_ids, positions.item)) {
      for (let word = 0; word < words; word += 1) {
        const place = item * words + word;
        byItem[place] = (byItem[place] ?? 0) | (byCategory[category * words + word] ?? 0);
      }
    }
  });
  return byItem;
}
