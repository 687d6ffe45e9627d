import {
  addVariants,
  createDraft,
  describedAs,
  finishDraft,
  leaveOut,
  modifierOf,
  taxIncluded,
  taxOnTop,
  textIn,
  type Conversion,
  type ConvertOptions,
  type Draft,
} from './conversion.js';
import {
  ConversionRefused,
  ignoreAt,
  partAt,
  partsAt,
  pathTo,
  settle,
  textAt,
  textsAt,
  valueAt,
  type Part,
} from './source.js';
import { amountAt, ENVELOPE, isKept, objectsOf, rootOf, whyAbsent } from './square-objects.js';

/** A list of catalog objects, alone or in the answer of Square's Catalog API. */
export function isSquare(value: unknown): boolean {
  const [first] = objectsOf(rootOf(value));
  return (
    first !== undefined && /^[A-Z_]+$/.test(textAt(first, 'type') ?? '') && textAt(first, 'id') !== undefined
  );
}

interface Catalogue {
  readonly draft: Draft;
  readonly options: ConvertOptions;
  readonly taxes: ReadonlyMap<string, Part>;
  readonly lists: ReadonlyMap<string, Part>;
  /** Where a picture is, by its id. */
  readonly images: ReadonlyMap<string, string>;
  readonly currencies: Set<string>;
}

export function convertSquare(value: unknown, options: ConvertOptions): Conversion {
  const root = rootOf(value);
  const objects = objectsOf(root).filter((object) => isKept(object));
  ignoreAt(root, ['cursor', 'latest_time']);
  const byId = (type: string) =>
    new Map(
      objects
        .filter((object) => textAt(object, 'type') === type)
        .map((object) => [textAt(object, 'id') ?? '', object]),
    );
  const catalogue: Catalogue = {
    draft: createDraft(),
    options,
    taxes: new Map([...byId('TAX')].filter(([, tax]) => whyAbsent(tax, options, true) === undefined)),
    lists: byId('MODIFIER_LIST'),
    images: new Map(
      [...byId('IMAGE')].map(([id, one]) => [id, textAt(partAt(one, 'image_data'), 'url') ?? id]),
    ),
    currencies: new Set(),
  };
  const { draft, currencies } = catalogue;
  const [items, categories] = [byId('ITEM'), byId('CATEGORY')];
  const contents = new Map([...categories.keys()].map((id) => [id, [] as string[]]));
  const taxIds = taxIdsByList([...items.values()]);
  for (const [id, list] of catalogue.lists) addModifiers(catalogue, list, taxIds.get(id) ?? []);
  for (const item of items.values()) addItem(catalogue, item, contents);
  for (const [id, category] of categories) {
    const data = partAt(category, 'category_data');
    draft.categories.push({
      external_id: id,
      name: textIn(options.language, textAt(data, 'name') ?? id),
      item_external_ids: contents.get(id) ?? [],
    });
    ignoreAt(category, ENVELOPE);
    ignoreAt(data, ['category_type', 'is_top_level', 'online_visibility', 'parent_category']);
  }
  draft.menus.push({
    external_id: 'menu',
    availability: [],
    category_external_ids: draft.categories.map(({ external_id: id }) => id),
  });
  for (const object of objects) {
    const type = textAt(object, 'type') ?? 'object';
    if (USED_UP.includes(type)) settle(object);
    else if (!CONVERTED.includes(type)) leaveOut(draft, object, `${type} has no place in a menu`);
  }
  if (currencies.size > 1)
    throw new ConversionRefused(`Prices are in several currencies: ${[...currencies].join(', ')}.`);
  return finishDraft(draft, root, [...currencies][0]);
}

const CONVERTED = ['CATEGORY', 'ITEM', 'MODIFIER_LIST'];
/** Modifiers and variations also stand by themselves beside the lists and items that hold them. */
const USED_UP = ['TAX', 'IMAGE', 'MODIFIER', 'ITEM_VARIATION'];

interface PricedVariation {
  readonly externalId: string;
  readonly title: string | undefined;
  readonly price: number;
  readonly tax: number;
}

