import type { Item } from '../domain/menu/shapes.js';
import type { Texts } from './stores.js';

/** A dish of the house, priced in cents of a euro; every store makes its own menu item of it. */
export interface Dish {
  readonly id: string;
  readonly cents: number;
  readonly name: Texts;
  readonly description?: Texts;
  readonly groups?: readonly string[];
  readonly more?: Pick<
    Item,
    'ingredients' | 'allergens' | 'dietary_labels' | 'prep_time' | 'alcohol_by_volume'
  >;
}

export const texts = (en: string, es: string, ja: string, ar: string): Texts => ({ en, es, ja, ar });
export const VEGAN = { dietary_labels: ['VEGAN', 'VEGETARIAN'] } satisfies Dish['more'];
export const VEGETARIAN = { dietary_labels: ['VEGETARIAN'] } satisfies Dish['more'];
