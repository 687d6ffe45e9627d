import type { ErrorDetail, Loc } from '../../support/error-details.js';
import type { Counts } from '../kinds.js';

/** Numbers (see kinds.ts) of entities that state `in_stock`. */
export interface StatedStock {
  readonly statedInStock: Uint32Array;
  readonly statedOutOfStock: Uint32Array;
}

/** What is known of a version without opening its content. */
export interface VersionFacts extends StatedStock {
  /** SHA-256 over the canonical text: equal hashes mean equal configurations. */
  readonly contentHash: Uint8Array;
  /** SHA-256 over the kinds and external_ids in their order: equal hashes mean equal ids. */
  readonly externalIdsHash: Uint8Array;
  readonly counts: Counts;
  /** The least that the tree can expand to, and of how many entities it then consists. */
  readonly minTreeBytes: number;
  readonly treeEntities: number;
}

/** A checked configuration in the form in which it is kept: nothing in it is parsed again to be stored. */
export interface PreparedMenu extends VersionFacts {
  /** The configuration as it was posted, without nulls and unknown keys, as gzip of its JSON text. */
  readonly content: Uint8Array;
  /** JSON text: under each kind the external_ids of its entities, in their order. */
  readonly externalIds: Uint8Array;
  /** Modifier items that stand for an item: the position of the one in its list, then of the other. */
  readonly standsFor: Uint32Array;
  /** Those that the request itself states, and did not find in the menu before: they replace marks. Absent: all. */
  readonly restated?: StatedStock | undefined;
}

/** What the database adds to a prepared menu when it is published. */
export interface StoreAdditions {
  /** Ids in the order of the entities, with commas between them. */
  readonly idsText: string;
  /** JSON text: a list of [id, in_stock, prep_type]. */
  readonly marksText: string;
}

/** What a store has published, as it comes from the database: none of it is parsed on the event loop. */
export interface MenuSource extends StoreAdditions {
  /** Empty before the first publication. */
  readonly content: Uint8Array;
}

export type MenuForm = 'tree' | 'flat';

/** Something valid but probably unintended. Reported like an error, but never blocks a publication. */
export type Warning = Pick<ErrorDetail, 'loc' | 'msg' | 'ctx'> & { readonly type: WarningType };

/** In the order in which warnings are listed. */
export const WARNING_TYPES = [
  'price_jump',
  'price_outlier',
  'unknown_key',
  'ignored_key',
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
