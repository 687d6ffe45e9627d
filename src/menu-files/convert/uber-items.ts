import { DIETARY_LABELS, type Item } from '../../menus/shapes.js';
import { type ConvertOptions, type Draft, leaveOut } from './conversion.js';
import {
  ignoreAt,
  numberAt,
  partAt,
  partsAt,
  pathTo,
  settle,
  textAt,
  textsAt,
  valueAt,
  type Loss,
  type Part,
} from './source.js';

/** Looked into for every item; an option has no field for what is in them. */
function partsOfItem(item: Part) {
  return {
    classifications: partAt(partAt(item, 'dish_info'), 'classifications'),
    nutrition: partAt(item, 'nutritional_info'),
    beverage: partAt(item, 'beverage_info'),
  };
}

/** Reads what an item says as an item and as an option, and tells what must be decided. */
export function readItem(draft: Draft, item: Part): void {
  const prices = partAt(item, 'price_info');
  partsOfItem(item);
  partAt(item, 'modifier_group_ids');
  if (numberAt(prices, 'price') === undefined)
    draft.losses.push({ place: pathTo(prices, 'price'), message: 'no price: it is 0' });
  overridesIn(draft, prices, 'price');
  const suspension = partAt(partAt(item, 'suspension_info'), 'suspension');
  const place = pathTo(suspension, 'suspend_until');
  if (!isSuspended(item)) settle(suspension);
  else draft.losses.push({ place, message: 'no end: it is sold out until you mark it in stock' });
}

/** What holds within modifier groups; nothing else can have a price or a quantity of its own. */
function overridesIn(draft: Draft, info: Part, what: string): Part[] {
  return partsAt(info, 'overrides').filter((override) => {
    const context = textAt(override, 'context_type') ?? 'it';
    ignoreAt(override, ['context_value']);
    if (context === 'MODIFIER_GROUP') return true;
    leaveOut(draft, override, `no ${what} of its own for ${context}`);
    return false;
  });
}

export function readQuantities(draft: Draft, item: Part): void {
  const info = partAt(item, 'quantity_info');
  const quantities = [info, ...overridesIn(draft, info, 'quantity')].map((one) => partAt(one, 'quantity'));
  for (const quantity of quantities) {
    const { least } = limitsIn(quantity);
    const place = pathTo(quantity, 'min_permitted');
    if (least > 0 && valueAt(quantity, 'is_min_permitted_optional') !== true)
      draft.losses.push({ place, message: 'no longer required: the minimum counts only if it is chosen' });
    ignoreZeros(quantity);
  }
}

export function limitsIn(quantity: Part): { least: number; most: number; usual: number } {
  const most = Math.max(1, numberAt(quantity, 'max_permitted') ?? 1);
  const least = Math.min(most, numberAt(quantity, 'min_permitted') ?? 0);
  return { least, most, usual: Math.min(most, numberAt(quantity, 'default_quantity') ?? 0) };
}

/** Nothing is free, and nothing is given back: so it is without them. */
export function ignoreZeros(quantity: Part): void {
  for (const [key, value] of Object.entries(quantity.value)) if (value === 0) ignoreAt(quantity, [key]);
}

/** A suspension that has ended says nothing. */
export function isSuspended(item: Part): boolean {
  const until = numberAt(partAt(partAt(item, 'suspension_info'), 'suspension'), 'suspend_until');
  return until !== undefined && until * 1000 > Date.now();
}

function toDietaryLabel(text: string): (typeof DIETARY_LABELS)[number] | undefined {
  const bare = text.replace(/_(LABEL|MENU_ITEM)$/, '');
  return DIETARY_LABELS.find((label) => label === bare);
}

export function untaxed(items: readonly Part[], { taxRate }: ConvertOptions): Loss[] {
  const without = items.filter((item) => {
    const info = partAt(item, 'tax_info');
    return numberAt(info, 'tax_rate') === undefined && numberAt(info, 'vat_rate_percentage') === undefined;
  });
  if (taxRate !== undefined || without.length === 0) return [];
  const message =
    without.length === items.length
      ? 'the file states no taxes: every tax is 0'
      : `${without.length} of ${items.length} items state no tax: theirs is 0`;
  return [{ place: 'items', message }];
}

export function factsOf(
  draft: Draft,
  item: Part,
): Pick<Item, 'ingredients' | 'allergens' | 'dietary_labels' | 'alcohol_by_volume'> {
  const { classifications, nutrition, beverage } = partsOfItem(item);
  const ingredients = textsAt(classifications, 'ingredients').join(', ');
  const allergens = textsAt(nutrition, 'allergens').join(', ');
  const labelInfo = partAt(classifications, 'dietary_label_info');
  const texts = textsAt(labelInfo, 'labels');
  const labels = texts.map(toDietaryLabel);
  for (const text of texts.filter((_, i) => labels[i] === undefined))
    draft.losses.push({ place: pathTo(labelInfo, 'labels'), message: `no label ${text}` });
  const alcohol = numberAt(beverage, 'alcohol_by_volume');
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
