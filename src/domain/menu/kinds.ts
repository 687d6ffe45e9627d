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

/** How a kind is called in a sentence. */
export const NOUN_OF: Readonly<Record<Kind, string>> = {
  menu: 'menu',
  category: 'category',
  item: 'item',
  modifier_group: 'modifier group',
  modifier_item: 'modifier item',
};

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
