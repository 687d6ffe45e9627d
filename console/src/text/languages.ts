import { locale } from './t.js';

/** Where a language is chosen from a list; the API takes any. */
export const OFFERED_LANGUAGES = [
  'en',
  'es',
  'fr',
  'de',
  'pt',
  'it',
  'nl',
  'ca',
  'ar',
  'zh',
  'ja',
  'pl',
  'tr',
  'uk',
];

const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv', 'ckb', 'syr']);

export function directionOf(language: string): 'rtl' | 'ltr' {
  return RIGHT_TO_LEFT.has(language.toLowerCase().split(/[-_]/)[0] ?? '') ? 'rtl' : 'ltr';
}

/** `Arabic` for `ar`; a tag that means nothing to the browser stands for itself. */
export function languageName(language: string): string {
  try {
    return new Intl.DisplayNames(locale() ?? 'en', { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}
