import { type FaultList, type Loc, shownExternalId } from '../faults.js';
import { countFreeUnits, mostUnits } from '../menu/modifier-groups.js';
import { addFault, addUnknown, checkStated, type QuoteFaults } from './line-faults.js';
import type { PricedGroup, PricedItem, PricedModifier } from './price-list.js';
import type { QuoteModifierRequest } from './shapes.js';

/** An entry of a line, of a modifier item that is in stock. */
export interface SelectedModifier {
  readonly groupId: string;
  readonly externalId: string;
  readonly modifier: PricedModifier;
  readonly quantity: number;
  readonly freeQuantity: number;
}

/** Units selected of a group. */
interface Selected {
  readonly group: PricedGroup;
  units: number;
}

/** Units selected of a modifier item, over all its entries. */
interface Counted {
  readonly externalId: string;
  readonly modifier: PricedModifier;
  units: number;
  lastEntry: number;
}

/** Checks what is selected for one item sold. What is unknown or sold out counts towards nothing else. */
export function checkModifiers(
  item: PricedItem,
  entries: readonly QuoteModifierRequest[],
  loc: Loc,
  checking: QuoteFaults,
): SelectedModifier[] {
  const { faults } = checking;
  const selected = new Map<number, Selected>();
  const counted = new Map<number, Counted>();
  const modifiers: SelectedModifier[] = [];
  for (const [at, entry] of entries.entries()) {
    if (faults.isHopeless) break;
    const found = checkEntry(item, entry, [...loc, at], checking);
    if (found === undefined) continue;
    const { group, modifier } = found;
    const { external_id: externalId, quantity = 1 } = entry;
    const inGroup = selected.get(group.number) ?? { group, units: 0 };
    selected.set(group.number, inGroup);
    const freeQuantity = countFreeUnits(group.chargeAfter, inGroup.units, quantity);
    inGroup.units += quantity;
    const inAll = counted.get(modifier.number) ?? { externalId, modifier, units: 0, lastEntry: at };
    counted.set(modifier.number, inAll);
    inAll.units += quantity;
    inAll.lastEntry = at;
    modifiers.push({ groupId: entry.group_external_id, externalId, modifier, quantity, freeQuantity });
  }
  for (const each of counted.values()) checkQuantity(each, loc, faults);
  for (const { group, units } of selected.values()) checkGroup(group, units, loc, faults);
  for (const group of item.requiredGroups(selected)) checkGroup(group, 0, loc, faults);
  return modifiers;
}

function checkEntry(
  item: PricedItem,
  entry: QuoteModifierRequest,
  loc: Loc,
  checking: QuoteFaults,
): { group: PricedGroup; modifier: PricedModifier } | undefined {
  const { effort, faults } = checking;
  const { group_external_id: groupId, external_id: externalId } = entry;
  const group = item.findGroup(groupId);
  if (group === undefined) {
    const asked = {
      externalId: groupId,
      what: 'No modifier group of this item',
      known: () => item.groupIds(),
    };
    addUnknown(faults, [...loc, 'group_external_id'], 'unknown_group', asked, effort);
    return undefined;
  }
  const modifier = group.findModifier(externalId);
  if (modifier === undefined) {
    const what = `No modifier item of the group '${shownExternalId(groupId)}'`;
    const asked = { externalId, what, known: () => group.modifierIds() };
    addUnknown(faults, [...loc, 'external_id'], 'unknown_modifier', asked, effort);
    return undefined;
  }
  checkStated(checking, loc, 'price_change', entry.price_change, modifier.priceChange);
  checkStated(checking, loc, 'tax_change', entry.tax_change, modifier.taxChange);
  if (modifier.isInStock) return { group, modifier };
  addFault(faults, [...loc, 'external_id'], 'sold_out', () => ({
    msg: `The modifier item '${shownExternalId(externalId)}' is sold out`,
  }));
  return undefined;
}

function checkQuantity(
  { externalId, modifier, units, lastEntry }: Counted,
  loc: Loc,
  faults: FaultList,
): void {
  const { min, max } = modifier;
  if (units >= min && units <= max) return;
  const bound = units < min ? `at least ${min}` : `at most ${max}`;
  addFault(faults, [...loc, lastEntry, 'quantity'], 'modifier_quantity', () => ({
    msg: `Of the modifier item '${shownExternalId(externalId)}' ${bound} can be selected for each item, not ${units}`,
    ctx: { external_id: externalId, min_quantity: min, max_quantity: max, selected: units },
  }));
}

function checkGroup(group: PricedGroup, units: number, loc: Loc, faults: FaultList): void {
  const { min, max } = group;
  const isOver = units > mostUnits(max);
  if (units >= min && !isOver) return;
  const bound = isOver ? `at most ${max}` : `at least ${min}`;
  addFault(faults, loc, isOver ? 'group_max' : 'group_min', () => {
    const externalId = group.externalId();
    return {
      msg: `In the modifier group '${shownExternalId(externalId)}' ${bound} should be selected for each item, not ${units}`,
      ctx: { group_external_id: externalId, group_min: min, group_max: max, selected: units },
    };
  });
}
