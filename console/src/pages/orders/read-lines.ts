import type { Order } from '#sdk';
import { priceOf, readLines, shownName, shownQuantity, taxOf } from '../../../../src/orders/lines.js';
import { language } from '../../text/t.js';

export interface OrderLine {
  readonly quantity: string;
  readonly name: string;
  /** Of the whole line: the item and its choices, times the quantity; undefined where the item states no price. */
  readonly total: number | undefined;
  /** Of one, where there are more or choices cost extra. */
  readonly unit: number | undefined;
  readonly choices: readonly Choice[];
  /** What the guest says about it. */
  readonly note: string | undefined;
}

interface Choice {
  readonly quantity: string;
  readonly name: string;
  /** What it adds to one item, all of its units together. */
  readonly extra: number;
  /** 0 for a choice of the item, 1 for a choice of that choice, and so on. */
  readonly depth: number;
}

/** The lines of an order as the pages show them: amounts are what guests pay, with the tax in them. */
export function toOrderLines(items: Order['items']): OrderLine[] {
  return readLines(items).map((line) => {
    const { price, tax = 0, quantity, modifiers, comments } = line;
    const isPlain = quantity === 1 && modifiers.every((one) => one.extraPrice + one.extraTax === 0);
    return {
      quantity: shownQuantity(line),
      name: shownName(line, language()) ?? JSON.stringify(line.sent),
      total: price === undefined ? undefined : priceOf(line) + taxOf(line),
      unit: isPlain || price === undefined ? undefined : price + tax,
      choices: modifiers.map((modifier) => ({
        quantity: shownQuantity(modifier),
        name: shownName(modifier, language()) ?? JSON.stringify(modifier.sent),
        extra: modifier.extraPrice + modifier.extraTax,
        depth: modifier.depth,
      })),
      note: comments,
    };
  });
}

/** What the lines come to; undefined where one of them states no price. */
export function sumOf(lines: readonly OrderLine[]): number | undefined {
  return lines.reduce<number | undefined>(
    (sum, { total }) => (sum === undefined || total === undefined ? undefined : sum + total),
    0,
  );
}
