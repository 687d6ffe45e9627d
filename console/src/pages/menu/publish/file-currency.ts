import type { ManagedStore } from '#sdk';
import { nameOf } from '../../../data/stores.js';

const CURRENCY_IN_NAME = /[.]([A-Z]{3})(?: ?[(]\d+[)])?[.]\w+$/;

/** A menu states neither store nor currency; the name of a downloaded one does. */
export function menuFileName(store: ManagedStore, ending: 'csv' | 'json'): string {
  const name = nameOf(store)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return [`${name || 'store'}-menu`, ...(store.currency === undefined ? [] : [store.currency]), ending].join(
    '.',
  );
}

/** The currency that a file was downloaded in, where its name still says so and the store has another. */
export function foreignCurrency(name: string, currency: string | undefined): string | undefined {
  const named = CURRENCY_IN_NAME.exec(name)?.[1];
  return named !== undefined && currency !== undefined && named !== currency ? named : undefined;
}
