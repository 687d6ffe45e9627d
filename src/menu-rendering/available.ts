import { localTime, type ZonedMoment } from '../domain/menu/hours.js';
import { isInStock } from '../domain/menu/marks.js';
import { offsetsByKind } from '../domain/menu/kinds.js';
import { findOrderable, type Orderable } from '../domain/menu/orderable.js';
import type { Fragments } from './fragments.js';
import { treeFragments, type ParsedMenu, type Selection } from './tree.js';

/** The tree as a guest can order it at that moment, with the reasons for what is left out. */
export function availableFragments(menu: ParsedMenu, { at, timezone }: ZonedMoment): Fragments {
  const moment = new Date(at);
  const orderable = findOrderable(menu.configuration, stockView(menu), localTime(moment, timezone));
  return treeFragments(menu, selection(orderable), {
    head: `{"at":${JSON.stringify(moment)},"timezone":${JSON.stringify(timezone)},"menu_configuration":[`,
    tail: `],"left_out":${JSON.stringify(orderable.leftOut)}}`,
  });
}

function stockView({ configuration, ids, marks }: ParsedMenu) {
  const offsets = offsetsByKind(configuration);
  const markOf = (number: number) => marks.get(ids[number] ?? 0);
  return {
    isItemInStock: (position: number) =>
      isInStock(markOf(offsets.item + position), configuration.items[position]?.in_stock),
    isModifierInStock: (position: number) =>
      isInStock(markOf(offsets.modifier_item + position), configuration.modifier_items?.[position]?.in_stock),
  };
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
