import type { MultilingualText } from '../../support/shape/common-shapes.js';
import { decimalsOf } from '../../support/minor-units.js';
import type { Modifier, ModifierGroup } from '../../menus/shapes.js';
import {
  createDraft,
  finishDraft,
  leaveOut,
  taxIncluded,
  taxOnTop,
  type Conversion,
  type ConvertOptions,
  type Draft,
} from './conversion.js';
import {
  ignoreAt,
  isObject,
  numberAt,
  partAt,
  partsAt,
  pathTo,
  rootPart,
  textAt,
  textsAt,
  valueAt,
  type Part,
} from './source.js';
import {
  factsOf,
  ignoreZeros,
  isSuspended,
  limitsIn,
  readItem,
  readQuantities,
  untaxed,
} from './uber-items.js';

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

/** Options are items too: one that is sold by itself, or has options of its own, becomes an item and a modifier item. */
export function convertUber(value: unknown, options: ConvertOptions): Conversion {
  const root = rootPart(value);
  const draft = createDraft();
  const { losses } = draft;
  const [categories, groups] = [partsAt(root, 'categories'), partsAt(root, 'modifier_groups')];
  const known: Known = {
    items: indexItems(draft, root),
    groups: new Set(groups.flatMap((group) => textAt(group, 'id') ?? [])),
    categories: new Set(categories.flatMap((category) => textAt(category, 'id') ?? [])),
    listed: new Set(categories.flatMap((category) => idsIn(category, 'entities'))),
    options: new Set(groups.flatMap((group) => idsIn(group, 'modifier_options'))),
  };
  for (const menu of partsAt(root, 'menus')) addMenu(draft, menu, known, options);
  for (const category of categories) addCategory(draft, category, known, options);
  const isUsed = (id: string) => known.listed.has(id) || known.options.has(id);
  for (const [id, item] of known.items) {
    if (!isUsed(id)) continue;
    readItem(draft, item);
    if (known.options.has(id)) readQuantities(draft, item);
    if (isSold(item, known)) addItem(draft, item, known, options);
  }
  for (const group of groups) addGroup(draft, group, known, options);
  for (const [id, item] of known.items)
    if (!isUsed(id)) leaveOut(draft, item, 'left out: in no category and no modifier group');
  const used = [...known.items].flatMap(([id, item]) => (isUsed(id) ? item : []));
  losses.push(...untaxed(used, options));
  return finishDraft(draft, root);
}

interface Known {
  readonly items: ReadonlyMap<string, Part>;
  readonly groups: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  /** Ids of items in categories. */
  readonly listed: ReadonlySet<string>;
  /** Ids of items in modifier groups. */
  readonly options: ReadonlySet<string>;
}

function indexItems(draft: Draft, root: Part): Map<string, Part> {
  const items = new Map<string, Part>();
  for (const item of partsAt(root, 'items')) {
    const id = textAt(item, 'id');
    if (id === undefined) leaveOut(draft, item, 'left out: it has no id');
    else if (items.has(id)) leaveOut(draft, item, `left out: ${id} is there already`);
    else items.set(id, item);
  }
  return items;
}

function idsIn(part: Part, key: string): string[] {
  return partsAt(part, key).flatMap((entity) => {
    ignoreAt(entity, ['type']);
    return textAt(entity, 'id') ?? [];
  });
}

function isSold(item: Part, { listed }: Known): boolean {
  return (
    listed.has(textAt(item, 'id') ?? '') || textsAt(partAt(item, 'modifier_group_ids'), 'ids').length > 0
  );
}

/** Those of the ids in a list that the file has; the others are lost. */
function keepKnown(
  draft: Draft,
  part: Part,
  key: string,
  known: ReadonlySet<string>,
  what: string,
): string[] {
  const ids = textsAt(part, key);
  ids.forEach((id, i) => {
    if (!known.has(id))
      draft.losses.push({ place: `${pathTo(part, key)}[${i}]`, message: `a ${what} that the file lacks` });
  });
  return ids.filter((id) => known.has(id));
}

/** Those of the items in a list that the file has, once each; the others are lost. */
function keepItems(draft: Draft, part: Part, key: string, { items }: Known): Part[] {
  const kept = new Set<Part>();
  for (const entity of partsAt(part, key)) {
    const item = items.get(textAt(entity, 'id') ?? '');
    const message = item === undefined ? 'an item that the file lacks' : 'listed twice';
    if (item === undefined || kept.has(item)) draft.losses.push({ place: entity.path, message });
    else kept.add(item);
  }
  return [...kept];
}

function textIn(part: Part, key: string, { language }: ConvertOptions): MultilingualText {
  const text = valueAt(part, key);
  if (typeof text === 'string') return { translations: { [language]: text } };
  const { translations } = isObject(text) ? text : {};
  const entries = Object.entries(isObject(translations) ? translations : {}).flatMap(([locale, one]) =>
    typeof one === 'string' && one !== '' ? [[toTag(locale, language), one] as const] : [],
  );
  return { translations: Object.fromEntries(entries) };
}

/** `en_us` is the language tag `en-US`. */
function toTag(locale: string, language: string): string {
  if (locale === 'default') return language;
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0] ?? locale;
  } catch {
    return locale;
  }
}

