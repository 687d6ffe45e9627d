import type { Fault, Loc } from '../../faults.js';

/** Something that can be published and is probably not meant. Told as a fault is, but it blocks nothing. */
export type Warning = Pick<Fault, 'loc' | 'msg' | 'ctx'> & { readonly type: WarningType };

export const WARNING_TYPES = [
  'unknown_key',
  'item_in_no_category',
  'item_on_no_menu',
  'menu_never_open',
  'group_unsatisfiable',
  'price_zero',
  'negative_line',
  'language_missing',
  'duplicate_name',
] as const;
export type WarningType = (typeof WARNING_TYPES)[number];

export interface Warnings {
  /** How many there are, shown or not. */
  readonly count: number;
  readonly shown: readonly Warning[];
}

/** Tells a warning; it is described only where it is shown. */
export type Warn = (type: WarningType, loc: Loc, describe: () => Pick<Warning, 'msg' | 'ctx'>) => void;
