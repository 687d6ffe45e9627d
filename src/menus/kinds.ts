import { memberOf } from '../support/maps.js';

/** The five kinds of a menu configuration, in the order in which their lists are kept, numbered and shown. */
export const KINDS = ['menu', 'category', 'item', 'modifier_group', 'modifier_item'] as const;
export type Kind = (typeof KINDS)[number];

export const LIST_OF = {
  menu: 'menus',
  category: 'categories',
  item: 'items',
  modifier_group: 'modifier_groups',
  modifier_item: 'modifier_items',
} as const satisfies Record<Kind, string>;

export type ListName = (typeof LIST_OF)[Kind];

export const NOUN_OF = byKind((kind) => kind.replace('_', ' '));

export interface Reference {
  readonly from: Kind;
  readonly field: string;
  readonly to: Kind;
  readonly holds: 'one' | 'list';
}

export const REFERENCES: readonly Reference[] = [
  { from: 'menu', field: 'category_external_ids', to: 'category', holds: 'list' },
  { from: 'category', field: 'item_external_ids', to: 'item', holds: 'list' },
  { from: 'item', field: 'modifier_external_ids', to: 'modifier_group', holds: 'list' },
  { from: 'modifier_group', field: 'modifier_item_external_ids', to: 'modifier_item', holds: 'list' },
  { from: 'modifier_item', field: 'menu_item_external_id', to: 'item', holds: 'one' },
];

/** Kinds whose entities can be marked sold out. */
export type StockedKind = Extract<Kind, 'item' | 'modifier_item'>;

export type Counts = Readonly<Record<ListName, number>>;

/**
 * The lists as they came, whatever their shape: an entity that is present but invalid still answers a reference.
 * A list that is no list, or too long, is left out, because it is reported itself.
 */
export type RawLists = Readonly<Partial<Record<Kind, readonly unknown[]>>>;

export function listsIn(body: unknown, limits: Counts): RawLists {
  const lists: Partial<Record<Kind, readonly unknown[]>> = {};
  for (const kind of KINDS) {
    const list = memberOf(body, LIST_OF[kind]) ?? [];
    if (Array.isArray(list) && list.length <= limits[LIST_OF[kind]]) lists[kind] = list;
  }
  return lists;
}

export type Entity = Readonly<Record<string, unknown>> & {
  readonly external_id: string;
  readonly in_stock?: boolean;
};

type EntityLists = Readonly<Partial<Record<ListName, readonly Entity[]>>>;

/** The number of an entity among all, which is where its id stands, is its position plus the offset of its kind. */
export function offsetsByKind(configuration: EntityLists): Readonly<Record<Kind, number>> {
  let offset = 0;
  return byKind((kind) => {
    const first = offset;
    offset += entitiesOf(configuration, kind).length;
    return first;
  });
}

/** Numbers of entities, or the ids that stand at them, are kept and handed to threads as text with commas between them. */
export function parseNumbers(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number);
}

export function positionsByKind(
  configuration: EntityLists,
): Readonly<Record<Kind, ReadonlyMap<string, number>>> {
  return byKind(
    (kind) => new Map(entitiesOf(configuration, kind).map(({ external_id }, index) => [external_id, index])),
  );
}

export function countEntities(configuration: EntityLists): Counts {
  const counts = KINDS.map((kind) => [LIST_OF[kind], entitiesOf(configuration, kind).length]);
  return Object.fromEntries(counts) as Counts;
}

export function entitiesOf(configuration: EntityLists, kind: Kind): readonly Entity[] {
  return configuration[LIST_OF[kind]] ?? [];
}

export function byKind<T>(make: (kind: Kind) => T): Record<Kind, T> {
  return Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<Kind, T>;
}

/** The configuration with every entity changed; a list that it does not state stays absent. */
export function mapEntities<T extends EntityLists>(
  configuration: T,
  change: (entity: Entity, kind: Kind, index: number) => unknown,
): T {
  const lists = KINDS.filter((kind) => configuration[LIST_OF[kind]] !== undefined).map((kind) => [
    LIST_OF[kind],
    entitiesOf(configuration, kind).map((entity, index) => change(entity, kind, index)),
  ]);
  return { ...configuration, ...(Object.fromEntries(lists) as Partial<T>) };
}
