import type { MultilingualText } from '../../support/shape/common-shapes.js';
import { decimalsOf } from '../../support/minor-units.js';
import { isMap } from '../../support/maps.js';
import type { Modifier, ModifierGroup } from '../../menus/shapes.js';
import { Draft, taxOnTop, type Conversion, type ConvertOptions, type Priced } from './conversion.js';
import { rootPart, type Part } from './source.js';
import {
  factsOf,
  ignoreZeros,
  isSuspended,
  limitsIn,
  readItem,
  readQuantities,
  tellUntaxed,
} from './uber-items.js';

/** The menu of a store as Uber's menu API takes and returns it. */
export function isUber(value: unknown): boolean {
  const root = rootPart(value);
  const signs = [
    ['items', 'price_info'],
    ['categories', 'entities'],
    ['menus', 'service_availability'],
  ] as const;
  return signs.some(([list, key]) => root.parts(list).some(({ value: one }) => key in one));
}

/** Options are items too: one that is sold by itself, or has options of its own, becomes an item and a modifier item. */
export function convertUber(value: unknown, options: ConvertOptions): Conversion {
  const root = rootPart(value);
  const draft = new Draft(options);
  const [categories, groups] = [root.parts('categories'), root.parts('modifier_groups')];
  const known: Known = {
    items: indexItems(draft, root),
    groups: new Set(groups.flatMap((group) => group.text('id') ?? [])),
    categories: new Set(categories.flatMap((category) => category.text('id') ?? [])),
    listed: new Set(categories.flatMap((category) => idsIn(category, 'entities'))),
    options: new Set(groups.flatMap((group) => idsIn(group, 'modifier_options'))),
  };
  for (const menu of root.parts('menus')) addMenu(draft, menu, known);
  for (const category of categories) addCategory(draft, category, known);
  const isUsed = (id: string) => known.listed.has(id) || known.options.has(id);
  for (const [id, item] of known.items) {
    if (!isUsed(id)) continue;
    readItem(draft, item);
    if (known.options.has(id)) readQuantities(draft, item);
    if (isSold(item, known)) addItem(draft, item, known);
  }
  for (const group of groups) addOptions(draft, group, known);
  for (const [id, item] of known.items)
    if (!isUsed(id)) draft.leaveOut(item, 'left out: in no category and no modifier group');
  const used = [...known.items].flatMap(([id, item]) => (isUsed(id) ? item : []));
  tellUntaxed(draft, used);
  return draft.finish(root);
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
  for (const item of root.parts('items')) {
    const id = item.text('id');
    if (id === undefined) draft.leaveOut(item, 'left out: it has no id');
    else if (items.has(id)) draft.leaveOut(item, `left out: ${id} is there already`);
    else items.set(id, item);
  }
  return items;
}

function idsIn(part: Part, key: string): string[] {
  return part.parts(key).flatMap((entity) => {
    entity.ignore('type');
    return entity.text('id') ?? [];
  });
}

function isSold(item: Part, { listed }: Known): boolean {
  return listed.has(item.text('id') ?? '') || item.part('modifier_group_ids').texts('ids').length > 0;
}

/** Those of the ids in a list that the file has; the others are lost. */
function keepKnown(
  draft: Draft,
  part: Part,
  key: string,
  known: ReadonlySet<string>,
  what: string,
): string[] {
  const ids = part.texts(key);
  ids.forEach((id, i) => {
    if (!known.has(id)) draft.lose(`${part.pathTo(key)}[${i}]`, `a ${what} that the file lacks`);
  });
  return ids.filter((id) => known.has(id));
}

/** Those of the items in a list that the file has, once each; the others are lost. */
function keepItems(draft: Draft, part: Part, key: string, { items }: Known): Part[] {
  const kept = new Set<Part>();
  for (const entity of part.parts(key)) {
    const item = items.get(entity.text('id') ?? '');
    const message = item === undefined ? 'an item that the file lacks' : 'listed twice';
    if (item === undefined || kept.has(item)) draft.lose(entity.path, message);
    else kept.add(item);
  }
  return [...kept];
}

