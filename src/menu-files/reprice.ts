import { findRate, parseAmount, parseRate, taxWithin } from './sheet/money.js';

export interface Price {
  readonly price: number;
  readonly tax: number;
}

/** A change in millionths of the price, or by an amount in the minor unit. */
export type PriceChange = { readonly by: 'share' | 'amount'; readonly value: number };

/** `+5%`, `-2.5 %`, `+0.20`; without a sign it would be unclear whether it is the new price. */
export function parsePriceChange(text: string, currency: string | undefined): PriceChange | undefined {
  const [, sign, size = ''] = /^([+\-−])([^+\-−].*)$/s.exec(text.trim()) ?? [];
  if (sign === undefined) return undefined;
  const isShare = size.endsWith('%');
  const value = isShare ? parseRate(size) : parseAmount(size, currency);
  if (value === undefined) return undefined;
  return { by: isShare ? 'share' : 'amount', value: sign === '+' ? value : -value };
}

export interface RepriceOptions {
  readonly change: PriceChange;
  /** The new price is a multiple of this many minor units. */
  readonly roundTo: number;
  /** Change and round the price before tax, instead of what the guest pays. */
  readonly isNet: boolean;
  /** In millionths; where it is not stated, each price keeps the rate that it has. */
  readonly taxRate?: number | undefined;
}

const ONE = 1_000_000;

/** Never below zero. */
export function reprice({ price, tax }: Price, options: RepriceOptions): Price {
  const { change, roundTo, isNet } = options;
  const rate = options.taxRate ?? findRate(price, tax) ?? (price === 0 ? 0 : (tax / price) * ONE);
  const before = isNet ? price : price + tax;
  const target = change.by === 'share' ? (before * (ONE + change.value)) / ONE : before + change.value;
  const after = Math.max(0, Math.round(target / roundTo) * roundTo);
  if (isNet) return { price: after, tax: Math.round((after * rate) / ONE) };
  const taxAfter = taxWithin(after, Math.round(rate));
  return { price: after - taxAfter, tax: taxAfter };
}
