import {
  changeOfFreeUnit,
  countFreeUnits,
  DEEPEST_MODIFIERS,
  mostUnits,
} from '../../src/menus/modifier-groups.js';
import type { Group, Item, Line, Modifier, ModifierLine, Total } from './api.js';

/** What a guest chooses for one item: how many of each modifier of each group, and for those that are items, in turn. */

export interface Chosen {
  readonly quantity: number;
  readonly choices: Choices;
}

/** By external_id of the group, then of the modifier; what is not chosen is not there. */
export type Choices = Readonly<Record<string, Readonly<Record<string, Chosen>>>>;

const NOTHING: Choices = {};

/** Finds an item of the menu that a modifier may stand for. */
export type FindItem = (externalId: string) => Item | undefined;

/** The groups of what a modifier stands for; below the deepest level nothing can be chosen. */
export function groupsBehind(modifier: Modifier, depth: number, findItem: FindItem): readonly Group[] {
  const { menu_item_external_id: behind } = modifier;
  if (behind === undefined || depth >= DEEPEST_MODIFIERS) return [];
  return findItem(behind)?.modifier_groups ?? [];
}

export function chosenOf(choices: Choices, group: Group, modifier: Modifier): Chosen | undefined {
  const inGroup = own(choices, group.external_id);
  return inGroup && own(inGroup, modifier.external_id);
}

/** An external_id may be the name of something that every object has. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

export function countOf(choices: Choices, group: Group): number {
  return group.modifier_items.reduce(
    (sum, modifier) => sum + (chosenOf(choices, group, modifier)?.quantity ?? 0),
    0,
  );
}

interface Around {
  /** 1 for the groups of the item itself. */
  readonly depth: number;
  readonly findItem: FindItem;
  /** The items that the choice is nested in. */
  readonly within?: readonly Item[];
}

/** What is chosen before the guest has touched anything: the defaults, as far as they can be had. */
export function defaultsOf(groups: readonly Group[], { depth, findItem, within = [] }: Around): Choices {
  let choices = NOTHING;
  for (const group of groups) {
    let room = mostUnits(group.group_max);
    for (const modifier of group.modifier_items) {
      const quantity = Math.min(modifier.default_quantity, room);
      if (!modifier.in_stock || quantity === 0 || quantity < modifier.min_quantity) continue;
      room -= quantity;
      choices = choose(choices, group, modifier, quantity, { depth, findItem, within });
    }
  }
  return choices;
}

/** With so many of the modifier; what it stands for comes with its own defaults when it is chosen first. */
export function choose(
  choices: Choices,
  group: Group,
  modifier: Modifier,
  quantity: number,
  { depth, findItem, within = [] }: Around,
): Choices {
  if (quantity === 0) return withChosen(choices, group, modifier, undefined);
  const before = chosenOf(choices, group, modifier);
  const behind = findItem(modifier.menu_item_external_id ?? '');
  // An item that is offered within itself would be chosen in itself, and there again.
  const isNew = behind !== undefined && !within.includes(behind);
  const nested = isNew
    ? defaultsOf(groupsBehind(modifier, depth, findItem), {
        depth: depth + 1,
        findItem,
        within: [...within, behind],
      })
    : NOTHING;
  return withChosen(choices, group, modifier, { quantity, choices: before?.choices ?? nested });
}

export function withChosen(
  choices: Choices,
  group: Group,
  modifier: Modifier,
  chosen: Chosen | undefined,
): Choices {
  const { [modifier.external_id]: _, ...others } = own(choices, group.external_id) ?? {};
  const inGroup = chosen === undefined ? others : { ...others, [modifier.external_id]: chosen };
  return { ...choices, [group.external_id]: inGroup };
}

/** One alone can be chosen, so that another takes its place. */
export function isSingle(group: Group): boolean {
  return group.group_max === 1;
}

/** How many of the modifier may be chosen beside what is. */
export function mostOf(choices: Choices, group: Group, modifier: Modifier): number {
  const present = chosenOf(choices, group, modifier)?.quantity ?? 0;
  const room = isSingle(group) ? 1 : mostUnits(group.group_max) - countOf(choices, group) + present;
  const most = Math.min(modifier.max_quantity, room);
  return most < modifier.min_quantity ? 0 : most;
}

export interface Problem {
  readonly type: 'too_few' | 'too_many' | 'sold_out' | 'gone';
  readonly group?: Group;
  readonly modifier?: Modifier;
}

