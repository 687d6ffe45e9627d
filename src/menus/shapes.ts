import { Type, type Static, type TProperties } from '../support/shape/type.js';
import type { Limits } from '../support/limits.js';
import {
  ExternalId,
  FreeFormMap,
  MultilingualText,
  NamedShape,
  OneOf,
} from '../support/shape/common-shapes.js';
import { Availability } from '../calendar/hours.js';
import { byKind, KINDS, type Counts } from './kinds.js';

/** The menu configuration on the wire, as it is posted and as the flat form gives it back. */

const Money = () => Type.Integer({ minimum: 0, description: "In the minor unit of the store's currency" });
const Count = () => Type.Integer({ minimum: 0 });
const Text = () => Type.String({ maxLength: 10_000 });
const ReferenceList = (to: string) =>
  Type.Optional(Type.Array(Type.String(), { description: `external_id values of ${to}` }));

export const DIETARY_LABELS = ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'] as const;
const DietaryLabel = OneOf(DIETARY_LABELS);

export const menuFields = {
  external_id: ExternalId(),
  availability: Type.Array(Availability, { description: 'Empty: always available' }),
  name: Type.Optional(MultilingualText),
  category_external_ids: ReferenceList('categories'),
};
export const categoryFields = {
  external_id: ExternalId(),
  name: MultilingualText,
  description: Type.Optional(MultilingualText),
  item_external_ids: ReferenceList('items'),
};
export const itemFields = {
  external_id: ExternalId(),
  name: MultilingualText,
  price: Money(),
  tax: Money(),
  sell_separately: Type.Boolean(),
  description: Type.Optional(MultilingualText),
  in_stock: Type.Optional(Type.Boolean()),
  ingredients: Type.Optional(Text()),
  allergens: Type.Optional(Text()),
  dietary_labels: Type.Optional(Type.Array(DietaryLabel)),
  prep_time: Type.Optional(Type.Integer({ minimum: 0, description: 'Minutes' })),
  alcohol_by_volume: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Per cent' })),
  modifier_external_ids: ReferenceList('modifier groups'),
};
export const modifierGroupFields = {
  external_id: ExternalId(),
  type: Type.String({ minLength: 1, maxLength: 10_000 }),
  name: MultilingualText,
  group_max: Count(),
  group_min: Count(),
  charge_after: Count(),
  description: Type.Optional(MultilingualText),
  modifier_item_external_ids: ReferenceList('modifier items'),
};
export const modifierItemFields = {
  external_id: ExternalId(),
  name: MultilingualText,
  price_change: Type.Integer(),
  tax_change: Type.Integer(),
  min_quantity: Count(),
  max_quantity: Count(),
  default_quantity: Count(),
  menu_item_external_id: Type.Optional(Type.String({ description: 'external_id of an item' })),
  description: Type.Optional(MultilingualText),
  in_stock: Type.Optional(Type.Boolean()),
};

const MenuRequest = Type.Object(menuFields, { $id: 'MenuRequest' });
const CategoryRequest = Type.Object(categoryFields, { $id: 'CategoryRequest' });
const MenuItemRequest = Type.Object(itemFields, { $id: 'MenuItemRequest' });
const ModifierGroupRequest = Type.Object(modifierGroupFields, { $id: 'ModifierGroupRequest' });
const ModifierItem = Type.Object(modifierItemFields, { $id: 'ModifierItem' });

const REQUESTS = {
  menu: MenuRequest,
  category: CategoryRequest,
  item: MenuItemRequest,
  modifier_group: ModifierGroupRequest,
  modifier_item: ModifierItem,
};

/** The names of the fields that each kind may have in a body, and of those that it must have. */
export const FIELDS_OF = byKind((kind): readonly string[] => Object.keys(REQUESTS[kind].properties));
export const REQUIRED_FIELDS_OF = byKind((kind): readonly string[] => REQUESTS[kind].required);

export function entityLimits(limits: Limits): Counts {
  return {
    items: limits.items,
    menus: limits.menus,
    categories: limits.categories,
    modifier_groups: limits.modifierGroups,
    modifier_items: limits.modifierItems,
  };
}

export function menuConfigurationRequest(limits: Counts) {
  return NamedShape('MenuConfigurationRequest', {
    items: Type.Array(MenuItemRequest, { maxItems: limits.items }),
    menus: Type.Optional(Type.Array(MenuRequest, { maxItems: limits.menus })),
    categories: Type.Optional(Type.Array(CategoryRequest, { maxItems: limits.categories })),
    modifier_groups: Type.Optional(Type.Array(ModifierGroupRequest, { maxItems: limits.modifier_groups })),
    modifier_items: Type.Optional(Type.Array(ModifierItem, { maxItems: limits.modifier_items })),
  });
}

export const MOST_CHANGES = 10_000;

export const MenuChanges = NamedShape('MenuChanges', {
  changes: Type.Array(
    NamedShape('MenuChange', {
      kind: OneOf(KINDS),
      external_id: ExternalId(),
      set: Type.Optional(
        FreeFormMap({
          description: 'JSON Merge Patch (RFC 7396) of the entity: null clears a field, lists are replaced',
        }),
      ),
      add: Type.Optional(Type.Boolean({ description: 'Whether it is new; it goes to the end of its list' })),
      remove: Type.Optional(Type.Boolean()),
    }),
    { maxItems: MOST_CHANGES },
  ),
});

const flatList = (fields: TProperties, $id: string) =>
  Type.Optional(Type.Array(Type.Object({ ...fields, id: Type.Integer() }, { $id })));

export const MenuConfigurationFlat = NamedShape('MenuConfigurationFlat', {
  menus: flatList(menuFields, 'MenuFlat'),
  categories: flatList(categoryFields, 'CategoryFlat'),
  items: flatList(itemFields, 'MenuItemFlat'),
  modifier_groups: flatList(modifierGroupFields, 'ModifierGroupFlat'),
  modifier_items: flatList(modifierItemFields, 'ModifierItemFlat'),
});

export type Menu = Static<typeof MenuRequest>;
export type Category = Static<typeof CategoryRequest>;
export type Item = Static<typeof MenuItemRequest>;
export type ModifierGroup = Static<typeof ModifierGroupRequest>;
export type Modifier = Static<typeof ModifierItem>;
export type MenuConfiguration = Static<ReturnType<typeof menuConfigurationRequest>>;
