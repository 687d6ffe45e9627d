import type { Modifier, ModifierGroup } from './shapes.js';

/** What a guest can select in a modifier group, and what that can come to. */

/** Whether the modifier items of the group, each taken as often as it can be, come to its least number of units. */
export function reachesLeast(group: ModifierGroup, mostOf: ReadonlyMap<string, number>): boolean {
  if (group.group_min === 0) return true;
  const offered = new Set(group.modifier_item_external_ids);
  let units = 0;
  for (const modifier of offered) units += mostOf.get(modifier) ?? 0;
  return units >= group.group_min;
}

/** The least that the units selected in a group can add to the price and to the tax of an item. */
export function lowestChanges(
  group: ModifierGroup,
  known: ReadonlyMap<string, Modifier>,
): { readonly price: number; readonly tax: number } {
  const offered = offeredIn(group, known);
  return { price: lowestSum(group, offered, 'price_change'), tax: lowestSum(group, offered, 'tax_change') };
}

function offeredIn(group: ModifierGroup, known: ReadonlyMap<string, Modifier>): Modifier[] {
  const most = mostIn(group);
  return [...new Set(group.modifier_item_external_ids)].flatMap((externalId) => {
    const modifier = known.get(externalId);
    return modifier === undefined || modifier.min_quantity > most ? [] : [modifier];
  });
}

/**
 * As many units as allowed of those that take something off, and where these are too few, the cheapest of the others, of
 * which the first so many are free.
 */
function lowestSum(
  group: ModifierGroup,
  offered: readonly Modifier[],
  change: 'price_change' | 'tax_change',
): number {
  let room = mostIn(group);
  let missing = group.group_min;
  let free = group.charge_after;
  let sum = 0;
  const ascending = [...offered].sort((one, other) => one[change] - other[change]);
  for (const modifier of ascending) {
    if (modifier[change] >= 0) break;
    const units = Math.min(modifier.max_quantity, room);
    room -= units;
    missing -= units;
    sum += units * modifier[change];
  }
  free = Math.min(free, Math.max(0, missing));
  missing -= free;
  for (const modifier of ascending) {
    if (missing <= 0) break;
    if (modifier[change] < 0) continue;
    const units = Math.min(modifier.max_quantity, missing);
    missing -= units;
    sum += units * modifier[change];
  }
  return sum;
}

function mostIn({ group_max }: ModifierGroup): number {
  return group_max === 0 ? Infinity : group_max;
}
