import type { MenuItemFlat } from '#sdk';
import { t } from '../../../text/t.js';

export const DIETARY_WORDS = {
  VEGAN: t('vegan'),
  VEGETARIAN: t('vegetarian'),
  GLUTEN_FREE: t('gluten_free'),
} as const;

export function DietaryLabels({ item }: { readonly item: MenuItemFlat }) {
  const labels = item.dietary_labels ?? [];
  // What is vegan is vegetarian; a guest needs to be told once.
  const told = labels.filter((label) => label !== 'VEGETARIAN' || !labels.includes('VEGAN'));
  return (
    <>
      {told.map((label) => (
        <span class="diet" key={label}>
          {DIETARY_WORDS[label]}
        </span>
      ))}
      {item.alcohol_by_volume !== undefined && item.alcohol_by_volume > 0 && (
        <span class="diet plain">{t('strength_percent_vol', { strength: item.alcohol_by_volume })}</span>
      )}
    </>
  );
}
