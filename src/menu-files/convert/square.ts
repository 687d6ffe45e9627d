import {
  addVariants,
  createDraft,
  describedAs,
  finishDraft,
  modifierOf,
  taxIncluded,
  taxOnTop,
  textIn,
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
  rootPart,
  textAt,
  textsAt,
  type Part,
} from './source.js';

/** A list of catalog objects, alone or in the answer of Square's Catalog API. */
export function isSquare(value: unknown): boolean {
  const [first] = objectsOf(value);
  return (
    first !== undefined && /^[A-Z_]+$/.test(textAt(first, 'type') ?? '') && textAt(first, 'id') !== undefined
  );
}

export function convertSquare(value: unknown, options: ConvertOptions): Conversion {
  const objects = objectsOf(value).filter(({ value: object }) => object['is_deleted'] !== true);
  const ofType = (type: string) => objects.filter((object) => textAt(object, 'type') === type);
  const draft = createDraft();
  const taxes = new Map(ofType('TAX').map((tax) => [textAt(tax, 'id') ?? '', partAt(tax, 'tax_data')]));
  const lists = new Map(ofType('MODIFIER_LIST').map((list) => [textAt(list, 'id') ?? '', list]));
  const categories = new Map(ofType('CATEGORY').map((one) => [textAt(one, 'id') ?? '', [] as string[]]));

  const taxIds = taxIdsByList(ofType('ITEM'));
  for (const [id, list] of lists) addModifiers(draft, list, { taxes, taxIds: taxIds.get(id) ?? [] }, options);
  for (const item of ofType('ITEM')) {
    const places = addItem(draft, item, { taxes, lists }, options);
    if (places === undefined) continue;
    const known = places.filter((id) => categories.has(id));
    if (known.length === 0 && places.length > 0)
      draft.losses.push({ place: item.path, message: 'in a category that the file lacks' });
    else if (known.length === 0)
      draft.losses.push({ place: item.path, message: 'in no category, so on no menu' });
    for (const id of known) categories.get(id)?.push(textAt(item, 'id') ?? '');
  }
  const sold = new Set(draft.items.map(({ external_id: id }) => id));
  for (const category of ofType('CATEGORY')) {
    const id = textAt(category, 'id') ?? '';
    const data = partAt(category, 'category_data');
    draft.categories.push({
      external_id: id,
      name: textIn(options.language, textAt(data, 'name') ?? id),
      item_external_ids: (categories.get(id) ?? []).filter((item) => sold.has(item)),
    });
    draft.losses.push(...lossesIn(data, CATEGORY_KEYS));
  }
  draft.menus.push({
    external_id: 'menu',
    availability: [],
    category_external_ids: draft.categories.map(({ external_id: id }) => id),
  });
  for (const object of objects)
    if (!CONVERTED.includes(textAt(object, 'type') ?? ''))
      draft.losses.push({
        place: object.path,
        message: `${textAt(object, 'type') ?? 'object'} has no place in a menu`,
      });
  return finishDraft(draft, currencyOf(value));
}

/** Modifiers and variations also stand by themselves beside the lists and items that hold them. */
const CONVERTED = ['CATEGORY', 'ITEM', 'MODIFIER_LIST', 'TAX', 'MODIFIER', 'ITEM_VARIATION'];
const CATEGORY_KEYS = ['name', 'category_type', 'is_top_level', 'online_visibility', 'parent_category'];
const ITEM_KEYS = [
  'name',
  'description',
  'description_plaintext',
  'description_html',
  'category_id',
  'categories',
  'reporting_category',
  'tax_ids',
  'is_taxable',
  'modifier_list_info',
  'variations',
  'product_type',
  'skip_modifier_screen',
  'visibility',
  'available_online',
  'available_for_pickup',
  'available_electronically',
  'is_alcoholic',
];
const VARIATION_KEYS = [
  'item_id',
  'name',
  'ordinal',
  'pricing_type',
  'price_money',
  'sku',
  'sellable',
  'stockable',
];
const LIST_KEYS = ['name', 'ordinal', 'selection_type', 'modifiers', 'modifier_type', 'internal_name'];
const MODIFIER_KEYS = ['name', 'price_money', 'on_by_default', 'ordinal', 'modifier_list_id'];

function objectsOf(value: unknown): Part[] {
  if (Array.isArray(value)) return partsAt({ path: '', value: { objects: value } }, 'objects');
  const root = rootPart(value);
  return [...partsAt(root, 'objects'), ...partsAt(root, 'related_objects'), ...partsAt(root, 'items')];
}

interface Surroundings {
  readonly taxes: ReadonlyMap<string, Part>;
  readonly lists: ReadonlyMap<string, Part>;
}

/** Returns the ids of its categories; undefined where the item had to be left out. */
function addItem(
  draft: Draft,
  item: Part,
  around: Surroundings,
  options: ConvertOptions,
): string[] | undefined {
  const id = textAt(item, 'id') ?? '';
  const data = partAt(item, 'item_data');
  const name = textAt(data, 'name') ?? id;
  const priced = partsAt(data, 'variations').flatMap((variation) => {
    const its = partAt(variation, 'item_variation_data');
    const amount = numberAt(partAt(its, 'price_money'), 'amount');
    draft.losses.push(...lossesIn(its, VARIATION_KEYS));
    if (amount !== undefined)
      return [
        {
          externalId: textAt(variation, 'id') ?? `${id}:${textAt(its, 'name') ?? ''}`,
          name: textIn(options.language, textAt(its, 'name') ?? name),
          ...withTaxes(amount, textsAt(data, 'tax_ids'), around.taxes, options),
        },
      ];
    draft.losses.push({ place: its.path, message: 'left out: it has no fixed price' });
    return [];
  });
  draft.losses.push(...lossesIn(data, ITEM_KEYS));
  if (priced.length === 0) {
    draft.losses.push({
      place: item.path,
      message: `"${name}" is left out: nothing in it has a fixed price`,
    });
    return undefined;
  }
  const { price, tax, groupIds } = addVariants(draft, id, textIn(options.language, name), priced);
  const description = textAt(data, 'description_plaintext') ?? textAt(data, 'description');
  draft.items.push({
    external_id: id,
    name: textIn(options.language, name),
    price,
    tax,
    sell_separately: true,
    ...describedAs(options.language, description),
    modifier_external_ids: [...groupIds, ...groupsOf(draft, data, around.lists)],
  });
  const categories = partsAt(data, 'categories').flatMap((one) => textAt(one, 'id') ?? []);
  return categories.length > 0 ? categories : [textAt(data, 'category_id') ?? ''].filter((one) => one !== '');
}

