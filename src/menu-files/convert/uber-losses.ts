import { DIETARY_LABELS } from '../../menus/shapes.js';
import type { ConvertOptions } from './conversion.js';
import {
  lossesIn,
  numberAt,
  partAt,
  partsAt,
  pathTo,
  textAt,
  textsAt,
  type Loss,
  type Part,
} from './source.js';

/** What an Uber Eats menu says that a menu has no field for. */

const ITEM_KEYS = [
  'id',
  'title',
  'description',
  'price_info',
  'quantity_info',
  'modifier_group_ids',
  'tax_info',
  'dish_info',
  'suspension_info',
  'nutritional_info',
  'beverage_info',
];
const GROUP_KEYS = ['id', 'title', 'quantity_info', 'modifier_options', 'display_type'];

/** An item that is only an option becomes a modifier item, which has fewer fields. */
export function lossesOfItem(
  item: Part,
  { isItem, isOption }: { readonly isItem: boolean; readonly isOption: boolean },
): Loss[] {
  const kept = (...keys: string[]) => (isItem ? keys : []);
  const dish = partAt(item, 'dish_info');
  const classifications = partAt(dish, 'classifications');
  return [
    ...lossesIn(item, ITEM_KEYS),
    ...lossesOfPrices(partAt(item, 'price_info')),
    ...(isOption ? lossesOfQuantities(partAt(item, 'quantity_info')) : []),
    ...lossesIn(partAt(item, 'modifier_group_ids'), ['ids']),
    ...lossesIn(partAt(item, 'tax_info'), ['tax_rate', 'vat_rate_percentage']),
    ...lossesOfSuspension(item),
    ...lossesIn(dish, ['classifications']),
    ...lossesIn(classifications, kept('dietary_label_info', 'ingredients')),
    ...(isItem ? lossesOfLabels(partAt(classifications, 'dietary_label_info')) : []),
    ...lossesIn(partAt(item, 'nutritional_info'), kept('allergens')),
    ...lossesIn(partAt(item, 'beverage_info'), kept('alcohol_by_volume')),
  ];
}

function lossesOfPrices(prices: Part): Loss[] {
  const unpriced = numberAt(prices, 'price') === undefined;
  return [
    ...(unpriced ? [{ place: pathTo(prices, 'price'), message: 'no price: it is 0' }] : []),
    ...lossesIn(prices, ['price', 'overrides']),
    ...partsAt(prices, 'overrides').flatMap((override) =>
      contextOf(override) === 'MODIFIER_GROUP'
        ? lossesIn(override, ['context_type', 'context_value', 'price'])
        : [{ place: override.path, message: `no price of its own for ${contextOf(override)}` }],
    ),
  ];
}

function contextOf(override: Part): string {
  return textAt(override, 'context_type') ?? 'it';
}

function lossesOfQuantities(quantities: Part): Loss[] {
  return [
    ...lossesOfQuantity(partAt(quantities, 'quantity')),
    ...partsAt(quantities, 'overrides').flatMap((override) =>
      contextOf(override) === 'MODIFIER_GROUP'
        ? lossesOfQuantity(partAt(override, 'quantity'))
        : [{ place: override.path, message: `no quantity of its own for ${contextOf(override)}` }],
    ),
  ];
}

/** Of an option. */
function lossesOfQuantity(quantity: Part): Loss[] {
  const isRequired = (numberAt(quantity, 'min_permitted') ?? 0) > 0;
  const isOptional = quantity.value['is_min_permitted_optional'] === true;
  const message = 'no longer required: the minimum counts only if it is chosen';
  return [
    ...(isRequired && !isOptional ? [{ place: pathTo(quantity, 'min_permitted'), message }] : []),
    ...lossesIn(withoutZeros(quantity), [
      'min_permitted',
      'max_permitted',
      'default_quantity',
      'is_min_permitted_optional',
    ]),
  ];
}

/** Nothing is free, and nothing is given back: so it is without them. */
function withoutZeros({ path, value }: Part): Part {
  return { path, value: Object.fromEntries(Object.entries(value).filter(([, one]) => one !== 0)) };
}

export function lossesOfGroup(group: Part, areSingle: boolean): Loss[] {
  const quantities = partAt(group, 'quantity_info');
  const quantity = partAt(quantities, 'quantity');
  const most = numberAt(quantity, 'max_permitted') ?? 0;
  const mostDifferent = numberAt(quantity, 'max_permitted_unique') ?? Infinity;
  const isLeastKept = areSingle || numberAt(quantity, 'min_permitted_unique') === 1;
  const isMostKept = areSingle || (most > 0 && most <= mostDifferent);
  return [
    ...lossesIn(group, GROUP_KEYS),
    ...lossesIn(quantities, ['quantity']),
    ...lossesIn(withoutZeros(quantity), [
      'min_permitted',
      'max_permitted',
      'charge_above',
      ...(isLeastKept ? ['min_permitted_unique'] : []),
      ...(isMostKept ? ['max_permitted_unique'] : []),
    ]),
  ];
}

/** A suspension that has ended says nothing. */
export function isSuspended(item: Part): boolean {
  const until = numberAt(partAt(partAt(item, 'suspension_info'), 'suspension'), 'suspend_until');
  return until !== undefined && until * 1000 > Date.now();
}

function lossesOfSuspension(item: Part): Loss[] {
  const info = partAt(item, 'suspension_info');
  const suspension = partAt(info, 'suspension');
  const message = 'no end: it is sold out until you mark it in stock';
  return [
    ...lossesIn(info, ['suspension']),
    ...(isSuspended(item) ? [{ place: pathTo(suspension, 'suspend_until'), message }] : []),
    ...(isSuspended(item) ? lossesIn(suspension, ['suspend_until']) : []),
  ];
}

export function toDietaryLabel(text: string): (typeof DIETARY_LABELS)[number] | undefined {
  const bare = text.replace(/_(LABEL|MENU_ITEM)$/, '');
  return DIETARY_LABELS.find((label) => label === bare);
}

function lossesOfLabels(info: Part): Loss[] {
  const unknown = textsAt(info, 'labels').filter((label) => toDietaryLabel(label) === undefined);
  return unknown.map((label) => ({ place: pathTo(info, 'labels'), message: `no label ${label}` }));
}

export function lossesOfTaxes(items: readonly Part[], { taxRate }: ConvertOptions): Loss[] {
  if (taxRate !== undefined) return [];
  const untaxed = items.filter((item) => {
    const info = partAt(item, 'tax_info');
    return numberAt(info, 'tax_rate') === undefined && numberAt(info, 'vat_rate_percentage') === undefined;
  });
  if (untaxed.length === 0) return [];
  const message =
    untaxed.length === items.length
      ? 'the file states no taxes: every tax is 0'
      : `${untaxed.length} of ${items.length} items state no tax: theirs is 0`;
  return [{ place: 'items', message }];
}
