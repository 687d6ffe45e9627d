import { type ErrorList, type Loc, shownExternalId } from '../support/error-details.js';
import { changeOfFreeUnit } from '../menus/modifier-groups.js';
import { checkModifiers, type SelectedModifier } from './check-modifiers.js';
import { addError, addUnknown, checkLeft, checkStated, type Checking } from './checking.js';
import { isInStock, type PricedItem } from '../menus/price-list.js';
import type { QuoteLineRequest } from './shapes.js';

export interface PricedLine {
  readonly externalId: string;
  readonly item: PricedItem;
  readonly quantity: number;
  readonly modifiers: readonly SelectedModifier[];
  readonly totalPrice: number;
  readonly totalTax: number;
}

/** Checks a line of valid shape; undefined if it has no total. */
export function checkLine(line: QuoteLineRequest, loc: Loc, checking: Checking): PricedLine | undefined {
  const { errors } = checking;
  const { external_id: externalId, quantity } = line;
  const item = checkItem(externalId, loc, checking);
  if (item === undefined) return undefined;
  checkStated(checking, loc, 'price', line.price, item.price);
  checkStated(checking, loc, 'tax', line.tax, item.tax);
  const isLeft =
    isInStock(checking.list, item) &&
    checkLeft(checking, externalId, quantity, { loc: [...loc, 'external_id'] });
  const selection = { entries: line.modifiers ?? [], loc: [...loc, 'modifiers'], depth: 1, units: quantity };
  const modifiers = checkModifiers(item.groups, selection, checking);
  if (!isLeft) return undefined;

  const price = sumUp(item.price, modifiers, 'priceChange');
  const tax = sumUp(item.tax, modifiers, 'taxChange');
  if (price < 0 || tax < 0) {
    const what = price < 0 ? 'price' : 'tax';
    addError(errors, loc, 'negative_line', () => ({ msg: `The ${what} of the line is below zero` }));
    return undefined;
  }
  const totalPrice = toJsonNumber(addProduct(0n, price, quantity));
  const totalTax = toJsonNumber(addProduct(0n, tax, quantity));
  if (totalPrice === undefined || totalTax === undefined) {
    addTooLarge(errors, loc, `The ${totalPrice === undefined ? 'price' : 'tax'} of the line`);
    return undefined;
  }
  return { externalId, item, quantity, modifiers, totalPrice, totalTax };
}

/** Amounts are JSON integers; a larger sum could not be represented exactly. */
export function addTooLarge(errors: ErrorList, loc: Loc, what: string): void {
  const limit = Number.MAX_SAFE_INTEGER;
  addError(errors, loc, 'total_too_large', () => ({ msg: `${what} is more than ${limit}`, ctx: { limit } }));
}

/** Finds the item of the line at `loc` and reports why it cannot be sold; undefined if there is no such item. */
export function checkItem(externalId: string, loc: Loc, checking: Checking): PricedItem | undefined {
  const { list, openings, effort, errors } = checking;
  const place = () => [...loc, 'external_id'];
  const item = list.items.get(externalId);
  if (item === undefined) {
    const asked = { externalId, what: 'No item', known: () => list.items.keys() };
    addUnknown(errors, place(), 'unknown_item', asked, effort);
    return undefined;
  }
  if (!item.isSoldSeparately)
    addError(errors, place(), 'not_sold_separately', () => ({
      msg: `The item '${shownExternalId(externalId)}' is not sold separately`,
    }));
  if (!isInStock(list, item))
    addError(errors, place(), 'sold_out', () => ({
      msg: `The item '${shownExternalId(externalId)}' is sold out`,
      ...(list.counts.get(item.id) === 0 ? { ctx: { left: 0 } } : {}),
    }));
  if (!openings.isOpen(item.menus))
    addError(errors, place(), 'outside_hours', () => {
      const next = openings.next(item.menus);
      if (next === undefined)
        return { msg: `The item '${shownExternalId(externalId)}' is on no menu that is ever open` };
      const next_at = new Date(next).toISOString();
      return {
        msg: `The item '${shownExternalId(externalId)}' is not available until ${next_at}`,
        ctx: { next_at },
      };
    });
  return item;
}

/** Price and tax of one unit with its modifiers, and theirs in turn. */
function sumUp(
  base: number,
  modifiers: readonly SelectedModifier[],
  change: 'priceChange' | 'taxChange',
): bigint {
  let sum = BigInt(base);
  for (const { modifier, quantity, freeQuantity, modifiers: nested } of modifiers) {
    sum = addProduct(sum, modifier[change], quantity - freeQuantity);
    sum = addProduct(sum, changeOfFreeUnit(modifier[change]), freeQuantity);
    if (nested.length > 0) sum = addProduct(sum, sumUp(0, nested, change), quantity);
  }
  return sum;
}

/** Exact, however large the amounts are. */
function addProduct(sum: bigint, factor: number | bigint, times: number): bigint {
  return sum + BigInt(factor) * BigInt(times);
}

/** Undefined if a JSON number cannot hold it exactly. */
function toJsonNumber(sum: bigint): number | undefined {
  const value = Number(sum);
  return Number.isSafeInteger(value) ? value : undefined;
}
