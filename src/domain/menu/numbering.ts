import { KINDS, LIST_OF, type Counts, type Kind } from './kinds.js';
import type { MenuConfiguration } from './shapes.js';

/** The number of an entity among all, which is where its id stands, is its position plus the offset of its kind. */
export function offsetsByKind(configuration: MenuConfiguration): Readonly<Record<Kind, number>> {
  const { menu, category, item, modifier_group } = byKind((kind) => entitiesOf(configuration, kind).length);
  const beforeGroups = menu + category + item;
  return {
    menu: 0,
    category: menu,
    item: menu + category,
    modifier_group: beforeGroups,
    modifier_item: beforeGroups + modifier_group,
  };
}

export function positionsByKind(
  configuration: MenuConfiguration,
): Readonly<Record<Kind, ReadonlyMap<string, number>>> {
  return byKind(
    (kind) => new Map(entitiesOf(configuration, kind).map(({ external_id }, at) => [external_id, at])),
  );
}

export function countEntities(configuration: MenuConfiguration): Counts {
  const counts = KINDS.map((kind) => [LIST_OF[kind], entitiesOf(configuration, kind).length]);
  return Object.fromEntries(counts) as Counts;
}

export function entitiesOf(
  configuration: MenuConfiguration,
  kind: Kind,
): readonly { readonly external_id: string; readonly in_stock?: boolean }[] {
  return configuration[LIST_OF[kind]] ?? [];
}

export function byKind<T>(make: (kind: Kind) => T): Record<Kind, T> {
  return {
    menu: make('menu'),
    category: make('category'),
    item: make('item'),
    modifier_group: make('modifier_group'),
    modifier_item: make('modifier_item'),
  };
}
