import type { Limits } from '../limits.js';
import type { EntityLimits } from './shapes.js';

export type MenuLimits = Pick<
  Limits,
  | 'bodyBytes'
  | 'jsonDepth'
  | 'items'
  | 'modifierItems'
  | 'modifierGroups'
  | 'categories'
  | 'menus'
  | 'treeBytes'
>;

export function entityLimits(limits: MenuLimits): EntityLimits {
  return {
    items: limits.items,
    menus: limits.menus,
    categories: limits.categories,
    modifier_groups: limits.modifierGroups,
    modifier_items: limits.modifierItems,
  };
}
