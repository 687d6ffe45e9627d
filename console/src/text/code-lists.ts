import { locale } from './t.js';
import { COUNTRIES } from '../../../src/tenants/currency.js';

export interface Code {
  readonly code: string;
  readonly words: string;
}

/** ISO 3166-1 and ISO 4217, with what people call them, in the order of what they are called. */
export function listCountries(): Code[] {
  return named(COUNTRIES, 'region');
}

export function listCurrencies(): Code[] {
  return named(Intl.supportedValuesOf('currency'), 'currency');
}

function named(codes: readonly string[], type: 'region' | 'currency'): Code[] {
  const names = new Intl.DisplayNames(locale() ?? 'en', { type, fallback: 'code' });
  return codes
    .map((code) => ({ code, words: `${names.of(code) ?? code} (${code})` }))
    .sort((one, other) => one.words.localeCompare(other.words));
}
