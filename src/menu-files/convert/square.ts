import {
  Draft,
  modifierOf,
  taxOnTop,
  type Conversion,
  type ConvertOptions,
  type Priced,
} from './conversion.js';
import { ConversionRefused, type Part } from './source.js';
import { amountAt, ENVELOPE, isKept, objectsOf, rootOf, whyAbsent } from './square-objects.js';

/** A list of catalog objects, alone or in the answer of Square's Catalog API. */
export function isSquare(value: unknown): boolean {
  const [first] = objectsOf(rootOf(value));
  return first !== undefined && /^[A-Z_]+$/.test(first.text('type') ?? '') && first.text('id') !== undefined;
}

interface Catalogue {
  readonly draft: Draft;
  readonly taxes: ReadonlyMap<string, Part>;
  readonly lists: ReadonlyMap<string, Part>;
  /** Where a picture is, by its id. */
  readonly images: ReadonlyMap<string, string>;
  readonly currencies: Set<string>;
}

export function convertSquare(value: unknown, options: ConvertOptions): Conversion {
  const root = rootOf(value);
  const objects = objectsOf(root).filter((object) => isKept(object));
  root.ignore('cursor', 'latest_time');
  const byId = (type: string) =>
    new Map(
      objects
        .filter((object) => object.text('type') === type)
        .map((object) => [object.text('id') ?? '', object]),
    );
  const catalogue: Catalogue = {
    draft: new Draft(options),
    taxes: new Map([...byId('TAX')].filter(([, tax]) => whyAbsent(tax, options, true) === undefined)),
    lists: byId('MODIFIER_LIST'),
    images: new Map([...byId('IMAGE')].map(([id, one]) => [id, one.part('image_data').text('url') ?? id])),
    currencies: new Set(),
  };
  const { draft, currencies } = catalogue;
  const [items, categories] = [byId('ITEM'), byId('CATEGORY')];
  const contents = new Map([...categories.keys()].map((id) => [id, [] as string[]]));
  const taxIds = taxIdsByList([...items.values()]);
  for (const [id, list] of catalogue.lists) addModifiers(catalogue, list, taxIds.get(id) ?? []);
  for (const item of items.values()) addItem(catalogue, item, contents);
  for (const [id, category] of categories) {
    const data = category.part('category_data');
    draft.categories.push({
      external_id: id,
      name: draft.text(data.text('name') ?? id),
      item_external_ids: contents.get(id) ?? [],
    });
    category.ignore(...ENVELOPE);
    data.ignore('category_type', 'is_top_level', 'online_visibility', 'parent_category');
  }
  draft.addOnlyMenu();
  for (const object of objects) {
    const type = object.text('type') ?? 'object';
    if (USED_UP.includes(type)) object.settle();
    else if (!CONVERTED.includes(type)) draft.leaveOut(object, `${type} has no place in a menu`);
  }
  if (currencies.size > 1)
    throw new ConversionRefused(`Prices are in several currencies: ${[...currencies].join(', ')}.`);
  return draft.finish(root, [...currencies][0]);
}

const CONVERTED = ['CATEGORY', 'ITEM', 'MODIFIER_LIST'];
/** Modifiers and variations also stand by themselves beside the lists and items that hold them. */
const USED_UP = ['TAX', 'IMAGE', 'MODIFIER', 'ITEM_VARIATION'];

/** The variations that are sold at a fixed price. */
function readVariations(catalogue: Catalogue, item: Part, data: Part) {
  const { draft, currencies } = catalogue;
  const taxIds = data.texts('tax_ids');
  return data.parts('variations').flatMap((variation) => {
    const its = variation.part('item_variation_data');
    const amount = amountAt(its, 'price_money', currencies);
    const title = its.text('name');
    const isSellable = its.get('sellable') !== false;
    its.ignore('item_id', 'ordinal', 'pricing_type', 'sku', 'stockable');
    const why =
      whyAbsent(variation, draft.options) ??
      (isSellable ? undefined : 'left out: it is not sold') ??
      (amount === undefined ? 'left out: it has no fixed price' : undefined);
    if (why !== undefined) {
      draft.leaveOut(amount === undefined ? its : variation, why);
      variation.settle();
      return [];
    }
    const externalId = variation.text('id') ?? `${item.path}:${title ?? ''}`;
    return [{ externalId, title, ...withTaxes(amount ?? 0, taxIds, catalogue) }];
  });
}

/** What Square calls the variation of an item that has only one. */
const UNNAMED = 'Regular';

function addItem(catalogue: Catalogue, item: Part, contents: Map<string, string[]>): void {
  const { draft } = catalogue;
  const itemId = item.text('id') ?? '';
  const data = item.part('item_data');
  const name = data.text('name') ?? itemId;
  const absence =
    whyAbsent(item, draft.options) ??
    (data.get('is_archived') === true ? 'left out: it is archived' : undefined);
  if (absence !== undefined) return draft.leaveOut(item, `"${name}" is ${absence}`);
  const variations = readVariations(catalogue, item, data);
  const variants = variations.map(({ title = name, ...variant }) => ({
    ...variant,
    name: draft.text(title),
  }));
  const sold = draft.addVariants(itemId, draft.text(name), variants);
  if (sold === undefined)
    return draft.leaveOut(item, `"${name}" is left out: nothing in it has a fixed price`);
  const { external_id: id, price, tax, groupIds } = sold;
  const title = variations.length === 1 ? variations[0]?.title : undefined;
  const isTelling = title !== undefined && title !== UNNAMED && title !== name;
  draft.items.push({
    external_id: id,
    name: draft.text(isTelling ? `${name} (${title})` : name),
    price,
    tax,
    sell_separately: true,
    ...draft.describedAs(descriptionOf(data)),
    modifier_external_ids: [...groupIds, ...groupsOf(catalogue, data)],
  });
  namePhotos(catalogue, data, id);
  data.ignore(...SAYS_NOTHING);
  const wanted = categoriesOf(data);
  for (const category of wanted) contents.get(category)?.push(id);
  if (wanted.some((category) => contents.has(category))) return;
  const message = wanted.length > 0 ? 'in a category that the file lacks' : 'in no category, so on no menu';
  draft.lose(item, message);
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
  const [plain, description] = [data.text('description_plaintext'), data.text('description')];
  data.ignore('description_html');
  return plain ?? description;
}

