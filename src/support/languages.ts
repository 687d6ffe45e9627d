import type { MultilingualText } from './shape/common-shapes.js';

/**
 * In the store's first language, of whichever country; where it is not translated, in any. `json` is the text of a
 * MultilingualText.
 */
export function nameIn(language: string | undefined, json: string, otherwise: string): string {
  const { translations } = JSON.parse(json) as MultilingualText;
  const named = Object.entries(translations).filter(([, text]) => text.trim() !== '');
  const found =
    named.find(([tag]) => tag === language) ??
    named.find(([tag]) => language !== undefined && baseOf(tag) === baseOf(language)) ??
    named[0];
  return found?.[1] ?? otherwise;
}

function baseOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? tag;
}

export function firstLanguage(name: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(name['translations'] ?? {})[0];
}
