import type { PricedMenu } from '../menus/price-list.js';
import type { MultilingualText } from '../support/shape/common-shapes.js';

/** Enough to know the languages of a menu, and few enough not to delay other requests. */
const ITEMS_LOOKED_AT = 300;

export function languagesOf({ items }: PricedMenu): readonly string[] {
  const names = [...items.values()].slice(0, ITEMS_LOOKED_AT).map(({ name }) => name);
  return [
    ...new Set(names.flatMap((name) => Object.keys((JSON.parse(name) as MultilingualText).translations))),
  ];
}
