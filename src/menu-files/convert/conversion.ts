import type { MultilingualText } from '../../support/shape/common-shapes.js';
import type { Category, Item, Menu, MenuConfiguration, Modifier, ModifierGroup } from '../../menus/shapes.js';
import { taxWithin } from '../sheet/money.js';
import type { Loss, Part } from './source.js';

export interface ConvertOptions {
  /** The language of texts that state none. */
  readonly language: string;
  /** In millionths: how much tax is in prices that state none. Without it, their tax is 0. */
  readonly taxRate?: number | undefined;
  /** Of the prices, if the file does not state it. */
  readonly currency?: string | undefined;
  /** Square: the location whose menu it is. */
  readonly location?: string | undefined;
}

export interface Conversion {
  readonly configuration: MenuConfiguration;
  readonly losses: readonly Loss[];
  /** Where the picture of an item is, by its external_id. */
  readonly photos: Readonly<Record<string, string>>;
  /** The currency of the prices, where the file states it. */
  readonly currency?: string | undefined;
}

/** A menu in the making. */
export interface Draft {
  readonly options: ConvertOptions;
  readonly menus: Menu[];
  readonly categories: Category[];
  readonly items: Item[];
  readonly modifier_groups: ModifierGroup[];
  readonly modifier_items: Modifier[];
  readonly losses: Loss[];
  readonly photos: Map<string, string>;
}

export function createDraft(options: ConvertOptions): Draft {
  return {
    options,
    menus: [],
    categories: [],
    items: [],
    modifier_groups: [],
    modifier_items: [],
    losses: [],
    photos: new Map(),
  };
}

/** What was decided on the way, and what was never read. */
export function finishDraft(
  { options: _, losses, photos, ...configuration }: Draft,
  root: Part,
  currency?: string,
): Conversion {
  return {
    configuration,
    losses: [...losses, ...root.losses()],
    photos: Object.fromEntries(photos),
    currency,
  };
}

/** Notes something that is lost or decided, at a place or at an object as a whole. */
export function lose({ losses }: Draft, at: Part | string, message: string): void {
  losses.push({ place: typeof at === 'string' ? at : at.path, message });
}

/** Leaves out an object as a whole. */
export function leaveOut(draft: Draft, part: Part, message: string): void {
  lose(draft, part, message);
  part.settle();
}

export function textIn({ options: { language } }: Draft, text: string): MultilingualText {
  return { translations: { [language]: text } };
}

/** A description, if there is one, to be spread into an entity. */
export function describedAs(draft: Draft, text: string | undefined): { description?: MultilingualText } {
  return text === undefined ? {} : { description: textIn(draft, text) };
}

/** Where a file has no menus of its own: one that shows every category at any time. */
export function addOnlyMenu({ menus, categories }: Draft): void {
  const category_external_ids = categories.map(({ external_id: id }) => id);
  menus.push({ external_id: 'menu', availability: [], category_external_ids });
}

/** Adds a modifier group with its modifier items. */
export function addGroup(
  draft: Draft,
  group: Omit<ModifierGroup, 'modifier_item_external_ids' | 'charge_after'> & { charge_after?: number },
  modifiers: readonly Modifier[],
): void {
  const modifier_item_external_ids = modifiers.map(({ external_id: id }) => id);
  draft.modifier_items.push(...modifiers);
  draft.modifier_groups.push({ charge_after: 0, ...group, modifier_item_external_ids });
}

/** Tax that comes on top of a price, at a rate in per cent. */
export function taxOnTop(price: number, percent: number): { price: number; tax: number } {
  return { price, tax: Math.round((price * percent) / 100) };
}

/** A price that contains its tax, at a rate in per cent, else at the one that was given for the whole file. */
export function taxIncluded(
  { options: { taxRate = 0 } }: Draft,
  gross: number,
  percent = taxRate / 10_000,
): { price: number; tax: number } {
  const tax = taxWithin(gross, Math.round(percent * 10_000));
  return { price: gross - tax, tax };
}

/** A size or variant of an item, at its own price. */
export interface Variant {
  readonly externalId: string;
  readonly name: Modifier['name'];
  readonly price: number;
  readonly tax: number;
}

/** Variants become a group from which a guest chooses exactly one; the item costs what the cheapest does. */
export function addVariants(
  draft: Draft,
  itemId: string,
  name: ModifierGroup['name'],
  variants: readonly Variant[],
): { price: number; tax: number; groupIds: string[] } {
  const [first, ...others] = variants;
  if (first === undefined) return { price: 0, tax: 0, groupIds: [] };
  if (others.length === 0) return { price: first.price, tax: first.tax, groupIds: [] };
  const cheapest = variants.reduce((least, one) => (one.price < least.price ? one : least));
  const groupId = `${itemId}:variants`;
  addGroup(
    draft,
    { external_id: groupId, type: 'variants', name, group_min: 1, group_max: 1 },
    variants.map(({ externalId, name: itsName, price, tax }) =>
      modifierOf(externalId, itsName, { price: price - cheapest.price, tax: tax - cheapest.tax }),
    ),
  );
  return { price: cheapest.price, tax: cheapest.tax, groupIds: [groupId] };
}

/** A modifier item of which a guest takes one or none. */
export function modifierOf(
  externalId: string,
  name: Modifier['name'],
  change: { readonly price: number; readonly tax: number },
  isDefault = false,
): Modifier {
  return {
    external_id: externalId,
    name,
    price_change: change.price,
    tax_change: change.tax,
    min_quantity: 0,
    max_quantity: 1,
    default_quantity: isDefault ? 1 : 0,
  };
}
