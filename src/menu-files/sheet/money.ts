import { memoize } from '../../support/memoize.js';
import { decimalsOf, toDecimal } from '../../support/minor-units.js';

interface Currency {
  readonly decimals: number;
  /** How the currency may stand beside an amount, in lower case. */
  readonly names: readonly string[];
}

const currencyOf = memoize(100, (code: string): Currency => {
  const symbolIn = (currencyDisplay: 'symbol' | 'narrowSymbol') => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code;
  };
  return {
    decimals: decimalsOf(code),
    names: [code, symbolIn('symbol'), symbolIn('narrowSymbol')].map((name) => name.toLowerCase()),
  };
});

/** Without a currency, amounts are in the minor unit, as in the API. */
const NO_CURRENCY: Currency = { decimals: 0, names: [] };

const factsOf = (currency: string | undefined) =>
  currency === undefined ? NO_CURRENCY : currencyOf(currency);

/** Minor units as people write them: 350 is `3.50` in EUR, `350` in JPY and `0.350` in KWD. */
export function formatAmount(minor: number, currency: string | undefined, decimalSign = '.'): string {
  return toDecimal(minor, factsOf(currency).decimals, decimalSign);
}

/** Minor units of `3.50`, `3,5`, `-0.50`, `€3.50`, `1,234.50`, `1 234,50`; undefined for anything that could mean two amounts. */
export function parseAmount(text: string, currency: string | undefined): number | undefined {
  const { decimals, names } = factsOf(currency);
  const [, sign = '', unsigned = ''] = /^([+\-−]?)\s*(.*)$/s.exec(text.trim()) ?? [];
  const bare = withoutName(unsigned, names);
  const amount = parsePlain(bare, decimals) ?? parseGrouped(bare, decimals);
  if (amount === undefined || !Number.isSafeInteger(amount)) return undefined;
  return sign === '' || sign === '+' || amount === 0 ? amount : -amount;
}

function withoutName(text: string, names: readonly string[]): string {
  const lower = text.toLowerCase();
  const name = names.find((one) => lower.startsWith(one) || lower.endsWith(one));
  if (name === undefined) return text;
  return (lower.startsWith(name) ? text.slice(name.length) : text.slice(0, -name.length)).trim();
}

function parsePlain(text: string, decimals: number): number | undefined {
  const [whole, units = '', part = ''] = /^(\d*)(?:[.,](\d+))?$/.exec(text) ?? [];
  if (whole === undefined || units + part === '' || part.length > decimals) return undefined;
  return Number(units + part.padEnd(decimals, '0'));
}

/** One point or comma before three digits may be a decimal sign, unless the currency has none. */
function parseGrouped(text: string, decimals: number): number | undefined {
  const parts = /^(\d{1,3}(?:([.,'’\s])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/.exec(text);
  if (parts === null) return undefined;
  const [, units = '', separator = '', part] = parts;
  const isAmbiguous = decimals > 0 && part === undefined && /[.,]/.test(separator) && units.length < 8;
  if (isAmbiguous) return undefined;
  return parsePlain(units.replaceAll(separator, '') + (part === undefined ? '' : `.${part}`), decimals);
}

/** Rates are kept as whole millionths: 10 % is 100,000. */
const ONE = 1_000_000;

/** `10`, `10%`, `7,7 %`: per cent, with at most four decimals. */
export function parseRate(text: string): number | undefined {
  const [whole, units = '', part = ''] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s*%?$/.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : Number(units + part.padEnd(4, '0'));
}

export function formatRate(rate: number, decimalSign = '.'): string {
  return `${String(rate / 10_000).replace('.', decimalSign)}%`;
}

/** The tax within an amount: the amount less its net, which is rounded to the minor unit. */
export function taxWithin(gross: number, rate: number): number {
  const size = BigInt(Math.abs(gross));
  const divisor = BigInt(ONE + rate);
  const net = (2n * size * BigInt(ONE) + divisor) / (2n * divisor);
  const tax = Number(size - net);
  return gross < 0 && tax !== 0 ? -tax : tax;
}

/** The shortest rate that gives this tax for this net price; undefined where no rate with four decimals does. */
export function findRate(price: number, tax: number): number | undefined {
  if (tax === 0) return 0;
  const share = tax / price;
  if (!(share > 0 && share < 10)) return undefined;
  for (const step of [10_000, 1000, 100, 10, 1]) {
    const rate = Math.round((share * ONE) / step) * step;
    if (taxWithin(price + tax, rate) === tax) return rate;
  }
  return undefined;
}
