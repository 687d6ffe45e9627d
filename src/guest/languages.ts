import type { PricedMenu } from '../menus/price-list.js';
import type { MultilingualText } from '../support/shape/common-shapes.js';

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

/** Enough to know the languages of a menu, and few enough not to delay other requests. */
const ITEMS_LOOKED_AT = 300;

/** The languages of a menu; what was found is kept as long as the menu. */
export function createMenuLanguages(): (menu: PricedMenu) => readonly string[] {
  const known = new WeakMap<PricedMenu['items'], readonly string[]>();
  return ({ items }) => {
    const found = known.get(items) ?? languagesOf(items);
    known.set(items, found);
    return found;
  };
}

function languagesOf(items: PricedMenu['items']): readonly string[] {
  const languages = new Set<string>();
  let looked = 0;
  for (const { name } of items.values()) {
    for (const language of Object.keys((JSON.parse(name) as MultilingualText).translations))
      languages.add(language);
    looked += 1;
    if (looked === ITEMS_LOOKED_AT) break;
  }
  return [...languages];
}