function categoriesOf(data: Part): string[] {
  const many = data.parts('categories').flatMap((one) => {
    one.ignore('ordinal');
    return one.text('id') ?? [];
  });
  const one = data.text('category_id');
  return many.length > 0 || one === undefined ? many : [one];
}

/** A photo is uploaded by itself, so it is said where it is. */
function namePhotos({ draft, images }: Catalogue, data: Part, itemId: string): void {
  const single = data.text('image_id');
  const ids = [...data.texts('image_ids'), ...(single === undefined ? [] : [single])];
  if (ids.length === 0) return;
  const address = images.get(ids[0] ?? '');
  if (address !== undefined) draft.photos.set(itemId, address);
  const where = ids.map((id) => images.get(id) ?? id).join(', ');
  const key = single === undefined ? 'image_ids' : 'image_id';
  draft.lose(data.pathTo(key), `a photo, to be uploaded by itself: ${where}`);
}

function withTaxes(amount: number, ids: readonly string[], { draft, taxes }: Catalogue): Priced {
  const found = ids
    .flatMap((id) => taxes.get(id) ?? [])
    .map((tax) => tax.part('tax_data'))
    .filter((tax) => tax.get('enabled') !== false);
  if (found.length === 0) return draft.taxIncluded(amount);
  const percentOf = (type: string) =>
    found
      .filter((tax) => (tax.text('inclusion_type') ?? 'ADDITIVE') === type)
      .reduce((sum, tax) => sum + Number(tax.text('percentage') ?? 0), 0);
  const { price, tax } = draft.taxIncluded(amount, percentOf('INCLUSIVE'));
  return { price, tax: tax + taxOnTop(price, percentOf('ADDITIVE')).tax };
}

/** The groups of an item; one that the item limits in its own way becomes a group of its own. */
function groupsOf({ draft }: Catalogue, data: Part): string[] {
  return data.parts('modifier_list_info').flatMap((info) => {
    const id = info.text('modifier_list_id') ?? '';
    const [min, max] = [limitAt(info, 'min_selected_modifiers'), limitAt(info, 'max_selected_modifiers')];
    info.ignore('ordinal');
    if (info.get('enabled') === false) return [];
    const group = draft.groups.find(({ external_id: one }) => one === id);
    if (group === undefined) {
      draft.leaveOut(info, 'a modifier list that the file lacks');
      return [];
    }
    const [least, most] = [min ?? group.group_min, max ?? group.group_max];
    if (least === group.group_min && most === group.group_max) return [id];
    const ownId = `${id}:${least}-${most}`;
    if (!draft.hasGroup(ownId))
      draft.groups.push({ ...group, external_id: ownId, group_min: least, group_max: most });
    return [ownId];
  });
}

/** -1 means that the list decides. */
function limitAt(info: Part, key: string): number | undefined {
  const limit = Number(info.text(key) ?? -1);
  return limit >= 0 ? limit : undefined;
}

/** A modifier is taxed as the item that it goes with: under each list, what the items that use it are taxed with. */
function taxIdsByList(items: readonly Part[]): Map<string, string[][]> {
  const byList = new Map<string, Map<string, string[]>>();
  for (const item of items) {
    const data = item.part('item_data');
    const ids = data.texts('tax_ids').toSorted();
    for (const info of data.parts('modifier_list_info')) {
      const list = info.text('modifier_list_id') ?? '';
      byList.set(list, (byList.get(list) ?? new Map<string, string[]>()).set(ids.join(' '), ids));
    }
  }
  return new Map([...byList].map(([list, different]) => [list, [...different.values()]]));
}

function addModifiers(catalogue: Catalogue, list: Part, taxIds: readonly string[][]): void {
  const { draft, currencies } = catalogue;
  const id = list.text('id') ?? '';
  const data = list.part('modifier_list_data');
  const absence = whyAbsent(list, draft.options);
  if (absence !== undefined) return draft.leaveOut(list, absence);
  const [itsTaxes = [], ...otherTaxes] = taxIds;
  if (otherTaxes.length > 0) draft.lose(list, 'taxed differently from item to item: taxed as with the first');
  const modifiers = data.parts('modifiers').flatMap((modifier) => {
    const its = modifier.part('modifier_data');
    const why = whyAbsent(modifier, draft.options);
    if (why !== undefined) {
      draft.leaveOut(modifier, why);
      return [];
    }
    const name = its.text('name') ?? '';
    const change = withTaxes(amountAt(its, 'price_money', currencies) ?? 0, itsTaxes, catalogue);
    its.ignore('ordinal', 'modifier_list_id');
    const isDefault = its.get('on_by_default') === true;
    return modifierOf(modifier.text('id') ?? `${id}:${name}`, draft.text(name), change, isDefault);
  });
  data.ignore('ordinal', 'modifier_type', 'internal_name');
  const selection = data.text('selection_type');
  const group = {
    external_id: id,
    type: selection?.toLowerCase() ?? 'multiple',
    name: draft.text(data.text('name') ?? id),
    group_min: 0,
    group_max: selection === 'SINGLE' ? 1 : 0,
  };
  draft.addGroup(group, modifiers);
}
