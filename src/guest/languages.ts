import type { PricedMenu } from '../menus/price-list.js';
import type { MultilingualText } from '../support/shape/common-shapes.js';

/** Enough to know the languages of a menu, and few enough not to delay other requests. */
const ITEMS_LOOKED_AT = 300;

/** The languages of a menu; kept as long as the menu, as finding them takes half a millisecond. */
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
