import { DIETARY_LABELS, type Item } from '../../menus/shapes.js';
import type { Draft } from './conversion.js';
import type { Part } from './source.js';

/** Looked into for every item; an option has no field for what is in them. */
function partsOfItem(item: Part) {
  return {
    classifications: item.part('dish_info').part('classifications'),
    nutrition: item.part('nutritional_info'),
    beverage: item.part('beverage_info'),
  };
}

/** Reads what an item says as an item and as an option, and tells what must be decided. */
export function readItem(draft: Draft, item: Part): void {
  const prices = item.part('price_info');
  partsOfItem(item);
  item.part('modifier_group_ids');
  if (prices.number('price') === undefined) draft.lose(prices.pathTo('price'), 'no price: it is 0');
  overridesIn(draft, prices, 'price');
  const suspension = item.part('suspension_info').part('suspension');
  const place = suspension.pathTo('suspend_until');
  if (!isSuspended(item)) suspension.settle();
  else draft.lose(place, 'no end: it is sold out until you mark it in stock');
}

/** What holds within modifier groups; nothing else can have a price or a quantity of its own. */
function overridesIn(draft: Draft, info: Part, what: string): Part[] {
  return info.parts('overrides').filter((override) => {
    const context = override.text('context_type') ?? 'it';
    override.ignore('context_value');
    if (context === 'MODIFIER_GROUP') return true;
    draft.leaveOut(override, `no ${what} of its own for ${context}`);
    return false;
  });
}

export function readQuantities(draft: Draft, item: Part): void {
  const info = item.part('quantity_info');
  const quantities = [info, ...overridesIn(draft, info, 'quantity')].map((one) => one.part('quantity'));
  for (const quantity of quantities) {
    const { least } = limitsIn(quantity);
    const place = quantity.pathTo('min_permitted');
    if (least > 0 && quantity.get('is_min_permitted_optional') !== true)
      draft.lose(place, 'no longer required: the minimum counts only if it is chosen');
    ignoreZeros(quantity);
  }
}

export function limitsIn(quantity: Part): { least: number; most: number; usual: number } {
  const most = Math.max(1, quantity.number('max_permitted') ?? 1);
  const least = Math.min(most, quantity.number('min_permitted') ?? 0);
  return { least, most, usual: Math.min(most, quantity.number('default_quantity') ?? 0) };
}

/** Nothing is free, and nothing is given back: so it is without them. */
export function ignoreZeros(quantity: Part): void {
  for (const [key, value] of Object.entries(quantity.value)) if (value === 0) quantity.ignore(key);
}

/** A suspension that has ended says nothing. */
export function isSuspended(item: Part): boolean {
  const until = item.part('suspension_info').part('suspension').number('suspend_until');
  return until !== undefined && until * 1000 > Date.now();
}

function toDietaryLabel(text: string): (typeof DIETARY_LABELS)[number] | undefined {
  const bare = text.replace(/_(LABEL|MENU_ITEM)$/, '');
  return DIETARY_LABELS.find((label) => label === bare);
}

export function tellUntaxed(draft: Draft, items: readonly Part[]): void {
  const without = items.filter((item) => {
    const info = item.part('tax_info');
    return info.number('tax_rate') === undefined && info.number('vat_rate_percentage') === undefined;
  });
  if (draft.options.taxRate !== undefined || without.length === 0) return;
  const message =
    without.length === items.length
      ? 'the file states no taxes: every tax is 0'
      : `${without.length} of ${items.length} items state no tax: theirs is 0`;
  draft.lose('items', message);
}

export function factsOf(
  draft: Draft,
  item: Part,
): Pick<Item, 'ingredients' | 'allergens' | 'dietary_labels' | 'alcohol_by_volume'> {
  const { classifications, nutrition, beverage } = partsOfItem(item);
  const ingredients = classifications.texts('ingredients').join(', ');
  const allergens = nutrition.texts('allergens').join(', ');
  const labelInfo = classifications.part('dietary_label_info');
  const texts = labelInfo.texts('labels');
  const labels = texts.map(toDietaryLabel);
  for (const text of texts.filter((_, i) => labels[i] === undefined))
    draft.lose(labelInfo.pathTo('labels'), `no label ${text}`);
  const alcohol = beverage.number('alcohol_by_volume');
  return {
    ...(ingredients === '' ? {} : { ingredients }),
    ...(allergens === '' ? {} : { allergens }),
    ...(labels.every((label) => label === undefined)
      ? {}
      : { dietary_labels: DIETARY_LABELS.filter((label) => labels.includes(label)) }),
    // In hundredths of a per cent.
    ...(alcohol === undefined ? {} : { alcohol_by_volume: alcohol / 100 }),
  };
}
