import type { StatedAmounts } from './amounts.js';
import { addProduct, toJsonNumber, type Exact } from './check-line.js';

/** Price or tax of an order, and what it consists of. The tip is outside both. */
export interface Total {
  readonly lines: number;
  readonly charges: number;
  readonly discounts: number;
  readonly expected: number;
}

/** undefined where the sum is below zero or cannot be represented exactly. */
export function totalOf(
  lines: number,
  { charges, discounts }: StatedAmounts,
  member: 'price' | 'tax',
): Total | 'negative' | undefined {
  const sum = (entries: readonly { readonly price: number; readonly tax: number }[] | null | undefined) =>
    (entries ?? []).reduce<Exact>((total, entry) => addProduct(total, entry[member], 1), 0);
  const [added, taken] = [sum(charges), sum(discounts)];
  const total = toJsonNumber(addProduct(addProduct(lines, added, 1), taken, -1));
  const parts = [toJsonNumber(added), toJsonNumber(taken)] as const;
  if (total === undefined || parts[0] === undefined || parts[1] === undefined) return undefined;
  return total < 0 ? 'negative' : { lines, charges: parts[0], discounts: parts[1], expected: total };
}
