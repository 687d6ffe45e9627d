import { parseAmount } from '../sheet/money.js';
import {
  addVariants,
  createDraft,
  describedAs,
  finishDraft,
  leaveOut,
  modifierOf,
  taxIncluded,
  textIn,
  type Conversion,
  type ConvertOptions,
  type Draft,
} from './conversion.js';
import {
  ignoreAt,
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

/** Loading a picture from there needs the access token of the account. */
const CATALOGUES = 'https://api.hubrise.com/v1/catalogs';

/** A catalogue as HubRise's API takes and returns it, with or without what is around its data. */
export function isHubRise(value: unknown): boolean {
  return partsAt(dataOf(value), 'products').some((product) => partsAt(product, 'skus').length > 0);
}

function dataOf(value: unknown): Part {
  const root = rootPart(value);
  return 'data' in root.value ? partAt(root, 'data') : root;
}

export function convertHubRise(value: unknown, options: ConvertOptions): Conversion {
  const data = dataOf(value);
  const draft = createDraft();
  const { losses } = draft;
  const catalogId = data.path === '' ? undefined : textAt(rootPart(value), 'id');
  for (const list of partsAt(data, 'option_lists')) addGroup(draft, list, options);
  const categories = partsAt(data, 'categories');
  const contents = new Map(categories.flatMap(idsOf).map((id) => [id, [] as string[]]));
  for (const product of partsAt(data, 'products')) {
    const id = addProduct(draft, product, options);
    const [image] = (product.value['image_ids'] ?? []) as readonly unknown[];
    if (id !== undefined && catalogId !== undefined && typeof image === 'string')
      draft.photos.set(id, `${CATALOGUES}/${catalogId}/images/${image}/data`);
    const category = contents.get(eitherAt(product, 'category') ?? '');
    if (id !== undefined && category === undefined)
      losses.push({ place: product.path, message: 'in no category, so on no menu' });
    if (id !== undefined) category?.push(id);
  }
  for (const category of categories) {
    const ids = idsOf(category);
    const [id = category.path] = ids;
    draft.categories.push({
      external_id: id,
      name: textIn(options.language, textAt(category, 'name') ?? id),
      ...describedAs(options.language, textAt(category, 'description')),
      item_external_ids: ids.flatMap((one) => contents.get(one) ?? []),
    });
    const parent = eitherAt(category, 'parent');
    if (parent !== undefined)
      losses.push({
        place: category.path,
        message: `no longer within the category ${parent}: categories have no levels`,
      });
  }
  draft.menus.push({
    external_id: 'menu',
    availability: [],
    category_external_ids: draft.categories.map(({ external_id: id }) => id),
  });
  ignoreAt(data, ['variants']);
  if (options.taxRate === undefined && draft.items.length > 0)
    losses.push({ place: pathTo(data, 'products'), message: 'the file states no taxes: every tax is 0' });
  return finishDraft(draft, data, currencyIn(data));
}

/** Uploads refer to refs, answers to ids. */
function idsOf(part: Part): string[] {
  return [textAt(part, 'ref'), textAt(part, 'id')].filter((id) => id !== undefined);
}

function eitherAt(part: Part, name: string): string | undefined {
  const [ref, id] = [textAt(part, `${name}_ref`), textAt(part, `${name}_id`)];
  return ref ?? id;
}

function addProduct(draft: Draft, product: Part, options: ConvertOptions): string | undefined {
  const { losses } = draft;
  const { language } = options;
  const skus = partsAt(product, 'skus');
  const name = textAt(product, 'name') ?? '';
  const variants = skus.flatMap((sku) => {
    const price = priceOf(sku, options);
    ignoreAt(sku, ['product_id']);
    const [externalId = sku.path] = idsOf(sku);
    const variant = { externalId, name: textIn(language, textAt(sku, 'name') ?? name) };
    if (price !== undefined) return [{ ...variant, ...price }];
    leaveOut(draft, sku, 'left out: it has no price');
    return [];
  });
  const [productId = product.path] = idsOf(product);
  const description = textAt(product, 'description');
  const [only] = variants;
  if (only === undefined) {
    leaveOut(draft, product, `"${name}" is left out: nothing in it has a price`);
    return undefined;
  }
  // Orders name the sku, so a product with only one is that sku.
  const id = variants.length === 1 ? only.externalId : productId;
  const { price, tax, groupIds } = addVariants(draft, id, textIn(language, name), variants);
  const [shared = [], ...otherLists] = skus.map(listsOf);
  const lists = [...new Set([...shared, ...otherLists.flat()])];
  if (otherLists.some((one) => one.join() !== shared.join()))
    losses.push({
      place: product.path,
      message: 'its skus have different options: all of them are offered with each',
    });
  const known = lists.filter((list) => draft.modifier_groups.some(({ external_id: one }) => one === list));
  if (known.length < lists.length)
    losses.push({ place: product.path, message: 'an option list that the file lacks' });
  draft.items.push({
    external_id: id,
    name: textIn(language, name),
    price,
    tax,
    sell_separately: true,
    ...describedAs(language, description),
    modifier_external_ids: [...groupIds, ...known],
  });
  return id;
}

function listsOf(sku: Part): string[] {
  return [...textsAt(sku, 'option_list_refs'), ...textsAt(sku, 'option_list_ids')];
}

function addGroup(draft: Draft, list: Part, options: ConvertOptions): void {
  const [refOrId = list.path] = idsOf(list);
  const isSingle = textAt(list, 'type') === 'single';
  const modifiers = partsAt(list, 'options').map((option) => {
    const [own = option.path] = idsOf(option);
    ignoreAt(option, ['option_list_id']);
    const price = priceOf(option, options) ?? { price: 0, tax: 0 };
    const name = textIn(options.language, textAt(option, 'name') ?? own);
    // Refs of options are unique within their list only.
    return modifierOf(`${refOrId}:${own}`, name, price, valueAt(option, 'default') === true);
  });
  draft.modifier_items.push(...modifiers);
  draft.modifier_groups.push({
    external_id: refOrId,
    type: isSingle ? 'single' : 'multiple',
    name: textIn(options.language, textAt(list, 'name') ?? refOrId),
    group_min: numberAt(list, 'min_selections') ?? (isSingle ? 1 : 0),
    group_max: numberAt(list, 'max_selections') ?? (isSingle ? 1 : 0),
    charge_after: 0,
    modifier_item_external_ids: modifiers.map(({ external_id: one }) => one),
  });
}

/** `9.80 EUR`, with its tax. */
function priceOf(part: Part, { taxRate }: ConvertOptions): { price: number; tax: number } | undefined {
  const [amount = '', currency] = (textAt(part, 'price') ?? '').split(' ');
  const gross = parseAmount(amount, currency);
  return gross === undefined ? undefined : taxIncluded(gross, (taxRate ?? 0) / 10_000);
}

function currencyIn(data: Part): string | undefined {
  const prices = partsAt(data, 'products').flatMap((product) => partsAt(product, 'skus'));
  return prices.map((sku) => textAt(sku, 'price')?.split(' ')[1]).find((one) => one !== undefined);
}
