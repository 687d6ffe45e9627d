import { ValidationFailed, type Loc } from '../faults.js';
import type { Limits } from '../limits.js';
import type { VersionFacts } from './publication.js';
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

export interface TreeLimit {
  readonly mostBytes: number;
  /** Bytes of the store's longest prep_type, as JSON writes it. */
  readonly longestPrepType: number;
  readonly loc?: Loc;
}

/** Ids have at most 16 digits where the least size counts one, and `false` is longer than `true`. */
const MOST_EXTRA_BYTES = 16;

/**
 * Shared entities are nested wherever they are referenced, so a small configuration can expand without bound. What the
 * tree takes at most, whatever ids and marks its entities get, is known before it is built, and is what is refused.
 */
export function refuseLargeTree(
  { treeBytes, treeEntities }: Pick<VersionFacts, 'treeBytes' | 'treeEntities'>,
  { mostBytes, longestPrepType, loc = ['body'] }: TreeLimit,
): void {
  const prepType = longestPrepType === 0 ? 0 : longestPrepType + ',"prep_type":'.length;
  const bytes = treeBytes + treeEntities * (MOST_EXTRA_BYTES + prepType);
  if (bytes <= mostBytes) return;
  const msg = `The tree could take ${bytes} bytes, more than the ${mostBytes} that are allowed`;
  throw new ValidationFailed([{ loc, msg, type: 'tree_too_large', ctx: { limit: mostBytes } }]);
}
