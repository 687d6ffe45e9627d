import { showAllergens } from '../../src/menus/allergens.js';
import type { Diet, Item } from './api.js';
import { gross } from './basket.js';
import { language, t, textOf } from './language.js';
import { money } from './place.js';

export const DIETS = {
  VEGAN: 'vegan',
  VEGETARIAN: 'vegetarian',
  GLUTEN_FREE: 'gluten_free',
} as const satisfies Record<Diet, string>;

/** What a guest should know of a dish before ordering it. */
export function ItemFacts({ item, isWhole = false }: { readonly item: Item; readonly isWhole?: boolean }) {
  const {
    dietary_labels: diets = [],
    allergens = '',
    ingredients = '',
    alcohol_by_volume: percent = 0,
  } = item;
  const description = textOf(item.description);
  return (
    <div class="facts">
      {description !== '' && <p class={isWhole ? 'description' : 'description short'}>{description}</p>}
      <p class="line">
        <span class="price">{money(gross(item))}</span>
        {!item.in_stock ? (
          <span class="tag bad">{t('sold_out')}</span>
        ) : (
          item.left !== undefined && <span class="tag">{t('only_left', { count: item.left })}</span>
        )}
        {diets
          .filter((diet) => !isImplied(diet, diets))
          .map((diet) => (
            <span key={diet} class="tag good">
              {t(DIETS[diet])}
            </span>
          ))}
        {percent > 0 && <span class="tag">{t('alcohol', { percent })}</span>}
      </p>
      {allergens !== '' && (
        <p class="soft small">{t('allergens', { list: showAllergens(allergens, language.value) })}</p>
      )}
      {isWhole && ingredients !== '' && <p class="soft small">{t('ingredients', { list: ingredients })}</p>}
    </div>
  );
}

/** Its room is there before it is, so nothing moves when it comes. */
export function ItemPhoto({ item, isWhole = false }: { readonly item: Item; readonly isWhole?: boolean }) {
  const { photo } = item;
  if (photo === undefined) return null;
  const { url, width, height } = (isWhole ? undefined : photo.small) ?? photo;
  return (
    <img
      class={isWhole ? 'photo large' : 'photo'}
      // Before the address: a photo that the browser has in memory loads at once when its address is set.
      loading={isWhole ? 'eager' : 'lazy'}
      src={url}
      width={width}
      height={height}
      alt={textOf(item.name)}
      decoding="async"
    />
  );
}

/** What is vegan is vegetarian. */
function isImplied(diet: Diet, diets: readonly Diet[]): boolean {
  return diet === 'VEGETARIAN' && diets.includes('VEGAN');
}
