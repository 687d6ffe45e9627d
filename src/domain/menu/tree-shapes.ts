import Type from 'typebox';
import { MultilingualText } from '../shape/common-shapes.js';
import { Availability } from './hours.js';
import { DietaryLabel } from './shapes.js';

/** The menu configuration as a tree: shared entities nested wherever they are referenced. */

const ModifierItemTree = Type.Object(
  {
    id: Type.Integer(),
    external_id: Type.String(),
    name: MultilingualText,
    price_change: Type.Integer(),
    tax_change: Type.Integer(),
    in_stock: Type.Boolean(),
    min_quantity: Type.Integer(),
    max_quantity: Type.Integer(),
    default_quantity: Type.Integer(),
    menu_item_external_id: Type.Optional(Type.String()),
    description: Type.Optional(MultilingualText),
  },
  { $id: 'ModifierItemTree' },
);

const ModifierGroupTree = Type.Object(
  {
    id: Type.Integer(),
    external_id: Type.String(),
    type: Type.String(),
    name: MultilingualText,
    group_max: Type.Integer(),
    group_min: Type.Integer(),
    charge_after: Type.Integer(),
    modifier_items: Type.Array(ModifierItemTree),
    description: Type.Optional(MultilingualText),
  },
  { $id: 'ModifierGroupTree' },
);

const MenuItemTree = Type.Object(
  {
    id: Type.Integer(),
    external_id: Type.String(),
    name: MultilingualText,
    price: Type.Integer(),
    tax: Type.Integer(),
    in_stock: Type.Boolean(),
    sell_separately: Type.Boolean(),
    modifier_groups: Type.Array(ModifierGroupTree),
    description: Type.Optional(MultilingualText),
    ingredients: Type.Optional(Type.String()),
    allergens: Type.Optional(Type.String()),
    dietary_labels: Type.Optional(Type.Array(DietaryLabel)),
    prep_time: Type.Optional(Type.Integer()),
    alcohol_by_volume: Type.Optional(Type.Number()),
    prep_type: Type.Optional(Type.String()),
  },
  { $id: 'MenuItemTree' },
);

const CategoryTree = Type.Object(
  {
    id: Type.Integer(),
    external_id: Type.String(),
    name: MultilingualText,
    items: Type.Array(MenuItemTree),
    description: Type.Optional(MultilingualText),
  },
  { $id: 'CategoryTree' },
);

export const MenuTree = Type.Object(
  {
    id: Type.Integer(),
    external_id: Type.String(),
    name: MultilingualText,
    categories: Type.Array(CategoryTree),
    availability: Type.Array(Availability),
  },
  { $id: 'MenuTree' },
);

export const MenuConfigurationTree = Type.Object(
  { menu_configuration: Type.Array(MenuTree) },
  { $id: 'MenuConfigurationTree' },
);
