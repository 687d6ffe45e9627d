import { DIETARY_LABELS } from '../shapes.js';
import {
  createDraft,
  finishDraft,
  taxIncluded,
  taxOnTop,
  type Conversion,
  type ConvertOptions,
  type Draft,
} from './conversion.js';
import {
  isObject,
  lossesIn,
  numberAt,
  partAt,
  partsAt,
  pathTo,
  rootPart,
  textAt,
  textsAt,
  type Part,
} from './source.js';

/** The menu of a store as Uber's menu API takes and returns it. */
export function isUber(value: unknown): boolean {
  const root = rootPart(value);
  const signs = [
    ['items', 'price_info'],
    ['categories', 'entities'],
    ['menus', 'service_availability'],
  ] as const;
  return signs.some(([list, key]) => partsAt(root, list).some(({ value: one }) => key in one));
}

const MENU_KEYS = ['id', 'title', 'service_availability', 'category_ids'];
const CATEGORY_KEYS = ['id', 'title', 'subtitle', 'entities'];
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
];
const GROUP_KEYS = ['id', 'title', 'quantity_info', 'modifier_options', 'display_type'];

/** Options are items too: one that is sold by itself, or has options of its own, becomes an item and a modifier item. */
export function convertUber(value: unknown, options: ConvertOptions): Conversion {
  const root = rootPart(value);
  const draft = createDraft();
  const items = new Map(partsAt(root, 'items').map((item) => [textAt(item, 'id') ?? '', item]));
  const groups = partsAt(root, 'modifier_groups');
  const listed = new Set(partsAt(root, 'categories').flatMap((category) => entitiesOf(category, 'entities')));
  const known = {
    items,
    groups: new Set(groups.map((group) => textAt(group, 'id') ?? '')),
    listed,
  };
  for (const menu of partsAt(root, 'menus')) addMenu(draft, menu, options);
  for (const category of partsAt(root, 'categories')) addCategory(draft, category, known, options);
  for (const [id, item] of items)
    if (listed.has(id) || groupIdsOf(item).length > 0) addItem(draft, item, known, options);
  for (const group of groups) addGroup(draft, group, known, options);
  const used = new Set([...listed, ...groups.flatMap((group) => entitiesOf(group, 'modifier_options'))]);
  for (const [id, item] of items)
    if (!used.has(id))
      draft.losses.push({ place: item.path, message: 'in no category and no modifier group' });
  draft.losses.push(
    ...lossesIn(root, ['menus', 'categories', 'items', 'modifier_groups', 'display_options']),
  );
  return finishDraft(draft);
}

interface Known {
  readonly items: ReadonlyMap<string, Part>;
  readonly groups: ReadonlySet<string>;
  /** Ids of items in categories. */
  readonly listed: ReadonlySet<string>;
}

function entitiesOf(part: Part, key: string): string[] {
  return partsAt(part, key).flatMap((entity) => textAt(entity, 'id') ?? []);
}

function groupIdsOf(item: Part): string[] {
  return textsAt(partAt(item, 'modifier_group_ids'), 'ids');
}

