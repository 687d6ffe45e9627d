import type { WeekHours } from '../menu/hours.js';

/** What prices an order: a published menu by external_id, with its stock as it is now. Found once, asked often. */
export interface PriceList {
  findItem(externalId: string): PricedItem | undefined;
  itemIds(): Iterable<string>;
  hoursOf(menu: number): WeekHours;
}

export interface PricedItem {
  /** JSON text. */
  readonly name: string;
  readonly price: number;
  readonly tax: number;
  readonly isSoldSeparately: boolean;
  readonly isInStock: boolean;
  /** The menus that show it, by their place. What no menu shows keeps no hours. */
  menus(): readonly number[];
  findGroup(externalId: string): PricedGroup | undefined;
  groupIds(): Iterable<string>;
  /** The groups of which something must be selected, but for those that the map has by their number. */
  requiredGroups(except: ReadonlyMap<number, unknown>): readonly PricedGroup[];
}

export interface PricedGroup {
  /** The same number is the same group. */
  readonly number: number;
  externalId(): string;
  readonly min: number;
  /** 0 is no limit. */
  readonly max: number;
  /** So many of the units selected are free. */
  readonly chargeAfter: number;
  findModifier(externalId: string): PricedModifier | undefined;
  modifierIds(): Iterable<string>;
}

export interface PricedModifier {
  /** The same number is the same modifier item, in whichever group. */
  readonly number: number;
  /** JSON text. */
  readonly name: string;
  readonly priceChange: number;
  readonly taxChange: number;
  readonly min: number;
  readonly max: number;
  readonly isInStock: boolean;
}
