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

/** As people write it, in any language: 1250 EUR is `12.50 EUR`, 1250 JPY is `1250 JPY`. */
export function toMoney(minor: number, currency: string | undefined): string {
  if (currency === undefined) return String(minor);
  const decimals = decimalsOf(currency);
  return `${(minor / 10 ** decimals).toFixed(decimals)} ${currency}`;
}

export function currencyStyle(currency: string): Intl.NumberFormatOptions {
  const decimals = decimalsOf(currency);
  return { style: 'currency', currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals };
}
