import { Type, type TProperties, type TSchema } from '../support/shape/type.js';
import {
  Datetime,
  FreeFormMap,
  MultilingualText,
  NamedShape,
  OneOf,
} from '../support/shape/common-shapes.js';
import { KINDS, LIST_OF } from './kinds.js';
import { REASONS } from './orderable.js';
import { WARNING_TYPES } from './publish/prepared-menu.js';
import { Photo } from './photos/shapes.js';
import { categoryFields, itemFields, menuFields, modifierGroupFields, modifierItemFields } from './shapes.js';

/** The menu configuration as a tree: what was posted, with shared entities nested wherever they are referenced. */

const ModifierItemTree = NamedShape('ModifierItemTree', {
  id: Type.Integer(),
  ...modifierItemFields,
  in_stock: Type.Boolean(),
});

const { modifier_item_external_ids: _modifiers, ...groupTexts } = modifierGroupFields;
const ModifierGroupTree = NamedShape('ModifierGroupTree', {
  id: Type.Integer(),
  ...groupTexts,
  modifier_items: Type.Array(ModifierItemTree),
});

const { modifier_external_ids: _groups, ...itemTexts } = itemFields;
const itemTreeFields = {
  id: Type.Integer(),
  ...itemTexts,
  in_stock: Type.Boolean(),
  modifier_groups: Type.Array(ModifierGroupTree),
  prep_type: Type.Optional(Type.String()),
};

/** The shapes around an item. Only menus for guests show photos and counts; each name stands for one shape. */
function treeOf<S extends TSchema>(item: S, names: { readonly category: string; readonly menu: string }) {
  const { item_external_ids: _items, ...categoryTexts } = categoryFields;
  const { category_external_ids: _categories, ...menuTexts } = menuFields;
  const category = Type.Object(
    { id: Type.Integer(), ...categoryTexts, items: Type.Array(item) },
    { $id: names.category },
  );
  return Type.Object(
    { id: Type.Integer(), ...menuTexts, name: MultilingualText, categories: Type.Array(category) },
    { $id: names.menu },
  );
}

const MenuTree = treeOf(Type.Object(itemTreeFields, { $id: 'MenuItemTree' }), {
  category: 'CategoryTree',
  menu: 'MenuTree',
});
const ShownItem = NamedShape('ShownItem', {
  ...itemTreeFields,
  left: Type.Optional(
    Type.Integer({ description: 'How many are left, where they are counted; guests see it from 5 down' }),
  ),
  photo: Type.Optional(Photo),
});
const ShownMenu = treeOf(ShownItem, { category: 'ShownCategory', menu: 'ShownMenu' });

export const MenuConfigurationTree = NamedShape('MenuConfigurationTree', {
  menu_configuration: Type.Array(MenuTree),
});

/** Versions, differences, checks and availability on the wire. */

const perList = <S extends TProperties[string]>(schema: S) =>
  Object.fromEntries(KINDS.map((kind) => [LIST_OF[kind], schema]));

const MenuCounts = Type.Object(perList(Type.Integer()), { $id: 'MenuCounts' });

export const MenuVersion = NamedShape('MenuVersion', {
  version: Type.Integer({ examples: [3] }),
  published_at: Datetime(),
  key_id: Type.String({ description: 'The key that published it' }),
  restored_from: Type.Optional(Type.Integer({ description: 'The version that was restored' })),
  content_hash: Type.String({ description: 'Equal hashes mean equal configurations' }),
  counts: MenuCounts,
});

export const MenuVersionList = NamedShape('MenuVersionList', {
  current_version: Type.Integer({ description: '0 before the first publication' }),
  versions: Type.Array(MenuVersion),
});

const KindDiff = NamedShape('KindDiff', {
  added: Type.Array(Type.String(), { description: 'external_ids' }),
  removed: Type.Array(Type.String(), { description: 'external_ids' }),
  changed: Type.Array(
    Type.Object({
      external_id: Type.String(),
      fields: Type.Array(Type.String(), { examples: [['price', 'name.translations.en']] }),
    }),
  ),
  reordered: Type.Boolean({
    description: 'Whether entities that both sides have are in a different order',
  }),
});

const MenuDiff = Type.Object(perList(KindDiff), { $id: 'MenuDiff' });

export const MenuVersionDiff = NamedShape('MenuVersionDiff', {
  from: Type.Integer(),
  to: Type.Integer(),
  ...perList(KindDiff),
});

const MenuWarning = NamedShape('MenuWarning', {
  loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
  msg: Type.String(),
  type: OneOf(WARNING_TYPES),
  ctx: Type.Optional(FreeFormMap()),
});

export const MenuCheck = NamedShape('MenuCheck', {
  current_version: Type.Integer(),
  is_current: Type.Boolean({ description: 'Whether this configuration is already published' }),
  counts: MenuCounts,
  tree_bytes: Type.Integer({ description: 'Lower bound of the size of the tree' }),
  warnings: Type.Array(MenuWarning, {
    description: 'Valid but probably unintended: the first 20 of each type',
  }),
  warning_count: Type.Integer({ description: 'Total number of warnings, shown or not' }),
  diff: MenuDiff,
});

export const MenuChangeResult = NamedShape('MenuChangeResult', {
  version: Type.Integer({ description: 'The current version: the new one, unless nothing has changed' }),
  diff: MenuDiff,
  warnings: Type.Array(MenuWarning, {
    description: 'About the whole menu, each at the change that caused it, else at `["body"]`',
  }),
  warning_count: Type.Integer({ description: 'Total number of warnings, shown or not' }),
});

const leftOut = (reasons: readonly (typeof REASONS)[number][]) =>
  Type.Array(
    Type.Object({
      kind: OneOf(['menu', 'item']),
      external_id: Type.String(),
      reason: OneOf(reasons),
      ctx: Type.Optional(
        Type.Object({
          menu_item_external_id: Type.String({
            description: 'The sold-out item that a required modifier item stands for',
          }),
        }),
      ),
    }),
  );

export const MenuAvailability = NamedShape('MenuAvailability', {
  at: Datetime(),
  timezone: Type.String({ examples: ['Europe/Madrid'] }),
  menu_configuration: Type.Array(ShownMenu),
  left_out: leftOut(REASONS),
});

export const GuestMenu = NamedShape('GuestMenu', {
  timezone: Type.String({ examples: ['Europe/Madrid'] }),
  left_out: leftOut(['outside_hours', 'not_sold_separately']),
  menu_configuration: Type.Array(ShownMenu, {
    description: 'What is sold out has `in_stock: false`',
  }),
  components: Type.Array(ShownItem, {
    description:
      'Items with choices of their own that modifier items stand for, by `menu_item_external_id`: a guest who selects such a ' +
      'modifier item chooses from these too',
  }),
});