/** The variations that are sold at a fixed price. */
function readVariations(catalogue: Catalogue, item: Part, data: Part): PricedVariation[] {
  const { draft, options, currencies } = catalogue;
  const taxIds = textsAt(data, 'tax_ids');
  return partsAt(data, 'variations').flatMap((variation) => {
    const its = partAt(variation, 'item_variation_data');
    const amount = amountAt(its, 'price_money', currencies);
    const title = textAt(its, 'name');
    const isSellable = valueAt(its, 'sellable') !== false;
    ignoreAt(its, ['item_id', 'ordinal', 'pricing_type', 'sku', 'stockable']);
    const why =
      whyAbsent(variation, options) ??
      (isSellable ? undefined : 'left out: it is not sold') ??
      (amount === undefined ? 'left out: it has no fixed price' : undefined);
    if (why !== undefined) {
      leaveOut(draft, amount === undefined ? its : variation, why);
      settle(variation);
      return [];
    }
    const externalId = textAt(variation, 'id') ?? `${item.path}:${title ?? ''}`;
    return [{ externalId, title, ...withTaxes(amount ?? 0, taxIds, catalogue) }];
  });
}

/** What Square calls the variation of an item that has only one. */
const UNNAMED = 'Regular';

function addItem(catalogue: Catalogue, item: Part, contents: Map<string, string[]>): void {
  const { draft, options } = catalogue;
  const { language } = options;
  const itemId = textAt(item, 'id') ?? '';
  const data = partAt(item, 'item_data');
  const name = textAt(data, 'name') ?? itemId;
  const absence =
    whyAbsent(item, options) ??
    (valueAt(data, 'is_archived') === true ? 'left out: it is archived' : undefined);
  if (absence !== undefined) return leaveOut(draft, item, `"${name}" is ${absence}`);
  const variations = readVariations(catalogue, item, data);
  const [only, ...others] = variations;
  if (only === undefined)
    return leaveOut(draft, item, `"${name}" is left out: nothing in it has a fixed price`);
  // Orders name the variation, so an item with only one is that variation.
  const isSingle = others.length === 0;
  const id = isSingle ? only.externalId : itemId;
  const isTelling = isSingle && only.title !== undefined && only.title !== UNNAMED && only.title !== name;
  const variants = variations.map(({ title = name, ...variant }) => ({
    ...variant,
    name: textIn(language, title),
  }));
  const { price, tax, groupIds } = addVariants(draft, id, textIn(language, name), variants);
  draft.items.push({
    external_id: id,
    name: textIn(language, isTelling ? `${name} (${only.title})` : name),
    price,
    tax,
    sell_separately: true,
    ...describedAs(language, descriptionOf(data)),
    modifier_external_ids: [...groupIds, ...groupsOf(catalogue, data)],
  });
  namePhotos(catalogue, data, id);
  ignoreAt(data, SAYS_NOTHING);
  const wanted = categoriesOf(data);
  for (const category of wanted) contents.get(category)?.push(id);
  if (wanted.some((category) => contents.has(category))) return;
  const message = wanted.length > 0 ? 'in a category that the file lacks' : 'in no category, so on no menu';
  draft.losses.push({ place: item.path, message });
}

const SAYS_NOTHING = [
  ...[
    'reporting_category',
    'is_taxable',
    'is_archived',
    'product_type',
    'skip_modifier_screen',
    'visibility',
  ],
  ...['available_online', 'available_for_pickup', 'available_electronically', 'is_alcoholic'],
];

function descriptionOf(data: Part): string | undefined {
  const [plain, description] = [textAt(data, 'description_plaintext'), textAt(data, 'description')];
  ignoreAt(data, ['description_html']);
  return plain ?? description;
}

function categoriesOf(data: Part): string[] {
  const many = partsAt(data, 'categories').flatMap((one) => {
    ignoreAt(one, ['ordinal']);
    return textAt(one, 'id') ?? [];
  });
  const one = textAt(data, 'category_id');
  return many.length > 0 || one === undefined ? many : [one];
}

/** A photo is uploaded by itself, so it is said where it is. */
function namePhotos({ draft, images }: Catalogue, data: Part, itemId: string): void {
  const single = textAt(data, 'image_id');
  const ids = [...textsAt(data, 'image_ids'), ...(single === undefined ? [] : [single])];
  if (ids.length === 0) return;
  const address = images.get(ids[0] ?? '');
  if (address !== undefined) draft.photos.set(itemId, address);
  const where = ids.map((id) => images.get(id) ?? id).join(', ');
  const key = single === undefined ? 'image_ids' : 'image_id';
  draft.losses.push({ place: pathTo(data, key), message: `a photo, to be uploaded by itself: ${where}` });
}

