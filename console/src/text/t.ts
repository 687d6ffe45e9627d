import { createT, fillIn, splitPhrase, type Catalogue, type Spoken } from '../../../src/support/phrases.js';
import type english from './phrases/en.json';

export type PhraseKey = keyof typeof english;

let spoken: Spoken<PhraseKey> = { catalogue: {} as Catalogue<PhraseKey>, language: 'en' };

/** Call it before the first `t`. `region` is a tag such as `en-GB`, for dates and numbers. */
export function setLanguage(language: string, catalogue: Catalogue<PhraseKey>, region: string): void {
  spoken = { catalogue, language, locale: region };
}

export function language(): string {
  return spoken.language;
}

/** The locale of dates, numbers and amounts. */
export function locale(): string | undefined {
  return spoken.locale;
}

/** A phrase in the language of the console. */
export const t = createT(() => spoken);

/** A phrase with elements as values. */
export function tx<Value>(
  key: PhraseKey,
  values: Readonly<Record<string, Value>>,
): (string | Value | undefined)[] {
  return splitPhrase(key, values['count'], spoken).map((part, i) => {
    if (i % 2 === 0) return part;
    const value = values[part];
    return typeof value === 'number' ? fillIn(value, spoken.locale) : value;
  });
}
