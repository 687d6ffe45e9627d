import { decimalsOf } from '../../support/minor-units.js';
import { ValidationFailed } from '../../support/error-details.js';
import { byKind, entitiesOf, KINDS, mapEntities } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';
import type { KeptField } from './keep.js';

/** The fields that are amounts of money. */
export const PRICE_FIELDS = [
  'price',
  'tax',
  'price_change',
  'tax_change',
] as const satisfies readonly KeptField[];

/** From the currency of a menu to another one that its target has. */
export interface CurrencyChange {
  readonly from: string;
  readonly to: string;
  /** Units of the target's currency for one of the menu's, as decimal text. Absent: no amount may be carried over. */
  readonly rate?: string | undefined;
}

export const RATE = /^(\d{1,9})(?:\.(\d{1,9}))?$/;

/** The menu with its amounts in the other currency, each rounded half up, away from zero. */
export function convertPrices(
  menu: MenuConfiguration,
  { from, to, rate = '1' }: CurrencyChange,
): MenuConfiguration {
  const [, whole = '1', part = ''] = RATE.exec(rate) ?? [];
  const factor = BigInt(whole + part) * 10n ** BigInt(decimalsOf(to));
  const divisor = 10n ** BigInt(part.length + decimalsOf(from));
  const convert = (amount: number) => {
    const magnitude = (BigInt(Math.abs(amount)) * factor * 2n + divisor) / (divisor * 2n);
    return Number(amount < 0 ? -magnitude : magnitude);
  };
  return mapEntities(menu, (entity) =>
    Object.fromEntries(
      Object.entries(entity).map(([field, value]) => [
        field,
        isPriceField(field) && typeof value === 'number' ? convert(value) : value,
      ]),
    ),
  );
}

/** Refuses a menu that would bring a price of its own into a store of another currency. */
export function refuseNewPrices(
  source: MenuConfiguration,
  target: MenuConfiguration,
  keep: readonly KeptField[],
  change: CurrencyChange,
): void {
  const known = byKind((kind) => new Set(entitiesOf(target, kind).map(({ external_id }) => external_id)));
  const isCarried = (field: string, isKnown: boolean) =>
    isPriceField(field) && !(isKnown && keep.includes(field));
  for (const kind of KINDS)
    for (const entity of entitiesOf(source, kind)) {
      const isKnown = known[kind].has(entity.external_id);
      const amounts = Object.entries(entity).filter(([field]) => isCarried(field, isKnown));
      if (amounts.some(([, amount]) => amount !== 0)) throw currencyDiffers(change);
    }
}

export function currencyDiffers({ from, to }: CurrencyChange): ValidationFailed {
  const msg = `The menu has prices in ${from}, the store in ${to}: keep every price of the store, or convert`;
  return new ValidationFailed([
    { loc: ['body'], msg, type: 'currency_differs', ctx: { currency: from, store_currency: to } },
  ]);
}

function isPriceField(field: string): field is (typeof PRICE_FIELDS)[number] {
  return (PRICE_FIELDS as readonly string[]).includes(field);
}