/** Why the choices cannot be ordered from the menu as it is now. */
export function findProblems(
  groups: readonly Group[],
  choices: Choices,
  findItem: FindItem,
  depth = 1,
): Problem[] {
  const problems: Problem[] = [];
  const known = new Set<string>();
  for (const group of groups) {
    for (const modifier of group.modifier_items) {
      const chosen = chosenOf(choices, group, modifier);
      if (chosen === undefined) continue;
      known.add(`${group.external_id}\n${modifier.external_id}`);
      if (!modifier.in_stock) problems.push({ type: 'sold_out', group, modifier });
      const { quantity } = chosen;
      if (quantity > modifier.max_quantity || quantity < modifier.min_quantity)
        problems.push({ type: 'too_many', group, modifier });
      const behind = groupsBehind(modifier, depth, findItem);
      problems.push(...findProblems(behind, chosen.choices, findItem, depth + 1));
    }
    const count = countOf(choices, group);
    if (count < group.group_min) problems.push({ type: 'too_few', group });
    if (count > mostUnits(group.group_max)) problems.push({ type: 'too_many', group });
  }
  for (const [group, inGroup] of Object.entries(choices))
    for (const modifier of Object.keys(inGroup))
      if (!known.has(`${group}\n${modifier}`)) problems.push({ type: 'gone' });
  return problems;
}

/** As the quote counts it: entries in the order of the menu, of which the first `charge_after` units of a group are free. */
export function priceOf(item: Item, choices: Choices, findItem: FindItem): Total {
  const changes = changesOf(item.modifier_groups, choices, findItem, 1);
  return { price: item.price + changes.price, tax: item.tax + changes.tax };
}

function changesOf(groups: readonly Group[], choices: Choices, findItem: FindItem, depth: number): Total {
  let [price, tax] = [0, 0];
  for (const group of groups) {
    let before = 0;
    for (const modifier of group.modifier_items) {
      const chosen = chosenOf(choices, group, modifier);
      if (chosen === undefined) continue;
      const { quantity } = chosen;
      const free = countFreeUnits(group.charge_after, before, quantity);
      const nested = changesOf(groupsBehind(modifier, depth, findItem), chosen.choices, findItem, depth + 1);
      const sum = (change: number, inner: number) =>
        (quantity - free) * change + free * changeOfFreeUnit(change) + quantity * inner;
      price += sum(modifier.price_change, nested.price);
      tax += sum(modifier.tax_change, nested.tax);
      before += quantity;
    }
  }
  return { price, tax };
}

export function toLine(
  item: Item,
  quantity: number,
  choices: Choices,
  note: string,
  findItem: FindItem,
): Line {
  return {
    external_id: item.external_id,
    quantity,
    modifiers: toModifiers(item.modifier_groups, choices, findItem, 1),
    ...(note === '' ? {} : { comments: note }),
  };
}

function toModifiers(
  groups: readonly Group[],
  choices: Choices,
  findItem: FindItem,
  depth: number,
): ModifierLine[] {
  return groups.flatMap((group) =>
    group.modifier_items.flatMap((modifier) => {
      const chosen = chosenOf(choices, group, modifier);
      if (chosen === undefined) return [];
      const behind = groupsBehind(modifier, depth, findItem);
      const modifiers = toModifiers(behind, chosen.choices, findItem, depth + 1);
      return {
        group_external_id: group.external_id,
        external_id: modifier.external_id,
        quantity: chosen.quantity,
        ...(modifiers.length === 0 ? {} : { modifiers }),
      };
    }),
  );
}

export interface Named {
  readonly modifier: Modifier;
  readonly quantity: number;
}

/** Everything chosen, in the order of the menu, what is nested after what it is nested in. */
export function listChosen(
  groups: readonly Group[],
  choices: Choices,
  findItem: FindItem,
  depth = 1,
): Named[] {
  return groups.flatMap((group) =>
    group.modifier_items.flatMap((modifier) => {
      const chosen = chosenOf(choices, group, modifier);
      if (chosen === undefined) return [];
      const behind = groupsBehind(modifier, depth, findItem);
      return [
        { modifier, quantity: chosen.quantity },
        ...listChosen(behind, chosen.choices, findItem, depth + 1),
      ];
    }),
  );
}

/** The modifier at a place in a line, such as `["modifiers", 1, "modifiers", 0, "external_id"]`. */
export function modifierAt(
  item: Item,
  entries: readonly ModifierLine[],
  loc: readonly (string | number)[],
  findItem: FindItem,
): Modifier | undefined {
  const [list, i, ...deeper] = loc;
  const entry = list === 'modifiers' ? entries[Number(i)] : undefined;
  const group = item.modifier_groups.find((one) => one.external_id === entry?.group_external_id);
  const modifier = group?.modifier_items.find((one) => one.external_id === entry?.external_id);
  const behind = findItem(modifier?.menu_item_external_id ?? '');
  const nested = behind && modifierAt(behind, entry?.modifiers ?? [], deeper, findItem);
  return nested ?? modifier;
}
