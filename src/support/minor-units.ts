/**
 * ISO 4217: how many decimals a currency has, where it is not two. Intl follows the engine's own data, which differ between
 * browsers and versions of Node: a forint would be worth a hundred times as much on one phone as on another.
 */
const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, Number(decimals)] as const)),
);

export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency.toUpperCase()) ?? 2;
}

/** `-6.50` of -650; not by division, which is inexact for large amounts. */
export function toDecimal(minor: number, decimals: number, decimalSign = '.'): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const sign = minor < 0 ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}${decimalSign}${digits.slice(-decimals)}`;
}

/** As people write it, in any language: 1250 EUR is `12.50 EUR`, 1250 JPY is `1250 JPY`. */
export function toMoney(minor: number, currency: string | undefined): string {
  if (currency === undefined) return String(minor);
  const decimals = decimalsOf(currency);
  return `${(minor / 10 ** decimals).toFixed(decimals)} ${currency}`;
}

/** Whether a sign is written for what is added too, as for a choice. */
export type Signs = 'auto' | 'exceptZero';

/** As people of a locale write it. The locale places the sign: in Arabic, digits are read from the left and all else from the right. */
export function formatMoney(
  minor: number,
  currency: string | undefined,
  locale: string | undefined,
  signDisplay: Signs = 'auto',
): string {
  if (currency === undefined) return formatNumber(minor, locale, { signDisplay });
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const style = { style: 'currency', currency, signDisplay, ...digits } as const;
  // In a text from right to left, the ¥ of `JP¥` would stand left of the J: the mark keeps it with the letters.
  return formatNumber(minor / 10 ** decimals, locale, style).replace(
    /(?<=[\u200f\u061c].*[A-Z]\p{Sc})/u,
    '\u200e',
  );
}

/** With a minus that is as wide as a plus. */
export function formatNumber(
  value: number,
  locale: string | undefined,
  options: Intl.NumberFormatOptions,
): string {
  return new Intl.NumberFormat(locale, options).format(value).replace('-', '−');
}
