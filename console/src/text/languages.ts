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

/** The languages that things are named in, most used first. */
export function listLanguages(
  named: Iterable<{ readonly name: { readonly translations: Readonly<Record<string, string>> } }>,
): string[] {
  const counts = new Map<string, number>();
  for (const { name } of named)
    for (const language of Object.keys(name.translations))
      counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]).map(([language]) => language);
}

/** `Arabic` for `ar`; a tag that means nothing to the browser stands for itself. */
export function languageName(language: string): string {
  try {
    return new Intl.DisplayNames(locale() ?? 'en', { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}
