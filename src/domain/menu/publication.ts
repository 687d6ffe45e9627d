import type { Counts } from './kinds.js';
import type { Warnings } from './warnings/warning.js';

/** What is known of a version without opening its content. */
export interface VersionFacts {
  /** SHA-256 over the canonical text: equal hashes mean equal configurations. */
  readonly contentHash: Uint8Array;
  /** SHA-256 over the kinds and external_ids in their order: equal hashes mean equal ids. */
  readonly externalIdsHash: Uint8Array;
  readonly counts: Counts;
  /** Numbers (see kinds.ts) of the entities that state `in_stock`. */
  readonly statedIn: Uint32Array;
  readonly statedOut: Uint32Array;
  /** The least that the tree can expand to, and of how many entities it then consists. */
  readonly leastTreeBytes: number;
  readonly treeEntities: number;
}

/** A checked configuration in the form in which it is kept: nothing in it is parsed again to be stored. */
export interface Publication extends VersionFacts {
  /** The configuration as it was posted, without nulls and unknown keys, as gzip of its JSON text. */
  readonly content: Uint8Array;
  /** JSON text: under each kind the external_ids of its entities, in their order. */
  readonly externalIds: Uint8Array;
  readonly warnings: Warnings;
}

/** What a store has published, as it comes from the database: none of it is parsed on the event loop. */
export interface MenuSource {
  /** Empty before the first publication. */
  readonly content: Uint8Array;
  /** Ids in the order of the entities, with commas between them. */
  readonly idsText: string;
  /** JSON text: a list of [id, in_stock, prep_type]. */
  readonly marksText: string;
}

export type MenuForm = 'tree' | 'flat';