/** A description, if it says anything, to be spread into an entity. */
function describedIn(part: Part, key: string, options: ConvertOptions): { description?: MultilingualText } {
  const description = textIn(part, key, options);
  return Object.keys(description.translations).length === 0 ? {} : { description };
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();

function addMenu(draft: Draft, menu: Part, { categories }: Known, options: ConvertOptions): void {
  const days = partsAt(menu, 'service_availability');
  if (days.length === 0)
    draft.losses.push({
      place: pathTo(menu, 'service_availability'),
      message: 'no hours: the menu is always open',
    });
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
    category_external_ids: keepKnown(draft, menu, 'category_ids', categories, 'category'),
  });
}

function addCategory(draft: Draft, category: Part, known: Known, options: ConvertOptions): void {
  draft.categories.push({
    external_id: textAt(category, 'id') ?? category.path,
    name: textIn(category, 'title', options),
    ...describedIn(category, 'subtitle', options),
    item_external_ids: keepItems(draft, category, 'entities', known).map((item) => textAt(item, 'id') ?? ''),
  });
}

function addItem(draft: Draft, item: Part, { groups, listed }: Known, options: ConvertOptions): void {
  const id = textAt(item, 'id') ?? '';
  const groupIds = partAt(item, 'modifier_group_ids');
  // Not read: a menu file has no field for it, so it is among the losses too.
  const { image_url: photo } = item.value;
  if (typeof photo === 'string' && photo !== '') draft.photos.set(id, photo);
  draft.items.push({
    external_id: id,
    name: textIn(item, 'title', options),
    ...priceOf(item, partAt(item, 'price_info'), options),
    sell_separately: listed.has(id),
    ...describedIn(item, 'description', options),
    ...(isSuspended(item) ? { in_stock: false } : {}),
    ...factsOf(draft, item),
    modifier_external_ids: keepKnown(draft, groupIds, 'ids', groups, 'modifier group'),
  });
}

/** A tax rate comes on top of the price, a VAT rate is in it. */
function priceOf(
  item: Part,
  priced: Part,
  { taxRate, currency }: ConvertOptions,
): { price: number; tax: number } {
  const price = fromHundredths(numberAt(priced, 'price') ?? 0, currency);
  const info = partAt(item, 'tax_info');
  const onTop = numberAt(info, 'tax_rate');
  const included = numberAt(info, 'vat_rate_percentage');
  if (included === undefined && onTop !== undefined) return taxOnTop(price, onTop);
  return taxIncluded(price, included ?? (taxRate ?? 0) / 10_000);
}

/** Prices are in hundredths, also in currencies without cents. */
function fromHundredths(price: number, currency: string | undefined): number {
  return currency === undefined ? price : Math.round((price * 10 ** decimalsOf(currency)) / 100);
}

/** What holds in a context, such as within one modifier group, else what holds everywhere. */
function inGroup(info: Part, groupId: string): Part {
  const override = partsAt(info, 'overrides').find(
    (one) => textAt(one, 'context_type') === 'MODIFIER_GROUP' && textAt(one, 'context_value') === groupId,
  );
  return override ?? info;
}

function addGroup(draft: Draft, group: Part, known: Known, options: ConvertOptions): void {
  const id = textAt(group, 'id') ?? group.path;
  const modifiers = keepItems(draft, group, 'modifier_options', known).map((item): Modifier => {
    const itemId = textAt(item, 'id') ?? '';
    const limits = limitsIn(partAt(inGroup(partAt(item, 'quantity_info'), id), 'quantity'));
    const { price, tax } = priceOf(item, inGroup(partAt(item, 'price_info'), id), options);
    return {
      external_id: `${id}:${itemId}`,
      name: textIn(item, 'title', options),
      price_change: price,
      tax_change: tax,
      min_quantity: limits.least,
      max_quantity: limits.most,
      default_quantity: limits.usual,
      ...(isSold(item, known) ? { menu_item_external_id: itemId } : {}),
      ...describedIn(item, 'description', options),
      ...(isSuspended(item) ? { in_stock: false } : {}),
    };
  });
  draft.modifier_items.push(...modifiers);
  // Where no option can be had twice, so many units are so many different ones.
  const areSingle = modifiers.every((modifier) => modifier.max_quantity === 1);
  draft.modifier_groups.push({
    external_id: id,
    type: textAt(group, 'display_type') ?? 'options',
    name: textIn(group, 'title', options),
    ...groupLimits(partAt(partAt(group, 'quantity_info'), 'quantity'), areSingle),
    modifier_item_external_ids: modifiers.map((modifier) => modifier.external_id),
  });
}

/** A limit of different options counts as read only where it can be kept. */
function groupLimits(
  quantity: Part,
  areSingle: boolean,
): Pick<ModifierGroup, 'group_min' | 'group_max' | 'charge_after'> {
  const { min_permitted_unique: leastDifferent = 0, max_permitted_unique: mostDifferent = Infinity } =
    quantity.value as { min_permitted_unique?: number; max_permitted_unique?: number };
  const most = numberAt(quantity, 'max_permitted') ?? 0;
  if (areSingle || leastDifferent === 1) ignoreAt(quantity, ['min_permitted_unique']);
  if (areSingle || (most > 0 && most <= mostDifferent)) ignoreAt(quantity, ['max_permitted_unique']);
  ignoreZeros(quantity);
  return {
    group_min: Math.max(numberAt(quantity, 'min_permitted') ?? 0, leastDifferent),
    group_max: areSingle && mostDifferent !== Infinity ? Math.min(most || Infinity, mostDifferent) : most,
    charge_after: numberAt(quantity, 'charge_above') ?? 0,
  };
}
