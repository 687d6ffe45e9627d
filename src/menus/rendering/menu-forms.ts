import type { ZonedMoment } from '../../calendar/open-hours.js';
import { isInStock, type KeptMarks } from '../stock/marks.js';
import { offsetsByKind } from '../kinds.js';
import { findOrderable, type Orderable, type Reason } from '../orderable.js';
import type { MenuConfiguration } from '../shapes.js';
import { buildFragments, type Fragments } from './fragments.js';
import { sharedFragments, stockOf, treeFragments, type ParsedMenu, type Selection } from './tree.js';

/** The five lists as they were posted, each entity with its id; reference lists and in_stock are always present. */
export function flatText({ configuration, ids, marks }: ParsedMenu): string {
  const { menus = [], categories = [], items, modifier_groups = [], modifier_items = [] } = configuration;
  const offsets = offsetsByKind(configuration);
  const idOf = (kind: keyof typeof offsets, at: number) => ids[offsets[kind] + at] ?? 0;
  return JSON.stringify({
    menus: menus.map((menu, at) => ({
      ...menu,
      category_external_ids: menu.category_external_ids ?? [],
      id: idOf('menu', at),
    })),
    categories: categories.map((category, at) => ({
      ...category,
      item_external_ids: category.item_external_ids ?? [],
      id: idOf('category', at),
    })),
    items: items.map((item, at) => {
      const id = idOf('item', at);
      const in_stock = isInStock(marks.get(id), item.in_stock);
      return { ...item, in_stock, modifier_external_ids: item.modifier_external_ids ?? [], id };
    }),
    modifier_groups: modifier_groups.map((group, at) => ({
      ...group,
      modifier_item_external_ids: group.modifier_item_external_ids ?? [],
      id: idOf('modifier_group', at),
    })),
    modifier_items: modifier_items.map((modifier, at) => {
      const id = idOf('modifier_item', at);
      return { ...modifier, in_stock: isInStock(marks.get(id), modifier.in_stock), id };
    }),
  });
}

/** The tree as a guest can order it at that moment, with the reasons for what is left out. */
export function availableFragments(menu: ParsedMenu, moment: ZonedMoment): Fragments {
  const { at, timezone } = moment;
  const orderable = findOrderable(menu.configuration, stockOf(menu), moment);
  return treeFragments(menu, selection(orderable), {
    head: `{"at":${JSON.stringify(new Date(at))},"timezone":${JSON.stringify(timezone)},"menu_configuration":[`,
    tail: `],"left_out":${JSON.stringify(orderable.leftOut)}}`,
  });
}

/**
 * The tree as guests read it: as they can order it at that moment, but with what is sold out marked instead of left out. How
 * dishes are prepared is the kitchen's affair. `components` are the items that modifier items stand for and that have choices
 * of their own: a guest who selects one is asked for these too, wherever else the item may be sold.
 */
export function guestFragments(menu: ParsedMenu, moment: ZonedMoment): Fragments {
  const { configuration } = menu;
  const stock = stockOf(menu);
  const orderable = findOrderable(configuration, stock, moment);
  const leftOut = orderable.leftOut.filter(({ reason }) => !SOLD_OUT.has(reason));
  const hidden = new Set(leftOut.flatMap(({ kind, external_id }) => (kind === 'item' ? [external_id] : [])));
  const incomplete = new Set(
    orderable.leftOut.flatMap(({ reason, external_id }) =>
      reason === 'modifiers_unavailable' ? [external_id] : [],
    ),
  );
  const nameOf = (position: number) => configuration.items[position]?.external_id ?? '';
  const marked = {
    ...stock,
    isItemInStock: (position: number) => stock.isItemInStock(position) && !incomplete.has(nameOf(position)),
    isModifierInStock: (position: number) => orderable.modifierItems.has(position),
  };
  const plain = { ...menu, marks: withoutPrepTypes(menu.marks) };
  const fragments = buildFragments();
  const shown = sharedFragments(
    plain,
    {
      stock: marked,
      isShown: (kind, position) =>
        kind === 'menu' ? orderable.menus.has(position) : kind !== 'item' || !hidden.has(nameOf(position)),
    },
    fragments,
  );
  const all = sharedFragments(plain, { stock: marked, isShown: () => true }, fragments);
  const menus = (configuration.menus ?? []).flatMap((_, i) => shown.fragmentAt('menu', i) ?? []);
  const components = componentsOf(configuration).flatMap((i) => all.fragmentAt('item', i) ?? []);
  const lists = [
    fragments.add('"menu_configuration":[', menus, ']'),
    fragments.add('"components":[', components, ']'),
  ];
  const head = `{"timezone":${JSON.stringify(moment.timezone)},"left_out":${JSON.stringify(leftOut)},`;
  fragments.add(head, lists, '}');
  return fragments.finish();
}

const SOLD_OUT: ReadonlySet<Reason> = new Set(['out_of_stock', 'modifiers_unavailable']);

function withoutPrepTypes(marks: KeptMarks): KeptMarks {
  return new Map([...marks].map(([id, mark]) => [id, { ...mark, prepType: undefined }]));
}

/** Positions of the items with modifier groups that some modifier item stands for. */
function componentsOf({ items, modifier_items: modifiers = [] }: MenuConfiguration): number[] {
  const meant = new Set(modifiers.flatMap(({ menu_item_external_id: item }) => item ?? []));
  return items.flatMap(({ external_id, modifier_external_ids: groups = [] }, position) =>
    groups.length > 0 && meant.has(external_id) ? [position] : [],
  );
}

function selection({ menus, items, modifierItems }: Orderable): Selection {
  return (kind, position) => {
    switch (kind) {
      case 'menu':
        return menus.has(position);
      case 'item':
        return items.has(position);
      case 'modifier_item':
        return modifierItems.has(position);
      case 'category':
      case 'modifier_group':
        return true;
    }
  };
}
