import { ValidationFailed, type Loc } from '../../support/faults.js';
import { entitiesOf, type Kind, offsetsByKind, positionsByKind } from '../kinds.js';
import { isInStock, type KeptMarks } from '../stock/marks.js';
import type { Category, Item, Menu, MenuConfiguration, Modifier, ModifierGroup } from '../shapes.js';
import { viewStock, type StockView } from '../stock/combos.js';
import type { VersionFacts } from '../publish/prepared-menu.js';
import {
  valueAt,
  buildFragments,
  measure,
  rootOf,
  type FragmentBuilder,
  type Fragments,
} from './fragments.js';

/** A configuration with everything that its output needs. */
export interface ParsedMenu {
  readonly configuration: MenuConfiguration;
  /** One id per entity, in the order of the lists and of the kinds. */
  readonly ids: readonly number[];
  readonly marks: KeptMarks;
}

/** With marks and with the items that modifier items stand for. */
export function stockOf({ configuration, ids, marks }: ParsedMenu): StockView {
  const offsets = offsetsByKind(configuration);
  return viewStock(configuration, (kind, index) =>
    isInStock(marks.get(ids[offsets[kind] + index] ?? 0), entitiesOf(configuration, kind)[index]?.in_stock),
  );
}

/** Which entities, by their position in their list, appear in a tree. */
export type Selection = (kind: Kind, index: number) => boolean;

interface Envelope {
  readonly head: string;
  readonly tail: string;
}

const WHOLE: Envelope = { head: '{"menu_configuration":[', tail: ']}' };

export function treeFragments(
  menu: ParsedMenu,
  isShown: Selection = () => true,
  envelope = WHOLE,
): Fragments {
  const fragments = buildFragments();
  const shared = sharedFragments(menu, { isShown, stock: stockOf(menu) }, fragments);
  const menus = (menu.configuration.menus ?? []).flatMap(
    (_, index) => shared.fragmentAt('menu', index) ?? [],
  );
  fragments.add(envelope.head, menus, envelope.tail);
  return fragments.finish();
}

export interface Shown {
  readonly isShown: Selection;
  readonly stock: StockView;
}

type TreeSize = Pick<VersionFacts, 'minTreeBytes' | 'treeEntities'>;

/** No id is shorter than one digit and nothing is marked, so this is the least that the tree can come to. */
export function leastTreeSize(configuration: MenuConfiguration): TreeSize {
  const fragments = treeFragments({ configuration, ids: [], marks: new Map() });
  const { bytes, count } = measure(fragments);
  return { minTreeBytes: valueAt(bytes, rootOf(fragments)), treeEntities: count - 1 };
}

interface TreeLimit {
  readonly mostBytes: number;
  /** Bytes of the store's longest prep_type, as JSON writes it. */
  readonly longestPrepType: number;
  readonly loc?: Loc;
}

/** Ids have at most 16 digits where the least size counts one, and `false` is longer than `true`. */
const MOST_EXTRA_BYTES = 16;

/**
 * Shared entities are nested wherever they are referenced, so a small configuration can expand without bound. What the
 * tree takes at most, whatever ids and marks its entities get, is known before it is built, and is what is refused.
 */
export function refuseLargeTree(
  { minTreeBytes, treeEntities }: TreeSize,
  { mostBytes, longestPrepType, loc = ['body'] }: TreeLimit,
): void {
  const prepType = longestPrepType === 0 ? 0 : longestPrepType + ',"prep_type":'.length;
  const bytes = minTreeBytes + treeEntities * (MOST_EXTRA_BYTES + prepType);
  if (bytes <= mostBytes) return;
  const msg = `The tree could take ${bytes} bytes; the limit is ${mostBytes}`;
  throw new ValidationFailed([{ loc, msg, type: 'tree_too_large', ctx: { limit: mostBytes } }]);
}