function textIn(
  part: Part,
  key: string,
  { language }: ConvertOptions,
): { translations: Record<string, string> } {
  const text = part.value[key];
  if (typeof text === 'string') return { translations: { [language]: text } };
  const { translations } = isObject(text) ? text : {};
  const entries = Object.entries(isObject(translations) ? translations : {});
  return {
    translations: Object.fromEntries(entries.filter(([, one]) => typeof one === 'string')) as Record<
      string,
      string
    >,
  };
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();

function addMenu(draft: Draft, menu: Part, options: ConvertOptions): void {
  const days = partsAt(menu, 'service_availability');
  draft.menus.push({
    external_id: textAt(menu, 'id') ?? menu.path,
    availability: days.map((day) => ({
      day_of_week: capital(textAt(day, 'day_of_week') ?? ''),
      time_periods: partsAt(day, 'time_periods').map((period) => ({
        start_time: textAt(period, 'start_time') ?? '',
        end_time: textAt(period, 'end_time') ?? '',
      })),
    })),
    name: textIn(menu, 'title', options),
    category_external_ids: textsAt(menu, 'category_ids'),
  });
  draft.losses.push(...lossesIn(menu, MENU_KEYS));
}

function addCategory(draft: Draft, category: Part, { items }: Known, options: ConvertOptions): void {
  const entities = partsAt(category, 'entities').filter((entity) => {
    const isKnown = items.has(textAt(entity, 'id') ?? '');
    if (!isKnown) draft.losses.push({ place: entity.path, message: 'an item that the file lacks' });
    return isKnown;
  });
  draft.categories.push({
    external_id: textAt(category, 'id') ?? category.path,
    name: textIn(category, 'title', options),
    ...('subtitle' in category.value ? { description: textIn(category, 'subtitle', options) } : {}),
    item_external_ids: entities.map((entity) => textAt(entity, 'id') ?? ''),
  });
  draft.losses.push(...lossesIn(category, CATEGORY_KEYS));
}

function addItem(draft: Draft, item: Part, { groups, listed }: Known, options: ConvertOptions): void {
  const id = textAt(item, 'id') ?? '';
  const groupIds = groupIdsOf(item).filter((group) => groups.has(group));
  if (groupIds.length < groupIdsOf(item).length)
    draft.losses.push({
      place: pathTo(item, 'modifier_group_ids'),
      message: 'a modifier group that the file lacks',
    });
  const labels = dietaryLabelsOf(item);
  draft.items.push({
    external_id: id,
    name: textIn(item, 'title', options),
    ...priceOf(item, numberAt(partAt(item, 'price_info'), 'price') ?? 0, options),
    sell_separately: listed.has(id),
    ...('description' in item.value ? { description: textIn(item, 'description', options) } : {}),
    ...(isSuspended(item) ? { in_stock: false } : {}),
    ...(labels.length === 0 ? {} : { dietary_labels: labels }),
    modifier_external_ids: groupIds,
  });
  loseFrom(draft, item);
}

/** A tax rate comes on top of the price, a VAT rate is in it. */
function priceOf(item: Part, price: number, { taxRate }: ConvertOptions): { price: number; tax: number } {
  const info = partAt(item, 'tax_info');
  const onTop = numberAt(info, 'tax_rate');
  const included = numberAt(info, 'vat_rate_percentage');
  if (included === undefined && onTop !== undefined) return taxOnTop(price, onTop);
  return taxIncluded(price, included ?? (taxRate ?? 0) / 10_000);
}

function isSuspended(item: Part): boolean {
  return (numberAt(partAt(partAt(item, 'suspension_info'), 'suspension'), 'suspend_until') ?? 0) > 0;
}

function dietaryLabelsOf(item: Part): (typeof DIETARY_LABELS)[number][] {
  const stated = textsAt(
    partAt(partAt(partAt(item, 'dish_info'), 'classifications'), 'dietary_label_info'),
    'labels',
  );
  const known = stated.map((label) => label.replace(/_(LABEL|MENU_ITEM)$/, ''));
  return DIETARY_LABELS.filter((label) => known.includes(label));
}

function loseFrom(draft: Draft, item: Part): void {
  const { losses } = draft;
  losses.push(...lossesIn(item, ITEM_KEYS));
  losses.push(...lossesIn(partAt(item, 'price_info'), ['price', 'overrides']));
  losses.push(...lossesIn(partAt(item, 'modifier_group_ids'), ['ids']));
  losses.push(...lossesIn(partAt(item, 'tax_info'), ['tax_rate', 'vat_rate_percentage']));
  losses.push(...lossesIn(partAt(item, 'suspension_info'), ['suspension']));
  losses.push(...lossesIn(partAt(item, 'dish_info'), ['classifications']));
  losses.push(...lossesIn(partAt(partAt(item, 'dish_info'), 'classifications'), ['dietary_label_info']));
  for (const price of partsAt(partAt(item, 'price_info'), 'overrides'))
    if (textAt(price, 'context_type') !== 'MODIFIER_GROUP')
      losses.push({
        place: price.path,
        message: `no price of its own for ${textAt(price, 'context_type') ?? 'it'}`,
      });
}

/** What holds in a context, such as within one modifier group, else what holds everywhere. */
function inGroup(info: Part, groupId: string): Part | undefined {
  return partsAt(info, 'overrides').find(
    (one) => textAt(one, 'context_type') === 'MODIFIER_GROUP' && textAt(one, 'context_value') === groupId,
  );
}

function addGroup(draft: Draft, group: Part, { items, listed }: Known, options: ConvertOptions): void {
  const id = textAt(group, 'id') ?? group.path;
  const quantity = partAt(partAt(group, 'quantity_info'), 'quantity');
  const modifiers = partsAt(group, 'modifier_options').flatMap((option) => {
    const itemId = textAt(option, 'id') ?? '';
    const item = items.get(itemId);
    if (item === undefined) draft.losses.push({ place: option.path, message: 'an item that the file lacks' });
    return item === undefined ? [] : [{ itemId, item }];
  });
  for (const { itemId, item } of modifiers) {
    const prices = partAt(item, 'price_info');
    const quantities = partAt(item, 'quantity_info');
    const amount = numberAt(inGroup(prices, id) ?? prices, 'price') ?? 0;
    const its = partAt(inGroup(quantities, id) ?? quantities, 'quantity');
    const { price, tax } = priceOf(item, amount, options);
    const most = Math.max(1, numberAt(its, 'max_permitted') ?? 1);
    const isItem = listed.has(itemId) || groupIdsOf(item).length > 0;
    draft.modifier_items.push({
      external_id: `${id}:${itemId}`,
      name: textIn(item, 'title', options),
      price_change: price,
      tax_change: tax,
      min_quantity: Math.min(most, numberAt(its, 'min_permitted') ?? 0),
      max_quantity: most,
      default_quantity: Math.min(most, numberAt(its, 'default_quantity') ?? 0),
      ...(isItem ? { menu_item_external_id: itemId } : {}),
      ...('description' in item.value ? { description: textIn(item, 'description', options) } : {}),
      ...(isSuspended(item) ? { in_stock: false } : {}),
    });
    if (!isItem) loseFrom(draft, item);
  }
  const least = numberAt(quantity, 'min_permitted') ?? 0;
  draft.modifier_groups.push({
    external_id: id,
    type: textAt(group, 'display_type') ?? 'options',
    name: textIn(group, 'title', options),
    group_min: least,
    group_max: numberAt(quantity, 'max_permitted') ?? 0,
    charge_after: numberAt(quantity, 'charge_above') ?? 0,
    modifier_item_external_ids: modifiers.map(({ itemId }) => `${id}:${itemId}`),
  });
  draft.losses.push(...lossesIn(group, GROUP_KEYS));
  draft.losses.push(...lossesIn(quantity, ['min_permitted', 'max_permitted', 'charge_above']));
}
