import { type ErrorList, type Loc, shownExternalId } from '../support/error-details.js';
import { countFreeUnits, DEEPEST_MODIFIERS, mostUnits } from '../menus/modifier-groups.js';
import { addError, addUnknown, checkLeft, checkStated, type Checking } from './checking.js';
import {
  isInStock,
  itemBehind,
  soldOutBehind,
  type PricedGroup,
  type PricedModifier,
} from '../menus/price-list.js';
import type { QuoteModifierRequest } from './shapes.js';

/** An entry of a line, of a modifier item that is in stock. */
export interface SelectedModifier {
  readonly group: PricedGroup;
  readonly modifier: PricedModifier;
  readonly quantity: number;
  readonly freeQuantity: number;
  /** What is selected for each unit, where it stands for an item with groups of its own. */
  readonly modifiers: readonly SelectedModifier[];
}

/** Units selected of a modifier item, over all its entries. */
interface Count {
  readonly units: number;
  readonly lastEntry: number;
}

/** What is selected for one item, or for one unit of a modifier item that stands for one. */
interface Selection {
  readonly entries: readonly QuoteModifierRequest[];
  readonly loc: Loc;
  /** 1 for the modifiers of a line. */
  readonly depth: number;
  /** How many times the order asks for the selection. */
  readonly units: number;
}

/** Checks what is selected in the groups of one item. What is unknown or sold out counts towards nothing else. */
export function checkModifiers(
  groups: readonly PricedGroup[],
  { entries, loc, depth, units: times }: Selection,
  checking: Checking,
): SelectedModifier[] {
  const { errors } = checking;
  const ofGroups = new Map<PricedGroup, number>();
  const ofModifiers = new Map<PricedModifier, Count>();
  const selected: SelectedModifier[] = [];
  for (const [i, entry] of entries.entries()) {
    if (errors.isHopeless) break;
    const place = [...loc, i];
    const found = findEntry(groups, entry, place, checking);
    if (found === undefined) continue;
    const { group, modifier } = found;
    const { quantity = 1 } = entry;
    const units = times * quantity;
    const isLeft = checkModifierStock(modifier, units, place, checking);
    const modifiers = checkNested(modifier, entry, { place, depth, units }, checking);
    if (!isLeft) continue;
    const before = ofGroups.get(group) ?? 0;
    const freeQuantity = countFreeUnits(group.chargeAfter, before, quantity);
    ofGroups.set(group, before + quantity);
    ofModifiers.set(modifier, {
      units: (ofModifiers.get(modifier)?.units ?? 0) + quantity,
      lastEntry: i,
    });
    selected.push({ group, modifier, quantity, freeQuantity, modifiers });
  }
  for (const [modifier, count] of ofModifiers) checkQuantity(modifier, count, loc, errors);
  for (const [group, units] of ofGroups) checkGroup(group, units, loc, errors);
  for (const group of groups) if (group.min > 0 && !ofGroups.has(group)) checkGroup(group, 0, loc, errors);
  return selected;
}

/** Below the deepest level nothing can be selected, and nothing is required. */
function checkNested(
  modifier: PricedModifier,
  { modifiers: entries = [] }: QuoteModifierRequest,
  { place, depth, units }: { readonly place: Loc; readonly depth: number; readonly units: number },
  checking: Checking,
): SelectedModifier[] {
  const groups = itemBehind(checking.list, modifier)?.groups ?? [];
  if (depth === DEEPEST_MODIFIERS || groups.length + entries.length === 0) return [];
  const selection = { entries, loc: [...place, 'modifiers'], depth: depth + 1, units };
  return checkModifiers(groups, selection, checking);
}

function findEntry(
  groups: readonly PricedGroup[],
  entry: QuoteModifierRequest,
  loc: Loc,
  checking: Checking,
): { group: PricedGroup; modifier: PricedModifier } | undefined {
  const { list, effort, errors } = checking;
  const { group_external_id: groupId, external_id: externalId } = entry;
  const group = list.groups.get(groupId);
  if (group === undefined || !groups.includes(group)) {
    const asked = {
      externalId: groupId,
      what: 'No modifier group of this item',
      known: () => groups.map((known) => known.externalId),
    };
    addUnknown(errors, [...loc, 'group_external_id'], 'unknown_group', asked, effort);
    return undefined;
  }
  const modifier = list.modifiers.get(externalId);
  if (modifier === undefined || !group.modifiers.includes(modifier)) {
    const what = `No modifier item of the group '${shownExternalId(groupId)}'`;
    const asked = { externalId, what, known: () => group.modifiers.map((known) => known.externalId) };
    addUnknown(errors, [...loc, 'external_id'], 'unknown_modifier', asked, effort);
    return undefined;
  }
  checkStated(checking, loc, 'price_change', entry.price_change, modifier.priceChange);
  checkStated(checking, loc, 'tax_change', entry.tax_change, modifier.taxChange);
  return { group, modifier };
}

function checkModifierStock(modifier: PricedModifier, units: number, loc: Loc, checking: Checking): boolean {
  const { list, errors } = checking;
  const { externalId, menuItem } = modifier;
  const place = [...loc, 'external_id'];
  const soldOut = soldOutBehind(list, modifier);
  const ctx = { menu_item_external_id: menuItem };
  if (soldOut === undefined && isInStock(list, modifier))
    return menuItem === undefined || checkLeft(checking, menuItem, units, { loc: place, ctx });
  const left = list.counts.get(itemBehind(list, modifier)?.id ?? 0);
  addError(errors, place, 'sold_out', () => ({
    msg: `The modifier item '${shownExternalId(externalId)}' is sold out`,
    ...(soldOut === undefined ? {} : { ctx: left === 0 ? { ...ctx, left } : ctx }),
  }));
  return false;
}

function checkQuantity(
  { externalId, min, max }: PricedModifier,
  { units, lastEntry }: Count,
  loc: Loc,
  errors: ErrorList,
): void {
  if (units >= min && units <= max) return;
  const bound = units < min ? `at least ${min}` : `at most ${max}`;
  addError(errors, [...loc, lastEntry, 'quantity'], 'modifier_quantity', () => ({
    msg: `The modifier item '${shownExternalId(externalId)}' allows ${bound} per item, not ${units}`,
    ctx: { external_id: externalId, min_quantity: min, max_quantity: max, selected: units },
  }));
}

function checkGroup(group: PricedGroup, units: number, loc: Loc, errors: ErrorList): void {
  const { externalId, min, max } = group;
  const isOver = units > mostUnits(max);
  if (units >= min && !isOver) return;
  const bound = isOver ? `at most ${max}` : `at least ${min}`;
  addError(errors, loc, isOver ? 'group_max' : 'group_min', () => ({
    msg: `The modifier group '${shownExternalId(externalId)}' requires ${bound} selected per item, not ${units}`,
    ctx: { group_external_id: externalId, group_min: min, group_max: max, selected: units },
  }));
}
