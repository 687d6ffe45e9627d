import type { Catalogue } from '../../../src/support/phrases.js';
import { directionOf } from './languages.js';
import { setLanguage, type PhraseKey } from './t.js';

const LOADERS: Readonly<Record<string, () => Promise<{ readonly default: Catalogue<PhraseKey> }>>> = {
  en: () => import('./phrases/en.json'),
  es: () => import('./phrases/es.json'),
  fr: () => import('./phrases/fr.json'),
  de: () => import('./phrases/de.json'),
  pt: () => import('./phrases/pt.json'),
  ar: () => import('./phrases/ar.json'),
};

export const LANGUAGES: readonly string[] = Object.keys(LOADERS);

const PICKED = 'comanda-console-language';

/** Chooses and loads the language. Await it before importing anything else: modules call `t` when they load. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(PICKED) ?? '', ...navigator.languages].map(baseOf);
  const found = wanted.find((base) => Object.hasOwn(LOADERS, base)) ?? 'en';
  // The browser's own tag says the region too: dates in en-GB are not those of en-US.
  const region = navigator.languages.find((tag) => baseOf(tag) === found && isTag(tag)) ?? found;
  // Better in English than not at all.
  const english = () => import('./phrases/en.json');
  const { default: catalogue } = await (LOADERS[found] ?? english)().catch(english);
  setLanguage(found, catalogue, region);
  document.documentElement.lang = found;
  document.documentElement.dir = directionOf(found);
}

export function pickLanguage(language: string): void {
  localStorage.setItem(PICKED, language);
  location.reload();
}

/** A browser on a machine without a locale gives `en-US@posix`. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
