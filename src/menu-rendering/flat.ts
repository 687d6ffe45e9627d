import { isInStock } from '../domain/menu/marks.js';
import { offsetsByKind } from '../domain/menu/kinds.js';
import type { ParsedMenu } from './tree.js';

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
