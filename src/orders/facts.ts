import { hash } from 'node:crypto';
import type { Static } from '../support/shape/type.js';
import { inside, reportError, ValidationFailed, type Visit } from '../support/error-details.js';
import { newUuidV7 } from '../support/uuid.js';
import type { importedFacts, shownFacts } from './fact-shapes.js';

type Stated = {
  readonly [Name in keyof typeof importedFacts]?: Static<(typeof importedFacts)[Name]> | undefined;
};
type Shown = Omit<typeof shownFacts, 'due'>;
/** The facts as they are kept. */
export type Facts = { readonly [Name in keyof Shown]?: Static<Shown[Name]> | undefined };

/** The facts of a request; `label` is that of the key that sends it. */
export function readFacts(stated: Stated, at: string, label?: string): Facts {
  const { service, source, references, charges, discounts, tip, payments, delivery, custom, stations_done } =
    stated;
  return {
    service,
    source: sourceOf(source, label),
    references,
    charges,
    discounts,
    tip,
    delivery,
    custom,
    stations_done,
    payments: payments?.map(({ id = newUuidV7(), at: paidAt = at, ...payment }) => ({
      id,
      ...payment,
      at: paidAt,
    })),
  };
}

/** An order that names no source comes from its key. */
export function sourceOf(source: Stated['source'], label: string | undefined): Facts['source'] {
  const name = source?.name ?? label;
  if (name !== undefined) return { ...source, name };
  if (source === undefined) return undefined;
  throw new ValidationFailed([{ loc: ['body', 'source', 'name'], msg: 'Field required', type: 'missing' }]);
}

/** The JSON text that is kept, and shown without its braces; undefined where there is nothing to keep. */
export function factsText(facts: Facts): string | undefined {
  const { service, source, references, charges, discounts, tip, payments, delivery, custom, stations_done } =
    facts;
  const text = JSON.stringify({
    service,
    source,
    references: references !== undefined && Object.keys(references).length > 0 ? references : undefined,
    charges: filled(charges),
    discounts: filled(discounts),
    tip,
    payments: filled(payments),
    delivery,
    custom,
    stations_done: filled(stations_done),
  });
  return text === '{}' ? undefined : text;
}

export function parseFacts(text: string | undefined): Facts {
  return text === undefined ? {} : (JSON.parse(text) as Facts);
}

const filled = <T>(list: readonly T[] | undefined) => (list?.length === 0 ? undefined : list);

/** What is to be paid. */
export function dueOf(price: number, tax: number, { tip = 0, payments = [] }: Facts): number {
  return payments.reduce((due, { amount }) => due - amount, price + tax + tip);
}

/** Hashes by which an order is found; of 32 bits, so what is found by one is compared. */
export function referenceKeys(storeKey: number, references: Facts['references'] = {}): number[] | undefined {
  const keys = Object.entries(references).map(([name, value]) => referenceKey(storeKey, name, value));
  return keys.length === 0 ? undefined : keys;
}

export function referenceKey(storeKey: number, name: string, value: string): number {
  return Buffer.from(hash('sha256', `${storeKey} ${name}:${value}`, 'hex').slice(0, 8), 'hex').readInt32BE();
}

/** Sums are JSON integers: what could not be added up exactly is refused where it goes too far. */
export function refuseLargeSums(
  {
    price,
    tax,
    tip = 0,
    charges = [],
    discounts = [],
    payments = [],
  }: Stated & { price: number; tax: number },
  visit: Visit,
): void {
  let sum = 0;
  const add = (field: string, amounts: readonly number[]) => {
    sum = amounts.reduce((total, amount) => total + amount, sum);
    if (Number.isSafeInteger(sum)) return;
    const limit = Number.MAX_SAFE_INTEGER;
    inside(visit, field, () =>
      reportError(visit, 'total_too_large', `The sum is more than ${limit}`, undefined, { limit }),
    );
    sum = 0;
  };
  add('price', [price]);
  add('tax', [tax]);
  add('tip', [tip]);
  add(
    'payments',
    payments.map(({ amount }) => -amount),
  );
  sum = 0;
  for (const [field, entries] of [['charges', charges] as const, ['discounts', discounts] as const]) {
    add(
      field,
      entries.map((entry) => entry.price),
    );
    add(
      field,
      entries.map((entry) => entry.tax),
    );
    sum = 0;
  }
}