function textIn(draft: Draft, part: Part, key: string): MultilingualText {
  const { language } = draft.options;
  const text = part.get(key);
  if (typeof text === 'string') return { translations: { [language]: text } };
  const { translations } = isMap(text) ? text : {};
  const entries = Object.entries(isMap(translations) ? translations : {}).flatMap(([locale, one]) =>
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
function describedIn(draft: Draft, part: Part, key: string): { description?: MultilingualText } {
  const description = textIn(draft, part, key);
  return Object.keys(description.translations).length === 0 ? {} : { description };
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();

function addMenu(draft: Draft, menu: Part, { categories }: Known): void {
  const days = menu.parts('service_availability');
  if (days.length === 0) draft.lose(menu.pathTo('service_availability'), 'no hours: the menu is always open');
  draft.menus.push({
    external_id: menu.text('id') ?? menu.path,
    availability: days.map((day) => ({
      day_of_week: capital(day.text('day_of_week') ?? ''),
      time_periods: day.parts('time_periods').map((period) => ({
        start_time: period.text('start_time') ?? '',
        end_time: period.text('end_time') ?? '',
      })),
    })),
    name: textIn(draft, menu, 'title'),
    category_external_ids: keepKnown(draft, menu, 'category_ids', categories, 'category'),
  });
}

function addCategory(draft: Draft, category: Part, known: Known): void {
  draft.categories.push({
    external_id: category.text('id') ?? category.path,
    name: textIn(draft, category, 'title'),
    ...describedIn(draft, category, 'subtitle'),
    item_external_ids: keepItems(draft, category, 'entities', known).map((item) => item.text('id') ?? ''),
  });
}

function addItem(draft: Draft, item: Part, { groups, listed }: Known): void {
  const id = item.text('id') ?? '';
  const groupIds = item.part('modifier_group_ids');
  // Not read: a menu file has no field for it, so it is among the losses too.
  const { image_url: photo } = item.value;
  if (typeof photo === 'string' && photo !== '') draft.photos.set(id, photo);
  draft.items.push({
    external_id: id,
    name: textIn(draft, item, 'title'),
    ...priceOf(draft, item, item.part('price_info')),
    sell_separately: listed.has(id),
    ...describedIn(draft, item, 'description'),
    ...(isSuspended(item) ? { in_stock: false } : {}),
    ...factsOf(draft, item),
    modifier_external_ids: keepKnown(draft, groupIds, 'ids', groups, 'modifier group'),
  });
}

/** A tax rate comes on top of the price, a VAT rate is in it. */
function priceOf(draft: Draft, item: Part, priced: Part): Priced {
  const price = fromHundredths(priced.number('price') ?? 0, draft.options.currency);
  const info = item.part('tax_info');
  const onTop = info.number('tax_rate');
  const included = info.number('vat_rate_percentage');
  if (included === undefined && onTop !== undefined) return taxOnTop(price, onTop);
  return draft.taxIncluded(price, included);
}

/** Prices are in hundredths, also in currencies without cents. */
function fromHundredths(price: number, currency: string | undefined): number {
  return currency === undefined ? price : Math.round((price * 10 ** decimalsOf(currency)) / 100);
}

/** What holds in a context, such as within one modifier group, else what holds everywhere. */
function inGroup(info: Part, groupId: string): Part {
  const override = info
    .parts('overrides')
    .find((one) => one.text('context_type') === 'MODIFIER_GROUP' && one.text('context_value') === groupId);
  return override ?? info;
}

function addOptions(draft: Draft, group: Part, known: Known): void {
  const id = group.text('id') ?? group.path;
  const modifiers = keepItems(draft, group, 'modifier_options', known).map((item): Modifier => {
    const itemId = item.text('id') ?? '';
    const limits = limitsIn(inGroup(item.part('quantity_info'), id).part('quantity'));
    const { price, tax } = priceOf(draft, item, inGroup(item.part('price_info'), id));
    return {
      external_id: `${id}:${itemId}`,
      name: textIn(draft, item, 'title'),
      price_change: price,
      tax_change: tax,
      min_quantity: limits.least,
      max_quantity: limits.most,
      default_quantity: limits.usual,
      ...(isSold(item, known) ? { menu_item_external_id: itemId } : {}),
      ...describedIn(draft, item, 'description'),
      ...(isSuspended(item) ? { in_stock: false } : {}),
    };
  });
  // Where no option can be had twice, so many units are so many different ones.
  const areSingle = modifiers.every((modifier) => modifier.max_quantity === 1);
  const newGroup = {
    external_id: id,
    type: group.text('display_type') ?? 'options',
    name: textIn(draft, group, 'title'),
    ...groupLimits(group.part('quantity_info').part('quantity'), areSingle),
  };
  draft.addGroup(newGroup, modifiers);
}

/** A limit of different options counts as read only where it can be kept. */
function groupLimits(
  quantity: Part,
  areSingle: boolean,
): Pick<ModifierGroup, 'group_min' | 'group_max' | 'charge_after'> {
  const { min_permitted_unique: leastDifferent = 0, max_permitted_unique: mostDifferent = Infinity } =
    quantity.value as { min_permitted_unique?: number; max_permitted_unique?: number };
  const most = quantity.number('max_permitted') ?? 0;
  if (areSingle || leastDifferent === 1) quantity.ignore('min_permitted_unique');
  if (areSingle || (most > 0 && most <= mostDifferent)) quantity.ignore('max_permitted_unique');
  ignoreZeros(quantity);
  return {
    group_min: Math.max(quantity.number('min_permitted') ?? 0, leastDifferent),
    group_max: areSingle && mostDifferent !== Infinity ? Math.min(most || Infinity, mostDifferent) : most,
    charge_after: quantity.number('charge_above') ?? 0,
  };
}
