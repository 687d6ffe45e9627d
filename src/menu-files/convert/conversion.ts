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

/** A menu in the making, and what is lost on the way. */
export class Draft {
  readonly menus: Menu[] = [];
  readonly categories: Category[] = [];
  readonly items: Item[] = [];
  readonly groups: ModifierGroup[] = [];
  readonly photos = new Map<string, string>();
  private readonly modifiers: Modifier[] = [];
  private readonly losses: Loss[] = [];

  constructor(readonly options: ConvertOptions) {}

  /** What was decided on the way, and what was never read. */
  finish(root: Part, currency?: string): Conversion {
    const { menus, categories, items, groups, modifiers } = this;
    return {
      configuration: { menus, categories, items, modifier_groups: groups, modifier_items: modifiers },
      losses: [...this.losses, ...root.losses()],
      photos: Object.fromEntries(this.photos),
      currency,
    };
  }

  /** Notes something that is lost or decided, at a place or at an object as a whole. */
  lose(at: Part | string, message: string): void {
    this.losses.push({ place: typeof at === 'string' ? at : at.path, message });
  }

  leaveOut(part: Part, message: string): void {
    this.lose(part, message);
    part.settle();
  }

  text(text: string): MultilingualText {
    return { translations: { [this.options.language]: text } };
  }

  /** A description, if there is one, to be spread into an entity. */
  describedAs(text: string | undefined): { description?: MultilingualText } {
    return text === undefined ? {} : { description: this.text(text) };
  }

  /** Where a file has no menus of its own: one that shows every category at any time. */
  addOnlyMenu(): void {
    const category_external_ids = this.categories.map(({ external_id: id }) => id);
    this.menus.push({ external_id: 'menu', availability: [], category_external_ids });
  }

  addGroup(
    group: Omit<ModifierGroup, 'modifier_item_external_ids' | 'charge_after'> & { charge_after?: number },
    modifiers: readonly Modifier[],
  ): void {
    const modifier_item_external_ids = modifiers.map(({ external_id: id }) => id);
    this.modifiers.push(...modifiers);
    this.groups.push({ charge_after: 0, ...group, modifier_item_external_ids });
  }

  hasGroup(id: string): boolean {
    return this.groups.some(({ external_id: one }) => one === id);
  }

  /**
   * Variants become a group from which a guest chooses exactly one; the item costs what the cheapest does. Orders name the
   * variant, so an item with only one is that variant. undefined where there is none.
   */
  addVariants(itemId: string, name: ModifierGroup['name'], variants: readonly Variant[]) {
    const [first, ...others] = variants;
    if (first === undefined) return undefined;
    const { externalId: external_id, price, tax } = first;
    if (others.length === 0) return { external_id, price, tax, groupIds: [] };
    const cheapest = variants.reduce((least, one) => (one.price < least.price ? one : least));
    const groupId = `${itemId}:variants`;
    this.addGroup(
      { external_id: groupId, type: 'variants', name, group_min: 1, group_max: 1 },
      variants.map((one) =>
        modifierOf(one.externalId, one.name, {
          price: one.price - cheapest.price,
          tax: one.tax - cheapest.tax,
        }),
      ),
    );
    return { external_id: itemId, price: cheapest.price, tax: cheapest.tax, groupIds: [groupId] };
  }

  /** A price that contains its tax, at a rate in per cent, else at the one that was given for the whole file. */
  taxIncluded(gross: number, percent = (this.options.taxRate ?? 0) / 10_000): Priced {
    const tax = taxWithin(gross, Math.round(percent * 10_000));
    return { price: gross - tax, tax };
  }
}

export interface Priced {
  readonly price: number;
  readonly tax: number;
}

/** A size or variant of an item, at its own price. */
interface Variant extends Priced {
  readonly externalId: string;
  readonly name: Modifier['name'];
}

/** Tax that comes on top of a price, at a rate in per cent. */
export function taxOnTop(price: number, percent: number): Priced {
  return { price, tax: Math.round((price * percent) / 100) };
}

/** A modifier item of which a guest takes one or none. */
export function modifierOf(
  externalId: string,
  name: Modifier['name'],
  change: Priced,
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
