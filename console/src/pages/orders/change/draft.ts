import { ApiError, type ErrorDetail, type ManagedOrder, type QuoteLine, type QuoteModifier } from '#sdk';
import type { Group, Item } from '../../../../../guest/src/api.js';
import { countFreeUnits } from '../../../../../src/menus/modifier-groups.js';
import { priceOf, readLines, taxOf } from '../../../../../src/orders/lines.js';
import { chosenOf, groupsBehind, type Choices, type FindItem } from '../../../../../guest/src/choices.js';

export type Sent = ManagedOrder['items'][number];

/** A line of the order as it is to be. */
export interface DraftLine {
  readonly sent: Sent;
  /** The same with names in the language of the staff. Default: with the names that are sent. */
  readonly named?: Sent;
  readonly quantity: number;
  /** How many the order has now; 0 for a line that is new. */
  readonly was: number;
}

export interface Total {
  readonly price: number;
  readonly tax: number;
}

export function draftOf({ items }: ManagedOrder): DraftLine[] {
  return readLines(items).map(({ quantity }, i) => ({ sent: items[i] ?? {}, quantity, was: quantity }));
}

/** Lines that stay are sent as they came, byte for byte. */
export function itemsOf(lines: readonly DraftLine[]): Sent[] {
  return lines.flatMap(({ sent, quantity, was }) =>
    quantity === 0 ? [] : [quantity === was ? sent : { ...sent, quantity }],
  );
}

/** The same for people to read. */
export const namedItemsOf = (lines: readonly DraftLine[]) =>
  itemsOf(lines.map((line) => ({ ...line, sent: withNames(line.sent, line.named) })));

export const isChanged = (lines: readonly DraftLine[]) => lines.some(({ quantity, was }) => quantity !== was);

/** What the order comes to with these lines: moved by as much as its lines are. */
export function totalOf(order: ManagedOrder, lines: readonly DraftLine[]): Total {
  const before = readLines(order.items);
  const after = readLines(itemsOf(lines));
  const moved = (amountOf: typeof priceOf) =>
    after.reduce((sum, line) => sum + amountOf(line), 0) -
    before.reduce((sum, line) => sum + amountOf(line), 0);
  return { price: order.price + moved(priceOf), tax: order.tax + moved(taxOf) };
}

/** The total by the menu, where that is all that was wrong with the one that was shown. */
export function totalByMenu(error: unknown, shown: Total): Total | undefined {
  if (!(error instanceof ApiError) || error.status !== 422 || !Array.isArray(error.detail)) return undefined;
  const errors = error.detail as (ErrorDetail & { readonly ctx?: { readonly expected?: number } })[];
  const isAmount = ({ type, loc }: ErrorDetail) =>
    (type === 'price_mismatch' || type === 'tax_mismatch') && loc.length === 2;
  if (!errors.every(isAmount)) return undefined;
  const expected = (type: string) => errors.find((error) => error.type === type)?.ctx?.expected;
  return {
    price: expected('price_mismatch') ?? shown.price,
    tax: expected('tax_mismatch') ?? shown.tax,
  };
}

const AMOUNTS = new Set(['price', 'tax', 'price_change', 'tax_change', 'free_quantity']);

/** A line with the amounts of its quote; without a quote it has none, so that the menu of now decides. */
export function priced(line: Sent, quoted: QuoteLine | QuoteModifier | undefined): Sent {
  const { modifiers, ...own } = line;
  const nested = Array.isArray(modifiers) ? (modifiers as readonly Sent[]) : [];
  return {
    ...Object.fromEntries([
      ...Object.entries(own).filter(([key]) => !AMOUNTS.has(key)),
      ...Object.entries(quoted ?? {}).filter(([key]) => AMOUNTS.has(key)),
    ]),
    modifiers: nested.map((one, i) => priced(one, quoted?.modifiers?.[i])),
  };
}

/** What is sent, with other names. */
export function withNames(sent: Sent, named: Sent | undefined): Sent {
  if (named === undefined) return sent;
  const modifiersOf = (line: Sent) => (line['modifiers'] ?? []) as readonly Sent[];
  const modifiers = modifiersOf(sent).map((one, i) => withNames(one, modifiersOf(named)[i]));
  return { ...sent, name: named['name'], modifiers };
}

/** A line for an item of the menu. */
export function newLine(
  item: Item,
  choices: Choices,
  findItem: FindItem,
  wordsOf: (name: Item['name']) => string,
): Sent {
  const modifiersOf = (groups: readonly Group[], chosenHere: Choices, depth: number): object[] =>
    groups.flatMap((group) => {
      let before = 0;
      return group.modifier_items.flatMap((modifier) => {
        const chosen = chosenOf(chosenHere, group, modifier);
        if (chosen === undefined) return [];
        const free = countFreeUnits(group.charge_after, before, chosen.quantity);
        before += chosen.quantity;
        const behind = groupsBehind(modifier, depth, findItem);
        const nested = modifiersOf(behind, chosen.choices, depth + 1);
        return {
          group_external_id: group.external_id,
          external_id: modifier.external_id,
          name: wordsOf(modifier.name),
          quantity: chosen.quantity,
          ...(free === 0 ? {} : { free_quantity: free }),
          price_change: modifier.price_change,
          tax_change: modifier.tax_change,
          ...(nested.length === 0 ? {} : { modifiers: nested }),
        };
      });
    });
  return {
    external_id: item.external_id,
    name: wordsOf(item.name),
    quantity: 1,
    price: item.price,
    tax: item.tax,
    modifiers: modifiersOf(item.modifier_groups, choices, 1),
  };
}
