import { type FaultList, type Loc, shownExternalId } from '../faults.js';
import { changeOfFreeUnit } from '../menu/modifier-groups.js';
import { checkModifiers, type SelectedModifier } from './check-modifiers.js';
import { addProduct, multiply, toJsonNumber, type Exact } from './exact-sum.js';
import { addFault, addUnknown, checkStated, type QuoteFaults } from './line-faults.js';
import type { Openings } from './openings.js';
import type { PricedItem, PriceList } from './price-list.js';
import type { QuoteLineRequest } from './shapes.js';

/** What the lines of one order are checked with. */
export interface Checking extends QuoteFaults {
  readonly list: PriceList;
  readonly openings: Openings;
}

export interface PricedLine {
  readonly externalId: string;
  readonly item: PricedItem;
  readonly quantity: number;
  readonly modifiers: readonly SelectedModifier[];
  readonly totalPrice: number;
  readonly totalTax: number;
}

/** Checks a line of sound shape; undefined where it comes to no sum. */
export function checkLine(line: QuoteLineRequest, loc: Loc, checking: Checking): PricedLine | undefined {
  const { faults } = checking;
  const { external_id: externalId, quantity } = line;
  const item = checkItem(externalId, loc, checking);
  if (item === undefined) return undefined;
  checkStated(checking, loc, 'price', line.price, item.price);
  checkStated(checking, loc, 'tax', line.tax, item.tax);
  const modifiers = checkModifiers(item, line.modifiers ?? [], [...loc, 'modifiers'], checking);
  if (!item.isInStock) return undefined;

  const price = sumUp(item.price, modifiers, 'priceChange');
  const tax = sumUp(item.tax, modifiers, 'taxChange');
  if (price < 0 || tax < 0) {
    const what = price < 0 ? 'price' : 'tax';
    addFault(faults, loc, 'negative_line', () => ({ msg: `The ${what} of the line is below zero` }));
    return undefined;
  }
  const totalPrice = toJsonNumber(multiply(price, quantity));
  const totalTax = toJsonNumber(multiply(tax, quantity));
  if (totalPrice === undefined || totalTax === undefined) {
    addTooLarge(faults, loc, `The ${totalPrice === undefined ? 'price' : 'tax'} of the line`);
    return undefined;
  }
  return { externalId, item, quantity, modifiers, totalPrice, totalTax };
}

/** Amounts are JSON integers; a sum past them would come out as another number. */
export function addTooLarge(faults: FaultList, loc: Loc, what: string): void {
  const limit = Number.MAX_SAFE_INTEGER;
  addFault(faults, loc, 'total_too_large', () => ({ msg: `${what} is more than ${limit}`, ctx: { limit } }));
}

/** Finds the item that the line at `loc` names and tells what keeps it from being sold; undefined where there is none. */
export function checkItem(externalId: string, loc: Loc, checking: Checking): PricedItem | undefined {
  const { list, openings, effort, faults } = checking;
  const place = () => [...loc, 'external_id'];
  const item = list.findItem(externalId);
  if (item === undefined) {
    const asked = { externalId, what: 'No item', known: () => list.itemIds() };
    addUnknown(faults, place(), 'unknown_item', asked, effort);
    return undefined;
  }
  if (!item.isSoldSeparately)
    addFault(faults, place(), 'not_sold_separately', () => ({
      msg: `The item '${shownExternalId(externalId)}' is only sold with others`,
    }));
  if (!item.isInStock)
    addFault(faults, place(), 'sold_out', () => ({
      msg: `The item '${shownExternalId(externalId)}' is sold out`,
    }));
  const menus = item.menus();
  if (!openings.isOpen(menus))
    addFault(faults, place(), 'outside_hours', () => {
      const next = openings.next(menus);
      if (next === undefined)
        return { msg: `The item '${shownExternalId(externalId)}' is on no menu that opens` };
      const next_at = new Date(next).toISOString();
      return {
        msg: `The item '${shownExternalId(externalId)}' can be had again from ${next_at}`,
        ctx: { next_at },
      };
    });
  return item;
}

/** One of the item with what is selected for it. */
function sumUp(
  base: number,
  modifiers: readonly SelectedModifier[],
  change: 'priceChange' | 'taxChange',
): Exact {
  let sum: Exact = base;
  for (const { modifier, quantity, freeQuantity } of modifiers) {
    sum = addProduct(sum, modifier[change], quantity - freeQuantity);
    sum = addProduct(sum, changeOfFreeUnit(modifier[change]), freeQuantity);
  }
  return sum;
}
