import type { Phrases } from './phrases/en.js';
import { setLanguage } from './t.js';

const LOADERS: Readonly<Record<string, () => Promise<Phrases | undefined>>> = {
  en: () => Promise.resolve(undefined),
  es: async () => (await import('./phrases/es.js')).es,
  fr: async () => (await import('./phrases/fr.js')).fr,
  de: async () => (await import('./phrases/de.js')).de,
  pt: async () => (await import('./phrases/pt.js')).pt,
};

export const LANGUAGES: readonly string[] = Object.keys(LOADERS);

const PICKED = 'comanda-console-language';

/** Chooses and loads the language. Await it before importing anything else: modules call `t` when they load. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(PICKED) ?? '', ...navigator.languages].map(baseOf);
  const found = wanted.find((base) => Object.hasOwn(LOADERS, base)) ?? 'en';
  // The browser's own tag says the region too: dates in en-GB are not those of en-US.
  const region = navigator.languages.find((tag) => baseOf(tag) === found && isTag(tag)) ?? found;
  try {
    setLanguage(found, await LOADERS[found]?.(), region);
    document.documentElement.lang = found;
  } catch {
    // Better in English than not at all.
  }
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
