import { memoize } from '../domain/memoize.js';

const formatOf = memoize(100, (currency) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions(),
);

/** Minor units as people write them: 1250 EUR is `12.50 EUR`, 1250 JPY is `1250 JPY`. */
export function toMoney(minor: number, currency: string | undefined): string {
  if (currency === undefined) return String(minor);
  const digits = formatOf(currency).maximumFractionDigits ?? 2;
  return `${(minor / 10 ** digits).toFixed(digits)} ${currency}`;
}