function withTaxes(
  amount: number,
  ids: readonly string[],
  { taxes, options: { taxRate } }: Catalogue,
): { price: number; tax: number } {
  const found = ids
    .flatMap((id) => taxes.get(id) ?? [])
    .map((tax) => partAt(tax, 'tax_data'))
    .filter((tax) => valueAt(tax, 'enabled') !== false);
  if (found.length === 0) return taxIncluded(amount, (taxRate ?? 0) / 10_000);
  const percentOf = (type: string) =>
    found
      .filter((tax) => (textAt(tax, 'inclusion_type') ?? 'ADDITIVE') === type)
      .reduce((sum, tax) => sum + Number(textAt(tax, 'percentage') ?? 0), 0);
  const { price, tax } = taxIncluded(amount, percentOf('INCLUSIVE'));
  return { price, tax: tax + taxOnTop(price, percentOf('ADDITIVE')).tax };
}

/** The groups of an item; one that the item limits in its own way becomes a group of its own. */
function groupsOf({ draft }: Catalogue, data: Part): string[] {
  return partsAt(data, 'modifier_list_info').flatMap((info) => {
    const id = textAt(info, 'modifier_list_id') ?? '';
    const [min, max] = [limitAt(info, 'min_selected_modifiers'), limitAt(info, 'max_selected_modifiers')];
    ignoreAt(info, ['ordinal']);
    if (valueAt(info, 'enabled') === false) return [];
    const group = draft.modifier_groups.find(({ external_id: one }) => one === id);
    if (group === undefined) {
      leaveOut(draft, info, 'a modifier list that the file lacks');
      return [];
    }
    const [least, most] = [min ?? group.group_min, max ?? group.group_max];
    if (least === group.group_min && most === group.group_max) return [id];
    const ownId = `${id}:${least}-${most}`;
    if (!draft.modifier_groups.some(({ external_id: one }) => one === ownId))
      draft.modifier_groups.push({ ...group, external_id: ownId, group_min: least, group_max: most });
    return [ownId];
  });
}

/** -1 means that the list decides. */
function limitAt(info: Part, key: string): number | undefined {
  const limit = Number(textAt(info, key) ?? -1);
  return limit >= 0 ? limit : undefined;
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

function addModifiers(catalogue: Catalogue, list: Part, taxIds: readonly string[][]): void {
  const { draft, options, currencies } = catalogue;
  const id = textAt(list, 'id') ?? '';
  const data = partAt(list, 'modifier_list_data');
  const absence = whyAbsent(list, options);
  if (absence !== undefined) return leaveOut(draft, list, absence);
  const [itsTaxes = [], ...otherTaxes] = taxIds;
  if (otherTaxes.length > 0)
    draft.losses.push({
      place: list.path,
      message: 'taxed differently from item to item: taxed as with the first',
    });
  const modifiers = partsAt(data, 'modifiers').flatMap((modifier) => {
    const its = partAt(modifier, 'modifier_data');
    const why = whyAbsent(modifier, options);
    if (why !== undefined) {
      leaveOut(draft, modifier, why);
      return [];
    }
    const name = textAt(its, 'name') ?? '';
    const change = withTaxes(amountAt(its, 'price_money', currencies) ?? 0, itsTaxes, catalogue);
    ignoreAt(its, ['ordinal', 'modifier_list_id']);
    const isDefault = valueAt(its, 'on_by_default') === true;
    return modifierOf(
      textAt(modifier, 'id') ?? `${id}:${name}`,
      textIn(options.language, name),
      change,
      isDefault,
    );
  });
  ignoreAt(data, ['ordinal', 'modifier_type', 'internal_name']);
  const selection = textAt(data, 'selection_type');
  draft.modifier_items.push(...modifiers);
  draft.modifier_groups.push({
    external_id: id,
    type: selection?.toLowerCase() ?? 'multiple',
    name: textIn(options.language, textAt(data, 'name') ?? id),
    group_min: 0,
    group_max: selection === 'SINGLE' ? 1 : 0,
    charge_after: 0,
    modifier_item_external_ids: modifiers.map(({ external_id: one }) => one),
  });
}
