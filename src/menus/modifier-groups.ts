import type { Modifier, ModifierGroup } from './shapes.js';

/** What a guest can select in a modifier group, what of it is free, and what it can come to. */

/** A line's modifiers are the first level; those of a modifier item that stands for an item are the next. */
export const DEEPEST_MODIFIERS = 6;

/** The first `charge_after` units of a group are free: counts those among the next `quantity`, after `selected` others. */
export function countFreeUnits(chargeAfter: number, selected: number, quantity: number): number {
  return Math.max(0, Math.min(quantity, chargeAfter - selected));
}

/** A free unit waives what it would add to the price, or to the tax; what it takes off always counts. */
export function changeOfFreeUnit(change: number): number {
  return Math.min(change, 0);
}

export function mostUnits(groupMax: number): number {
  return groupMax === 0 ? Infinity : groupMax;
}

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
  const most = mostUnits(group.group_max);
  return [...new Set(group.modifier_item_external_ids)].flatMap((externalId) => {
    const modifier = known.get(externalId);
    return modifier === undefined || modifier.min_quantity > most ? [] : [modifier];
  });
}

/**
 * As many units as allowed of those that take something off, which counts whether they are free or not. Where these are too
 * few, others must be selected: those that are free, being selected first, add nothing, and for the rest the cheapest will do.
 */
function lowestSum(
  group: ModifierGroup,
  offered: readonly Modifier[],
  change: 'price_change' | 'tax_change',
): number {
  let room = mostUnits(group.group_max);
  let missing = group.group_min;
  let sum = 0;
  const ascending = [...offered].sort((one, other) => one[change] - other[change]);
  for (const modifier of ascending) {
    if (modifier[change] >= 0) break;
    const units = Math.min(modifier.max_quantity, room);
    room -= units;
    missing -= units;
    sum += units * modifier[change];
  }
  missing -= countFreeUnits(group.charge_after, 0, missing);
  for (const modifier of ascending) {
    if (missing <= 0) break;
    if (modifier[change] < 0) continue;
    const units = Math.min(modifier.max_quantity, missing);
    missing -= units;
    sum += units * modifier[change];
  }
  return sum;
}
