import { parseAmount } from '../sheet/money.js';
import { Draft, modifierOf, type Conversion, type ConvertOptions, type Priced } from './conversion.js';
import { rootPart, type Part } from './source.js';

/** Loading a picture from there needs the access token of the account. */
const CATALOGUES = 'https://api.hubrise.com/v1/catalogs';

/** A catalogue as HubRise's API takes and returns it, with or without what is around its data. */
export function isHubRise(value: unknown): boolean {
  return dataOf(value)
    .parts('products')
    .some((product) => product.parts('skus').length > 0);
}

function dataOf(value: unknown): Part {
  const root = rootPart(value);
  return 'data' in root.value ? root.part('data') : root;
}

export function convertHubRise(value: unknown, options: ConvertOptions): Conversion {
  const data = dataOf(value);
  const draft = new Draft(options);
  const catalogId = data.path === '' ? undefined : rootPart(value).text('id');
  for (const list of data.parts('option_lists')) addOptions(draft, list);
  const categories = data.parts('categories');
  const contents = new Map(categories.flatMap(idsOf).map((id) => [id, [] as string[]]));
  for (const product of data.parts('products')) {
    const id = addProduct(draft, product);
    const [image] = (product.value['image_ids'] ?? []) as readonly unknown[];
    if (id !== undefined && catalogId !== undefined && typeof image === 'string')
      draft.photos.set(id, `${CATALOGUES}/${catalogId}/images/${image}/data`);
    const category = contents.get(eitherAt(product, 'category') ?? '');
    if (id !== undefined && category === undefined) draft.lose(product, 'in no category, so on no menu');
    if (id !== undefined) category?.push(id);
  }
  for (const category of categories) {
    const ids = idsOf(category);
    const [id = category.path] = ids;
    draft.categories.push({
      external_id: id,
      name: draft.text(category.text('name') ?? id),
      ...draft.describedAs(category.text('description')),
      item_external_ids: ids.flatMap((one) => contents.get(one) ?? []),
    });
    const parent = eitherAt(category, 'parent');
    if (parent !== undefined)
      draft.lose(category, `no longer within the category ${parent}: categories have no levels`);
  }
  draft.addOnlyMenu();
  data.ignore('variants');
  if (options.taxRate === undefined && draft.items.length > 0)
    draft.lose(data.pathTo('products'), 'the file states no taxes: every tax is 0');
  return draft.finish(data, currencyIn(data));
}

/** Uploads refer to refs, answers to ids. */
function idsOf(part: Part): string[] {
  return [part.text('ref'), part.text('id')].filter((id) => id !== undefined);
}

function eitherAt(part: Part, name: string): string | undefined {
  const [ref, id] = [part.text(`${name}_ref`), part.text(`${name}_id`)];
  return ref ?? id;
}

function addProduct(draft: Draft, product: Part): string | undefined {
  const skus = product.parts('skus');
  const name = product.text('name') ?? '';
  const variants = skus.flatMap((sku) => {
    const price = priceOf(draft, sku);
    sku.ignore('product_id');
    const [externalId = sku.path] = idsOf(sku);
    const variant = { externalId, name: draft.text(sku.text('name') ?? name) };
    if (price !== undefined) return [{ ...variant, ...price }];
    draft.leaveOut(sku, 'left out: it has no price');
    return [];
  });
  const [productId = product.path] = idsOf(product);
  const description = product.text('description');
  const sold = draft.addVariants(productId, draft.text(name), variants);
  if (sold === undefined) {
    draft.leaveOut(product, `"${name}" is left out: nothing in it has a price`);
    return undefined;
  }
  const { external_id, price, tax, groupIds } = sold;
  const [shared = [], ...otherLists] = skus.map(listsOf);
  const lists = [...new Set([...shared, ...otherLists.flat()])];
  if (otherLists.some((one) => one.join() !== shared.join()))
    draft.lose(product, 'its skus have different options: all of them are offered with each');
  const known = lists.filter((list) => draft.hasGroup(list));
  if (known.length < lists.length) draft.lose(product, 'an option list that the file lacks');
  draft.items.push({
    external_id,
    name: draft.text(name),
    price,
    tax,
    sell_separately: true,
    ...draft.describedAs(description),
    modifier_external_ids: [...groupIds, ...known],
  });
  return external_id;
}

function listsOf(sku: Part): string[] {
  return [...sku.texts('option_list_refs'), ...sku.texts('option_list_ids')];
}

function addOptions(draft: Draft, list: Part): void {
  const [refOrId = list.path] = idsOf(list);
  const isSingle = list.text('type') === 'single';
  const modifiers = list.parts('options').map((option) => {
    const [own = option.path] = idsOf(option);
    option.ignore('option_list_id');
    const price = priceOf(draft, option) ?? { price: 0, tax: 0 };
    const name = draft.text(option.text('name') ?? own);
    // Refs of options are unique within their list only.
    return modifierOf(`${refOrId}:${own}`, name, price, option.get('default') === true);
  });
  const group = {
    external_id: refOrId,
    type: isSingle ? 'single' : 'multiple',
    name: draft.text(list.text('name') ?? refOrId),
    group_min: list.number('min_selections') ?? (isSingle ? 1 : 0),
    group_max: list.number('max_selections') ?? (isSingle ? 1 : 0),
  };
  draft.addGroup(group, modifiers);
}

/** `9.80 EUR`, with its tax. */
function priceOf(draft: Draft, part: Part): Priced | undefined {
  const [amount = '', currency] = (part.text('price') ?? '').split(' ');
  const gross = parseAmount(amount, currency);
  return gross === undefined ? undefined : draft.taxIncluded(gross);
}

function currencyIn(data: Part): string | undefined {
  const prices = data.parts('products').flatMap((product) => product.parts('skus'));
  return prices.map((sku) => sku.text('price')?.split(' ')[1]).find((one) => one !== undefined);
}