function withTaxes(
  amount: number,
  ids: readonly string[],
  taxes: ReadonlyMap<string, Part>,
  { taxRate }: ConvertOptions,
): { price: number; tax: number } {
  const found = ids.flatMap((id) => taxes.get(id) ?? []).filter(({ value }) => value['enabled'] !== false);
  if (found.length === 0) return taxIncluded(amount, (taxRate ?? 0) / 10_000);
  const percentOf = (type: string) =>
    found
      .filter((tax) => (textAt(tax, 'inclusion_type') ?? 'ADDITIVE') === type)
      .reduce((sum, tax) => sum + Number(textAt(tax, 'percentage') ?? 0), 0);
  const { price, tax } = taxIncluded(amount, percentOf('INCLUSIVE'));
  return { price, tax: tax + taxOnTop(price, percentOf('ADDITIVE')).tax };
}

/** The groups of an item; one that the item limits in its own way becomes a group of its own. */
function groupsOf(draft: Draft, data: Part, lists: ReadonlyMap<string, Part>): string[] {
  return partsAt(data, 'modifier_list_info').flatMap((info) => {
    const id = textAt(info, 'modifier_list_id') ?? '';
    if (info.value['enabled'] === false) return [];
    const group = draft.modifier_groups.find(({ external_id: one }) => one === id);
    if (group === undefined || !lists.has(id)) {
      draft.losses.push({ place: info.path, message: 'a modifier list that the file lacks' });
      return [];
    }
    const least = atLeastZero(numberAt(info, 'min_selected_modifiers')) ?? group.group_min;
    const most = atLeastZero(numberAt(info, 'max_selected_modifiers')) ?? group.group_max;
    if (least === group.group_min && most === group.group_max) return [id];
    const ownId = `${id}:${least}-${most}`;
    if (!draft.modifier_groups.some(({ external_id: one }) => one === ownId))
      draft.modifier_groups.push({ ...group, external_id: ownId, group_min: least, group_max: most });
    return [ownId];
  });
}

/** -1 means that the list decides. */
function atLeastZero(number: number | undefined): number | undefined {
  return number === undefined || number < 0 ? undefined : number;
}

/** A modifier is taxed as the item that it goes with: under each list, what the items that use it are taxed with. */
function taxIdsByList(items: readonly Part[]): Map<string, string[][]> {
  const byList = new Map<string, Map<string, string[]>>();
  for (const item of items) {
    const data = partAt(item, 'item_data');
    const ids = textsAt(data, 'tax_ids').toSorted();
    for (const info of partsAt(data, 'modifier_list_info')) {
      const list = textAt(info, 'modifier_list_id') ?? '';
      byList.set(list, (byList.get(list) ?? new Map<string, string[]>()).set(ids.join(' '), ids));
    }
  }
  return new Map([...byList].map(([list, different]) => [list, [...different.values()]]));
}

function addModifiers(
  draft: Draft,
  list: Part,
  { taxes, taxIds }: { readonly taxes: ReadonlyMap<string, Part>; readonly taxIds: readonly string[][] },
  options: ConvertOptions,
): void {
  const { language } = options;
  const id = textAt(list, 'id') ?? '';
  const data = partAt(list, 'modifier_list_data');
  const [itsTaxes = [], ...otherTaxes] = taxIds;
  if (otherTaxes.length > 0)
    draft.losses.push({
      place: list.path,
      message: 'taxed differently from item to item: taxed as with the first',
    });
  const modifiers = partsAt(data, 'modifiers').map((modifier) => {
    const its = partAt(modifier, 'modifier_data');
    const amount = numberAt(partAt(its, 'price_money'), 'amount') ?? 0;
    draft.losses.push(...lossesIn(its, MODIFIER_KEYS));
    const name = textIn(language, textAt(its, 'name') ?? '');
    const modifierId = textAt(modifier, 'id') ?? `${id}:${textAt(its, 'name') ?? ''}`;
    return modifierOf(
      modifierId,
      name,
      withTaxes(amount, itsTaxes, taxes, options),
      its.value['on_by_default'] === true,
    );
  });
  draft.losses.push(...lossesIn(data, LIST_KEYS));
  draft.modifier_items.push(...modifiers);
  draft.modifier_groups.push({
    external_id: id,
    type: textAt(data, 'selection_type')?.toLowerCase() ?? 'multiple',
    name: textIn(language, textAt(data, 'name') ?? id),
    group_min: 0,
    group_max: textAt(data, 'selection_type') === 'SINGLE' ? 1 : 0,
    charge_after: 0,
    modifier_item_external_ids: modifiers.map(({ external_id: one }) => one),
  });
}

/** Every amount says its currency; a catalogue has one. */
function currencyOf(value: unknown): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  const found = /"currency":"([A-Z]{3})"/.exec(JSON.stringify(value));
  return found?.[1];
}