/** Adds each entity when it is first referenced, so what no menu shows costs nothing. */
export function sharedFragments(
  { configuration, ids, marks }: ParsedMenu,
  { isShown, stock }: Shown,
  fragments: FragmentBuilder,
) {
  const positions = positionsByKind(configuration);
  const offsets = offsetsByKind(configuration);
  const added = new Map<number, number | undefined>();

  const fragmentsOf = (kind: Kind, externalIds: readonly string[] = []) =>
    externalIds.flatMap((externalId) => {
      const index = positions[kind].get(externalId);
      return index === undefined ? [] : (fragmentAt(kind, index) ?? []);
    });

  const fragmentAt = (kind: Kind, index: number): number | undefined => {
    const number = offsets[kind] + index;
    if (!added.has(number))
      added.set(number, isShown(kind, index) ? add(kind, index, ids[number] ?? 0) : undefined);
    return added.get(number);
  };

  const add = (kind: Kind, index: number, id: number): number | undefined => {
    switch (kind) {
      case 'menu': {
        const menu = configuration.menus?.[index];
        return (
          menu &&
          fragments.add(...wrap(menuParts(menu, id), fragmentsOf('category', menu.category_external_ids)))
        );
      }
      case 'category': {
        const category = configuration.categories?.[index];
        return (
          category &&
          fragments.add(...wrap(categoryParts(category, id), fragmentsOf('item', category.item_external_ids)))
        );
      }
      case 'item': {
        const item = configuration.items[index];
        if (item === undefined) return undefined;
        const groups = fragmentsOf('modifier_group', item.modifier_external_ids);
        return fragments.add(
          ...wrap(itemParts(item, id, stock.isItemInStock(index), marks.get(id)?.prepType), groups),
        );
      }
      case 'modifier_group': {
        const group = configuration.modifier_groups?.[index];
        return (
          group &&
          fragments.add(
            ...wrap(groupParts(group, id), fragmentsOf('modifier_item', group.modifier_item_external_ids)),
          )
        );
      }
      case 'modifier_item': {
        const modifier = configuration.modifier_items?.[index];
        return (
          modifier &&
          fragments.add(JSON.stringify(modifierTree(modifier, id, stock.isModifierInStock(index))), [], '')
        );
      }
    }
  };
  return { fragmentAt };
}

const NAMELESS = { translations: {} };

/** The fields before the nested list, the name of that list, and the fields after it. */
type Parts = readonly [before: object, list: string, after: object];

function wrap([before, list, after]: Parts, nested: readonly number[]): [string, readonly number[], string] {
  const rest = JSON.stringify(after);
  const head = `${JSON.stringify(before).slice(0, -1)},"${list}":[`;
  return [head, nested, rest === '{}' ? ']}' : `],${rest.slice(1)}`];
}

function menuParts({ external_id, name = NAMELESS, availability }: Menu, id: number): Parts {
  return [{ id, external_id, name }, 'categories', { availability }];
}

function categoryParts({ external_id, name, description }: Category, id: number): Parts {
  return [{ id, external_id, name }, 'items', { description }];
}

function itemParts(item: Item, id: number, in_stock: boolean, prep_type: string | undefined): Parts {
  const { external_id, name, price, tax, sell_separately } = item;
  const { description, ingredients, allergens, dietary_labels, prep_time, alcohol_by_volume } = item;
  return [
    { id, external_id, name, price, tax, in_stock, sell_separately },
    'modifier_groups',
    { description, ingredients, allergens, dietary_labels, prep_time, alcohol_by_volume, prep_type },
  ];
}

function groupParts(group: ModifierGroup, id: number): Parts {
  const { external_id, type, name, group_max, group_min, charge_after, description } = group;
  const before = { id, external_id, type, name, group_max, group_min, charge_after };
  return [before, 'modifier_items', { description }];
}

function modifierTree(modifier: Modifier, id: number, in_stock: boolean): object {
  const { external_id, name, price_change, tax_change, ...rest } = modifier;
  const { min_quantity, max_quantity, default_quantity, menu_item_external_id, description } = rest;
  const quantities = { min_quantity, max_quantity, default_quantity };
  return {
    id,
    external_id,
    name,
    price_change,
    tax_change,
    in_stock,
    ...quantities,
    menu_item_external_id,
    description,
  };
}
