import type {
  CategoryFlat,
  MenuAvailability,
  MenuConfigurationFlat,
  MenuFlat,
  MenuItemFlat,
  ModifierGroupFlat,
  ModifierItemFlat,
} from '#sdk';
import { listLanguages } from '../../../text/languages.js';
import { t } from '../../../text/t.js';
import { stationsOf, type Stations } from '../../../data/stations.js';

export type Reason = MenuAvailability['left_out'][number]['reason'];

/** A menu as the page walks through it. */
export interface MenuView {
  readonly menus: readonly MenuFlat[];
  readonly categories: ReadonlyMap<string, CategoryFlat>;
  readonly items: ReadonlyMap<string, MenuItemFlat>;
  readonly groups: ReadonlyMap<string, ModifierGroupFlat>;
  readonly options: ReadonlyMap<string, ModifierItemFlat>;
  /** Why an item cannot be ordered at the moment that was asked for. */
  readonly itemReasons: ReadonlyMap<string, Reason>;
  readonly closedMenus: ReadonlySet<string>;
  /** Of what can be had at the moment that was asked for. */
  readonly stations: Stations;
  /** How many are left of what is counted and can be had. */
  readonly left: ReadonlyMap<string, number>;
  /** Most used first. */
  readonly languages: readonly string[];
}

export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  out_of_stock: t('sold_out'),
  outside_hours: t('not_served_at_this_time'),
  not_sold_separately: t('only_as_part_of_another_item'),
  modifiers_unavailable: t('a_choice_it_needs_is_sold_out'),
};

export function toMenuView(
  flat: MenuConfigurationFlat,
  { left_out: leftOut, menu_configuration: tree }: MenuAvailability,
): MenuView {
  const {
    menus = [],
    categories = [],
    items = [],
    modifier_groups: groups = [],
    modifier_items: options = [],
  } = flat;
  return {
    menus,
    categories: byId(categories),
    items: byId(items),
    groups: byId(groups),
    options: byId(options),
    itemReasons: new Map(
      leftOut.filter(({ kind }) => kind === 'item').map(({ external_id: id, reason }) => [id, reason]),
    ),
    closedMenus: new Set(leftOut.filter(({ kind }) => kind === 'menu').map(({ external_id: id }) => id)),
    stations: stationsOf(tree),
    left: new Map(
      tree.flatMap(({ categories: shown }) =>
        shown.flatMap((category) =>
          category.items.flatMap(({ external_id: id, left }) => (left === undefined ? [] : [[id, left]])),
        ),
      ),
    ),
    languages: listLanguages([...categories, ...items]),
  };
}

/** An item that is marked sold out is so whatever the hour. */
export function reasonOf(view: MenuView, item: MenuItemFlat): Reason | undefined {
  return item.in_stock === false ? 'out_of_stock' : view.itemReasons.get(item.external_id);
}

export function itemsOf(view: MenuView, category: CategoryFlat): MenuItemFlat[] {
  return present(category.item_external_ids, view.items);
}

export function categoriesOf(view: MenuView, menu: MenuFlat): CategoryFlat[] {
  return present(menu.category_external_ids, view.categories);
}

export function groupsOf(view: MenuView, item: MenuItemFlat): ModifierGroupFlat[] {
  return present(item.modifier_external_ids, view.groups);
}

export function optionsOf(view: MenuView, group: ModifierGroupFlat): ModifierItemFlat[] {
  return present(group.modifier_item_external_ids, view.options);
}

/** Items that no category lists: a guest cannot get at them but through a choice. */
export function looseItems(view: MenuView): MenuItemFlat[] {
  const listed = new Set([...view.categories.values()].flatMap(({ item_external_ids: ids = [] }) => ids));
  return [...view.items.values()].filter(({ external_id: id }) => !listed.has(id));
}

function byId<T extends { readonly external_id: string }>(entities: readonly T[]): Map<string, T> {
  return new Map(entities.map((entity) => [entity.external_id, entity]));
}

function present<T>(ids: readonly string[] | undefined, entities: ReadonlyMap<string, T>): T[] {
  return (ids ?? []).flatMap((id) => entities.get(id) ?? []);
}
