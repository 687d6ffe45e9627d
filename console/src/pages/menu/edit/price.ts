import {
  findRate,
  formatAmount,
  formatRate,
  parseAmount,
  parseRate,
  taxWithin,
} from '../../../../../src/menu-files/sheet/money.js';
import { FieldError, formText } from '../../../ui/field.js';
import { t } from '../../../text/t.js';
import type { Entity } from './draft.js';

/** A price as guests see it, and the rate of the tax in it, as they stand in two fields. */
export interface PriceTexts {
  readonly gross: string;
  readonly rate: string;
}

export interface Price {
  readonly price: number;
  readonly tax: number;
}

/** Where an entity has its price, and the tax on it. */
export const PRICE_FIELDS = {
  item: ['price', 'tax'],
  modifier_item: ['price_change', 'tax_change'],
} as const;

export function priceOf(kind: keyof typeof PRICE_FIELDS, entity: Entity): Price {
  const [price, tax] = PRICE_FIELDS[kind];
  return { price: entity[price] as number, tax: entity[tax] as number };
}

export function toPriceTexts({ price, tax }: Price, currency: string | undefined): PriceTexts {
  const rate = findRate(price, tax);
  return {
    gross: formatAmount(price + tax, currency),
    rate: rate === undefined ? '' : formatRate(rate).replace('%', ''),
  };
}

/** The price that is typed, or what is wrong with it. Fields that read as before leave it as it was. */
export function readPrice(
  typed: PriceTexts,
  before: Price | undefined,
  currency: string | undefined,
): Price | FieldError {
  if (before !== undefined) {
    const shown = toPriceTexts(before, currency);
    if (shown.gross === typed.gross.trim() && shown.rate === typed.rate.trim()) return before;
  }
  const gross = parseAmount(typed.gross, currency);
  if (gross === undefined) {
    const found = typed.gross || t('nothing');
    const words =
      currency === undefined
        ? t('this_is_not_an_amount_found', { found })
        : t('this_is_not_an_amount_in', { currency, found });
    return new FieldError('gross', words);
  }
  const rate = typed.rate.trim() === '' ? rateOf(before) : parseRate(typed.rate);
  if (rate === undefined)
    return new FieldError('rate', t('this_is_not_a_tax_rate_found', { found: typed.rate }));
  const tax = taxWithin(gross, rate);
  return { price: gross - tax, tax };
}

/** The price in the two fields of a form; throws what is wrong with one of them. */
export function priceIn(data: FormData, before: Price | undefined, currency: string | undefined): Price {
  const typed = { gross: formText(data, 'gross'), rate: formText(data, 'rate') };
  const price = readPrice(typed, before, currency);
  if (price instanceof FieldError) throw price;
  return price;
}

/** A tax that no rate gives keeps its share. */
function rateOf(before: Price | undefined): number {
  return before === undefined || before.price === 0 ? 0 : Math.round((before.tax * 1_000_000) / before.price);
}

/** The rate that most items have: something new is taxed with it. */
export function usualRate(items: Iterable<Entity>): string {
  const counts = new Map<string, number>();
  for (const item of items) {
    const price = priceOf('item', item);
    const { rate } = toPriceTexts(price, undefined);
    if (price.price > 0 && rate !== '') counts.set(rate, (counts.get(rate) ?? 0) + 1);
  }
  const [most] = [...counts].sort((one, other) => other[1] - one[1]);
  return most?.[0] ?? '0';
}
