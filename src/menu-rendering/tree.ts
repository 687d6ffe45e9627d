import type { Kind } from '../domain/menu/kinds.js';
import { isInStock, type Marks } from '../domain/menu/marks.js';
import { offsetsByKind, positionsByKind } from '../domain/menu/numbering.js';
import type { MenuConfiguration } from '../domain/menu/shapes.js';
import { categoryParts, groupParts, itemParts, menuParts, modifierTree, wrap } from './entity-text.js';
import { buildFragments, type FragmentBuilder, type Fragments } from './fragments.js';

/** A configuration with everything that its output needs. */
export interface PublishedMenu {
  readonly configuration: MenuConfiguration;
  /** One id per entity, in the order of the lists and of the kinds. */
  readonly ids: readonly number[];
  readonly marks: Marks;
}

/** Which entities, by their position in their list, appear in a tree. */
export type Selection = (kind: Kind, at: number) => boolean;

interface Envelope {
  readonly head: string;
  readonly tail: string;
}

const WHOLE: Envelope = { head: '{"menu_configuration":[', tail: ']}' };

export function treeFragments(
  menu: PublishedMenu,
  isShown: Selection = () => true,
  envelope = WHOLE,
): Fragments {
  const fragments = buildFragments();
  const shared = sharedFragments(menu, isShown, fragments);
  const menus = (menu.configuration.menus ?? []).flatMap((_, at) => shared.fragmentAt('menu', at) ?? []);
  fragments.add(envelope.head, menus, envelope.tail);
  return fragments.finish();
}

/** Adds each entity when it is first referenced, so what no menu shows costs nothing. */
function sharedFragments(
  { configuration, ids, marks }: PublishedMenu,
  isShown: Selection,
  fragments: FragmentBuilder,
) {
  const positions = positionsByKind(configuration);
  const offsets = offsetsByKind(configuration);
  const added = new Map<number, number | undefined>();

  const fragmentsOf = (kind: Kind, externalIds: readonly string[] = []) =>
    externalIds.flatMap((externalId) => {
      const at = positions[kind].get(externalId);
      return at === undefined ? [] : (fragmentAt(kind, at) ?? []);
    });

  const fragmentAt = (kind: Kind, at: number): number | undefined => {
    const number = offsets[kind] + at;
    if (!added.has(number))
      added.set(number, isShown(kind, at) ? add(kind, at, ids[number] ?? 0) : undefined);
    return added.get(number);
  };

  const add = (kind: Kind, at: number, id: number): number | undefined => {
    const mark = marks.get(id);
    switch (kind) {
      case 'menu': {
        const menu = configuration.menus?.[at];
        return (
          menu &&
          fragments.add(...wrap(menuParts(menu, id), fragmentsOf('category', menu.category_external_ids)))
        );
      }
      case 'category': {
        const category = configuration.categories?.[at];
        return (
          category &&
          fragments.add(...wrap(categoryParts(category, id), fragmentsOf('item', category.item_external_ids)))
        );
      }
      case 'item': {
        const item = configuration.items[at];
        if (item === undefined) return undefined;
        const groups = fragmentsOf('modifier_group', item.modifier_external_ids);
        return fragments.add(
          ...wrap(itemParts(item, id, isInStock(mark, item.in_stock), mark?.prepType), groups),
        );
      }
      case 'modifier_group': {
        const group = configuration.modifier_groups?.[at];
        return (
          group &&
          fragments.add(
            ...wrap(groupParts(group, id), fragmentsOf('modifier_item', group.modifier_item_external_ids)),
          )
        );
      }
      case 'modifier_item': {
        const modifier = configuration.modifier_items?.[at];
        return (
          modifier &&
          fragments.add(
            JSON.stringify(modifierTree(modifier, id, isInStock(mark, modifier.in_stock))),
            [],
            '',
          )
        );
      }
    }
  };
  return { fragmentAt };
}
